"""One item of QTI 1.2 -> a draft, or the problem that it is no question we can drop.

Keys are found by what scores, feedback by what shows it; names that one program gives to things
decide only where the structure leaves it open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from bank.errors import quoted
from bank.formats.addresses import first_picture
from bank.formats.html import ImageTag, markdown_of, media_in, pictures_in
from bank.formats.plain_text import as_plain_text
from bank.formats.reading import Attachment, Draft, DraftOption, Kind, Problem, Where
from bank.prose import with_references

Pictures = Callable[[ImageTag], Attachment | None]

# As Canvas and as Common Cartridge name the kinds that can be dropped.
_KINDS = {
    "multiple_choice_question": Kind.CHOICE,
    "cc.multiple_choice.v0p1": Kind.CHOICE,
    "true_false_question": Kind.TRUE_FALSE,
    "cc.true_false.v0p1": Kind.TRUE_FALSE,
    "multiple_answers_question": Kind.MULTIPLE,
    "cc.multiple_response.v0p1": Kind.MULTIPLE,
}
_RESPONSES = ("response_lid", "response_str", "response_num", "response_xy", "response_grp")
_FULL_SCORE = 100.0
_MOST_OPTIONS = 50  # a draft with more than eight is one still; this is no question


def name_of(element: Element) -> str:
    """The element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def all_in(element: Element, *names: str) -> Iterator[Element]:
    """Every element of these names inside, in order."""
    return (each for each in element.iter() if name_of(each) in names)


def metadata_of(element: Element) -> dict[str, str]:
    """The labelled fields of an item, a bank or an assessment."""
    found: dict[str, str] = {}
    for entry in all_in(element, "qtimetadatafield"):
        parts = {name_of(part): (part.text or "").strip() for part in entry}
        found.setdefault(parts.get("fieldlabel", ""), parts.get("fieldentry", ""))
    return found


@dataclass(slots=True)
class _Text:
    """What stands in materials: as Markdown, its pictures, and whether there is sound or film."""

    parts: list[str] = field(default_factory=list)
    pictures: list[ImageTag] = field(default_factory=list)
    has_media: bool = False

    @property
    def markdown(self) -> str:
        return "\n\n".join(part for part in self.parts if part)

    def __bool__(self) -> bool:
        return bool(self.markdown or self.pictures)


@dataclass(frozen=True, slots=True)
class _Condition:
    """What an answer must be, what it then scores, and which feedback it shows."""

    chosen: frozenset[str]
    not_chosen: frozenset[str]
    score: float
    feedback: tuple[str, ...]


def read_item(
    item: Element, where: Where, category: str | None, pictures: Pictures
) -> tuple[Draft | Problem, list[Problem]]:
    """The item as a draft or as a problem, and notes on what was left out of a draft."""
    kind = _kind_of(item)
    if not isinstance(kind, Kind):
        text = f"{kind} {'items' if kind == 'text only' else 'questions'} are not supported"
        return Problem(where, text, kind), []
    count = sum(1 for _ in all_in(item, "response_label"))
    if count > _MOST_OPTIONS:
        return Problem(where, f"it has {count:,} options, which no question can have"), []
    reader = _Reader(item, kind, pictures)
    draft = reader.draft(where, category)
    return draft, [Problem(where, note) for note in reader.notes]


def _kind_of(item: Element) -> Kind | str:
    """The kind, by its label where it has one that is known, otherwise by its structure."""
    data = metadata_of(item)
    label = data.get("question_type") or data.get("cc_profile") or ""
    if label:
        short = label.removeprefix("cc.").removesuffix(".v0p1").removesuffix("_question")
        return _KINDS.get(label) or short.replace("_", " ").strip() or "unnamed"
    responses = list(all_in(item, *_RESPONSES))
    if not responses:
        return "text only"
    if len(responses) > 1:
        return "matching" if name_of(responses[0]) == "response_lid" else "fill in multiple blanks"
    if not list(all_in(responses[0], "render_choice")):
        return "short answer"
    if responses[0].get("rcardinality", "Single").lower() == "multiple":
        return Kind.MULTIPLE
    labels = [_option_text(label).markdown.casefold() for label in all_in(item, "response_label")]
    return Kind.TRUE_FALSE if sorted(labels) == ["false", "true"] else Kind.CHOICE


