"""Pages as copied from exam-practice sites, one or many in a file. Text -> drafts.

Their options may have no texts and their reasons no letters: then the draft says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bank.errors import BadFile, quoted
from bank.formats.page_cut import Page, pages_of
from bank.formats.page_lines import Line, Mark
from bank.formats.page_options import Shape
from bank.formats.paragraphs import paragraphs
from bank.formats.reading import Draft, DraftOption, Kind, Problem, Reading, Source, Where, text_of
from bank.letters import LETTERS
from bank.prose import Reasons, namings, reasons, with_references

_MISCONCEPTION = re.compile(
    r"(?:Common )?Misconception:\s{0,3}([^.\n]{3,200})(?:\.\s{0,3}|$)", re.IGNORECASE
)
_MANY_ANSWERS = re.compile(
    r"\b(?:choose|select|pick)\s(?:the\s)?(?P<count>two|three|four|all|[2-5])\b", re.IGNORECASE
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4, "5": 5}
_KEY = re.compile(
    r"[*_(\[]{0,4}(?P<letters>[A-H](?:(?:\s?(?:,|;|/|&|and)\s?){1,2}[A-H]){0,7}|[A-H]{2,8}|[1-8](?:\s?,\s?[1-8]){0,7})"
    r"[*_)\]]{0,4}(?:[.):](?=\s|$)|\s{1,2}[–—-](?=\s)|$|(?=\s{0,2}[(\[]))[*_]{0,3}\s{0,9}"
)
_SIGNS = re.compile(r"[A-H1-8]")
_NO_WORD = re.compile(r"\W+")
_MOST_OPTIONS = 8
_MOST_LINES = 200_000  # at once: some twenty thousand questions
_LOOKED_AT = 50_000  # characters that tell what a file is


# The marks of Markdown exams, XML and HTML, Aiken, GIFT, JSON and question files.
_FOREIGN = re.compile(
    r"^\s{0,3}[-*+]\s\[[ xX]\]\s|^\s{0,3}[-*+]\s{1,4}[A-H][.)]\s"
    r"|^\s{0,3}<(?:details|summary|a\s|p\s|\?xml|!doctype|html)\b"
    r"|^#{1,6}\s[^\n]{0,80}\b(?:questions?|explanations?|answers?|exam|test|quiz)\b"
    r"|(?-i:^ANSWER:\s[A-Z]\s{0,9}$)|^::[^\n]{1,200}::|^[^\n]{0,300}(?<!\\)\{\s{0,9}[=~]"
    r"|\A\s{0,9}(?:[{\[]|---\n)",
    re.IGNORECASE | re.MULTILINE,
)


def looks_like(source: Source) -> bool:
    """True for text with the marks of such pages, unless another format's marks are there too.

    The marks are the sentence that bids to reveal, headings of a short or a full explanation, or
    options with an answer or an explanation.
    """
    if b"\0" in source.data[:4096] and not source.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    try:
        text = text_of(source)[:_LOOKED_AT]
    except BadFile:
        return False
    if _FOREIGN.search(text):
        return False
    pages = pages_of(text)
    return any(
        page.marks & {Mark.REVEAL, Mark.SHORT, Mark.FULL}
        or (page.options and page.marks & {Mark.ANSWER, Mark.EXPLANATION})
        for page in pages
    )


def read(sources: Sequence[Source], beside: Sequence[Source]) -> Reading:
    """The questions of pages, as drafts; what stands between them and is none, as notes."""
    drafts: list[Draft] = []
    problems: list[Problem] = []
    notes: list[Problem] = []
    for source in sources:
        for page in pages_of(_bounded(source)):
            where = Where(source.name, line=page.line)
            if not page.is_question:
                if text := _text(page.stem):
                    notes.append(
                        Problem(where, f"left out, since it is no question: {_start(text)}")
                    )
                continue
            drafts.append(_draft(page, where))
    if not drafts:
        problems += (Problem(Where(each.name, line=1), "no question was found") for each in sources)
    return Reading(tuple(drafts), tuple(problems), tuple(notes))


def _bounded(source: Source) -> str:
    """The text of a file. Pages have long lines: so many short ones would only take minutes."""
    text = text_of(source)
    if text.count("\n") > _MOST_LINES:
        raise BadFile(
            f"{quoted(source.name)} has more than {_MOST_LINES:,} lines. "
            "Split it into smaller files, or remove its empty lines."
        )
    return text


def _start(text: str) -> str:
    line = text.split("\n", 1)[0]
    return f"“{line}”" if len(line) <= 60 else f"“{line[:59]}…”"


def _text(lines: Sequence[Line]) -> str:
    return paragraphs([line.text for line in lines])


def _draft(page: Page, where: Where) -> Draft:
    """A page as a draft, with what it does not say or says twice under `missing`."""
    stem, short, full = _text(page.stem), _text(page.short), _text(page.full)
    texts = [paragraphs(option.lines, loose=True) for option in page.options]
    key, behind = _key(page, texts)
    if behind and behind not in full:
        full = f"{behind}\n\n{full}".strip()
    count = len(texts) or _named(f"{short}\n\n{full}", key)
    said = reasons(full, count)
    if not said.rationales and not full:
        said = reasons(short, count)
    right = key or (said.said_right if not said.said_right & said.said_wrong else set())
    options = tuple(
        _option(texts[at] if texts else "", count, at in right, said.rationales.get(at, ""))
        for at in range(count)
    )
    return Draft(
        where=where,
        kind=_kind(stem, texts, right),
        stem=with_references(stem, 0),
        options=options,
        short=with_references(short, count),
        full=with_references(full, count),
        missing=tuple(_missing(page, stem, texts, key, said, count)),
    )


def _option(text: str, count: int, correct: bool, rationale: str) -> DraftOption:
    marked = None if correct else _MISCONCEPTION.search(rationale)
    if marked and (rest := f"{rationale[: marked.start()]}{rationale[marked.end() :]}".strip()):
        return DraftOption(with_references(text, count), correct, rest, marked[1].strip())
    return DraftOption(with_references(text, count), correct, rationale)


def _kind(stem: str, texts: Sequence[str], right: set[int]) -> Kind:
    if len(right) > 1 or _MANY_ANSWERS.search(stem):
        return Kind.MULTIPLE
    is_truth = [text.strip(" .").lower() for text in texts] in (
        ["true", "false"],
        ["false", "true"],
    )
    return Kind.TRUE_FALSE if is_truth else Kind.CHOICE


def _key(page: Page, texts: Sequence[str]) -> tuple[set[int], str]:
    """The options that the page's key names, and what the answer line says beside them."""
    ticked = {at for at, option in enumerate(page.options) if option.ticked}
    answer = page.answer or ""
    found = _KEY.match(answer)
    if found and found["letters"].isdigit() and page.shape is not Shape.NUMBER:
        found = None
    if found and len(found["letters"]) > 1 and answer in texts:
        found = None  # “DAC” is a text here, not three letters
    behind = answer[found.end() :].strip() if found else answer
    plain = _plain(behind)
    if not plain:
        return {_place(sign) for sign in _SIGNS.findall(found["letters"])} if found else ticked, ""
    same = [at for at, text in enumerate(texts) if _plain(text) in (plain, _plain(answer))]
    if not found or (same and _plain(texts[same[0]]) == _plain(answer)):
        return (set(same[:1]), "") if same else (ticked, answer)
    key = {_place(sign) for sign in _SIGNS.findall(found["letters"])}
    return key, "" if key & set(same) else behind