class _Reader:
    """Reads a choice: its options by their idents, then who scores, then what is said."""

    def __init__(self, item: Element, kind: Kind, pictures: Pictures) -> None:
        self.item = item
        self.kind = kind
        self.pictures = pictures
        self.notes: list[str] = []
        self.missing: list[str] = []
        self.conditions = list(_conditions(item))
        self.options: dict[str, _Text] = {}
        for label in all_in(item, "response_label"):
            ident = label.get("ident", "")
            if ident in self.options:
                self.missing.append(f"two options have the ident {quoted(ident)}")
            self.options[ident] = _option_text(label)

    def draft(self, where: Where, category: str | None) -> Draft:
        stem = self._stem()
        keys = self._keys()
        self._leave_out_blank_ones(keys)
        reasons, full = self._feedback(keys)
        for text in self.options.values():
            if text.pictures and text.markdown:
                self.notes.append("the picture in an option was left out")
            elif text.pictures:
                self.missing.append("an option is a picture, which no button can show")
        # Several options may share one text: what anyone is told who is wrong.
        said = {id(text): text for text in (full, *reasons.values())}
        rendered = {
            at: with_references(text.markdown, len(self.options)) for at, text in said.items()
        }
        options = tuple(
            DraftOption(
                with_references(text.markdown, 0),
                ident in keys,
                rendered[id(reasons[ident])] if ident in reasons else "",
            )
            for ident, text in self.options.items()
        )
        if any(text.has_media for text in (stem, *self.options.values(), *said.values())):
            self.notes.append("a sound or film was left out")
        exhibit = first_picture(stem.pictures, self.pictures, "of the stem")
        behind = [tag for text in said.values() for tag in text.pictures]
        image = first_picture(behind, self.pictures, "of the feedback")
        self.missing += exhibit.absent
        self.notes += (*exhibit.left_out, *image.absent, *image.left_out)
        return Draft(
            where=where,
            kind=self.kind,
            stem=with_references(stem.markdown, 0),
            options=options,
            full=rendered[id(full)],
            category=category,
            exhibit=exhibit.picture,
            image=image.picture,
            missing=tuple(dict.fromkeys(self.missing)),
        )

    def _stem(self) -> _Text:
        presentation = next(all_in(self.item, "presentation"), None)
        return _Text() if presentation is None else _text_of(presentation, ("render_choice",))

    def _leave_out_blank_ones(self, keys: set[str]) -> None:
        """Canvas exports the lines for options that an author left empty."""
        blank = [ident for ident, text in self.options.items() if not text and ident not in keys]
        for ident in blank:
            del self.options[ident]
        if blank:
            some = "an empty option was" if len(blank) == 1 else f"{len(blank)} empty options were"
            self.notes.append(f"{some} left out")

    def _keys(self) -> set[str]:
        scoring = [each for each in self.conditions if each.score > 0 and each.chosen]
        if not scoring:
            self.missing.append("no option is marked as the key")
            return set()
        best = max(each.score for each in scoring)
        top = [each for each in scoring if each.score == best]
        adds = self.kind is Kind.MULTIPLE and all(len(each.chosen) == 1 for each in scoring)
        if self.kind is Kind.MULTIPLE and not adds:
            keys = set(top[0].chosen)
            if any(each.chosen != top[0].chosen for each in top):
                self.missing.append("more than one set of options counts as right")
        else:
            keys = set().union(*(each.chosen for each in (scoring if adds else top)))
            if not adds and len(keys) > 1:
                self.missing.append("it takes one answer, but several options count as right")
        if not adds and any(each.chosen - keys for each in scoring):
            self.notes.append("an answer that earns part of the points counts as wrong")
        if any(each.chosen & each.not_chosen for each in top):
            self.missing.append("an option is marked both as right and as wrong")
        for ident in sorted(keys - self.options.keys()):
            self.missing.append(f"the key {quoted(ident)} is no option")
        return keys

    def _feedback(self, keys: set[str]) -> tuple[dict[str, _Text], _Text]:
        """What is said for each option, and what is said in any case."""
        texts = {
            each.get("ident", ""): _text_of(each, ("hint",))
            for each in self.item
            if name_of(each) == "itemfeedback"
        }
        if any(all_in(self.item, "hint")):
            self.notes.append("a hint was left out")
        reasons: dict[str, _Text] = {}
        in_common: dict[str, list[_Text]] = {"general": [], "right": [], "wrong": []}
        for ident, place in self._places().items():
            text = texts.pop(ident, None)
            if text and place in self.options and place not in reasons:
                reasons[place] = text
            elif text:
                in_common[place if place in in_common else "general"].append(text)
        if any(texts.values()):
            self.notes.append("feedback that no answer shows was left out")
        return self._shared_out(keys, reasons, in_common)

    def _shared_out(
        self, keys: set[str], reasons: dict[str, _Text], in_common: dict[str, list[_Text]]
    ) -> tuple[dict[str, _Text], _Text]:
        """What anyone is told who is right, or wrong, is the reason of each option without one."""
        rightly = [ident for ident in self.options if ident in keys and ident not in reasons]
        spoken_for = keys | reasons.keys()
        wrongly = [ident for ident in self.options if ident not in spoken_for]
        right, wrong = _joined(in_common["right"]), _joined(in_common["wrong"])
        if right and not rightly:
            in_common["general"].append(right)
        if wrong and not wrongly:
            self.notes.append("the feedback for wrong answers was left out: each has its own")
        reasons |= dict.fromkeys(rightly, right) if right else {}
        reasons |= dict.fromkeys(wrongly, wrong) if wrong else {}
        return reasons, _joined(in_common["general"])

    def _places(self) -> dict[str, str]:
        """Each feedback's ident, and what it is for: an option, “right”, “wrong”, “general”."""
        places: dict[str, str] = {}
        for condition in self.conditions:
            for ident in condition.feedback:
                places.setdefault(ident, self._place(condition, ident))
        for ident in self.options:
            places.setdefault(f"{ident}_fb", ident)
        for ident, place in (
            ("general_fb", "general"),
            ("correct_fb", "right"),
            ("general_incorrect_fb", "wrong"),
        ):
            places.setdefault(ident, place)
        return places

    def _place(self, condition: _Condition, ident: str) -> str:
        only = next(iter(condition.chosen)) if len(condition.chosen) == 1 else ""
        if only and (not condition.score or ident == f"{only}_fb"):
            return only
        if condition.score > 0:
            return "right"
        is_wrong = "incorrect" in ident.lower() or condition.not_chosen or condition.chosen
        return "wrong" if is_wrong else "general"


def _conditions(item: Element) -> Iterator[_Condition]:
    for processing in all_in(item, "resprocessing"):
        for each in processing:
            if name_of(each) == "respcondition":
                yield _condition(each)


def _condition(element: Element) -> _Condition:
    chosen: set[str] = set()
    not_chosen: set[str] = set()
    score = 0.0
    feedback: list[str] = []
    for each in element:
        name = name_of(each)
        if name == "conditionvar":
            _sort_out(each, chosen, not_chosen, negated=False)
        elif name == "setvar" and each.get("action", "Set").lower() in ("set", "add"):
            score += _number(each.text)
        elif name == "displayfeedback":
            feedback.append(each.get("linkrefid", ""))
    return _Condition(frozenset(chosen), frozenset(not_chosen), score, tuple(feedback))


def _sort_out(element: Element, chosen: set[str], not_chosen: set[str], negated: bool) -> None:
    """Collect the idents that must be chosen, and those that must not; the depth is bounded."""
    for each in element:
        name = name_of(each)
        if name == "varequal":
            (not_chosen if negated else chosen).add((each.text or "").strip())
        else:
            _sort_out(each, chosen, not_chosen, negated != (name == "not"))


def _number(text: str | None) -> float:
    """A score; “SCORE.max”, as some programs write, is the full one."""
    stated = (text or "").strip()
    if stated.lower() == "score.max":
        return _FULL_SCORE
    try:
        number = float(stated)
    except ValueError:
        return 0.0
    return number if abs(number) < 1e9 else 0.0


def _option_text(label: Element) -> _Text:
    return _text_of(label, ("response_label",))


def _text_of(element: Element, leaving_out: tuple[str, ...] = ()) -> _Text:
    """What stands in the materials inside an element, in order."""
    text = _Text()
    for each in element:
        _collect(each, text, leaving_out)
    return text


def _collect(element: Element, text: _Text, leaving_out: tuple[str, ...]) -> None:
    """Take up what an element shows; the depth is bounded by the XML's reader."""
    name = name_of(element)
    if name in leaving_out:
        return
    if name == "mattext":
        written = "".join(element.itertext())
        if "html" in element.get("texttype", "").lower():
            text.parts.append(markdown_of(written))
            text.pictures += pictures_in(written)
            text.has_media |= bool(media_in(written))
        else:
            text.parts.append(as_plain_text(written.strip()))
    elif name == "matimage":
        text.pictures.append(ImageTag(element.get("uri", ""), element.get("label", "")))
    elif name in ("mataudio", "matvideo", "matapplet", "matapplication"):
        text.has_media = True
    else:
        for each in element:
            _collect(each, text, leaving_out)


def _joined(texts: Sequence[_Text]) -> _Text:
    """All of it, and what is said twice once."""
    return _Text(
        list(dict.fromkeys(part for text in texts for part in text.parts)),
        [tag for text in texts for tag in text.pictures],
        any(text.has_media for text in texts),
    )