def _place(sign: str) -> int:
    return int(sign) - 1 if sign.isdigit() else LETTERS.index(sign)


def _plain(text: str) -> str:
    return _NO_WORD.sub(" ", text).strip().lower()


def _named(text: str, key: set[int]) -> int:
    """How many options a page must have had that names them but does not show them."""
    places = {each.option for each in namings(text, _MOST_OPTIONS)} | key
    return max(places) + 1 if places else 0


def _missing(
    page: Page, stem: str, texts: Sequence[str], key: set[int], said: Reasons, count: int
) -> Iterator[str]:
    """What keeps a page from being dropped, as clauses for its author, who knows its letters."""
    if not stem:
        yield "the page gives no stem"
    if not count:
        yield "the page gives no options"
    elif not texts:
        yield "the page gives no texts of the options"
    for at, text in enumerate(texts):
        if not text:
            yield f"the page gives no text of option {LETTERS[at]}"
    if beyond := {at for at in key if at >= count}:
        yield f"the key says {_letters(beyond)}, the page has {count} options"
    yield from _contradictions(page, key, said)
    if not key and not said.said_right:
        yield "the page does not say which option is right"
    asked = _MANY_ANSWERS.search(stem)
    wanted = _COUNTS.get(asked["count"].lower()) if asked else None
    if wanted and key and len(key) != wanted:
        yield f"the question asks for {wanted} options, the key says {_letters(key)}"


def _contradictions(page: Page, key: set[int], said: Reasons) -> Iterator[str]:
    ticked = {at for at, option in enumerate(page.options) if option.ticked}
    if ticked and key != ticked:
        yield f"the key says {_letters(key)}, the options are ticked at {_letters(ticked)}"
    if both := said.said_right & said.said_wrong:
        yield f"the explanation calls {_letters(both)} right and wrong"
    elif key and said.said_right - key:
        yield f"the key says {_letters(key)}, the explanation says {_letters(said.said_right)}"
    elif key & said.said_wrong:
        wrong = _letters(key & said.said_wrong)
        yield f"the key says {_letters(key)}, the explanation calls {wrong} wrong"


def _letters(options: set[int]) -> str:
    letters = [LETTERS[at] for at in sorted(options)]
    return " and ".join([", ".join(letters[:-1]), letters[-1]] if letters[1:] else letters)
