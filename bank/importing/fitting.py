"""A draft made fit for a deck: cleaned, within the lengths of a drop, and told what it lacks."""

from __future__ import annotations

import re
from dataclasses import replace

from bank.decks import (
    LONGEST_ALT,
    LONGEST_DROP,
    LONGEST_FULL,
    LONGEST_OPTION,
    LONGEST_RATIONALE,
    LONGEST_SHORT,
)
from bank.errors import BadFile
from bank.formats.pictures import checked
from bank.formats.reading import Attachment, Draft, DraftOption, Problem
from bank.invisible import visible
from bank.letters import references

_SENTENCE_END = re.compile(r"[.!?…][\"”’)*_]*(?=\s)")


def fitted(draft: Draft) -> tuple[Draft, list[Problem]]:
    """The draft with clean texts, pictures and lengths, all that it lacks under `missing`.

    The notes say what was moved or left out.
    """
    notes: list[Problem] = []
    draft = _with_pictures(_clean(draft), notes)
    if not draft.missing and not lacks(draft):
        # What is not dropped keeps its texts whole.
        draft = _shortened(draft, notes)
    return replace(draft, missing=tuple(dict.fromkeys([*lacks(draft), *draft.missing]))), notes


def lacks(draft: Draft) -> list[str]:
    """What keeps a draft from being dropped, as far as its own parts show it."""
    options = draft.options
    found: list[str] = []
    if not draft.stem:
        found.append("the stem is missing")
    if not options and not draft.missing:
        found.append("there are no options")
    elif len(options) == 1:
        found.append("there is only one option")
    elif len(options) > 8:
        found.append(f"there are {len(options)} options; a question has 8 at most")
    without = [str(place) for place, option in enumerate(options, start=1) if not option.text]
    if without and len(without) == len(options):
        found.append("the options have no texts")
    elif without:
        found.append(f"option {', '.join(without)} has no text")
    found += _lacks_of_keys(options)
    found += _too_long(draft)
    texts = [draft.short, draft.full, *(f"{o.text}\n\n{o.rationale}" for o in options)]
    if any(max(references(text), default=0) >= max(len(options), 1) for text in texts):
        found.append("the explanation names an option that is not there")
    return found


def _lacks_of_keys(options: tuple[DraftOption, ...]) -> list[str]:
    found: list[str] = []
    keys = sum(option.correct for option in options)
    if options and not keys:
        found.append("no option is marked as right")
    elif len(options) > 1 and keys == len(options):
        found.append("every option is marked as right")
    texts = [" ".join(option.text.split()).casefold() for option in options if option.text]
    if len(set(texts)) < len(texts):
        found.append("two options say the same")
    return found


def _too_long(draft: Draft) -> list[str]:
    found: list[str] = []
    drop = len(draft.stem) + sum(len(option.text) for option in draft.options)
    if drop > LONGEST_DROP:
        found.append(f"stem and options have {drop} characters; a drop holds {LONGEST_DROP}")
    if len(draft.full) > LONGEST_FULL:
        full = len(draft.full)
        found.append(f"the full explanation has {full} characters; it may have {LONGEST_FULL}")
    longest = max((len(option.text) for option in draft.options), default=0)
    if longest > LONGEST_OPTION:
        found.append(f"an option has {longest} characters; it may have {LONGEST_OPTION}")
    return found


def _clean(draft: Draft) -> Draft:
    def of(text: str) -> str:
        return "\n".join(line.rstrip() for line in visible(text).split("\n")).strip()

    options = tuple(
        DraftOption(
            text=of(option.text),
            correct=option.correct,
            rationale=of(option.rationale),
            misconception=of(option.misconception or "") or None,
        )
        for option in draft.options
    )
    return replace(
        draft,
        stem=of(draft.stem),
        options=options,
        short=of(draft.short),
        full=of(draft.full),
        tags=tuple(filter(None, (" ".join(of(tag).split()) for tag in draft.tags))),
        sources=tuple(filter(None, ("".join(of(url).split()) for url in draft.sources))),
    )


def _shortened(draft: Draft, notes: list[Problem]) -> Draft:
    """Reasons that are too long for a private answer begin there and stand whole in `full`."""
    full = [draft.full] if draft.full else []
    options: list[DraftOption] = []
    for place, option in enumerate(draft.options):
        start = _start(option.rationale, LONGEST_RATIONALE)
        if start != option.rationale:
            full.append(f"{{{chr(ord('a') + place)}}}: {option.rationale}")
            notes.append(Problem(draft.where, _moved("a reason", LONGEST_RATIONALE)))
        options.append(replace(option, rationale=start))
    short = _start(draft.short, LONGEST_SHORT)
    if short != draft.short:
        full.insert(0, draft.short)
        notes.append(Problem(draft.where, _moved("the short explanation", LONGEST_SHORT)))
    return replace(draft, options=tuple(options), short=short, full="\n\n".join(full))


def _moved(what: str, most: int) -> str:
    return f"{what} has more than {most} characters; it stands whole in the full explanation"


def _start(text: str, most: int) -> str:
    """The sentences that begin a text, or of an endless one its words, and “…”."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    ends = [end.end() for end in _SENTENCE_END.finditer(head)]
    if ends and "```" not in head:
        return head[: ends[-1]]
    head = head.split("```")[0]
    return f"{head[: head.rfind(' ')] if ' ' in head else head}…"


def _with_pictures(draft: Draft, notes: list[Problem]) -> Draft:
    """Pictures checked by their content. One of the explanation may be left out, an exhibit not."""
    image = exhibit = None
    missing = list(draft.missing)
    if draft.exhibit:
        try:
            exhibit = _checked(draft.exhibit)
        except BadFile as refusal:
            missing.append(refusal.sentence.rstrip("."))
    if draft.image:
        try:
            image = _checked(draft.image)
        except BadFile as refusal:
            notes.append(Problem(draft.where, f"left out: {refusal.sentence.rstrip('.')}"))
    return replace(draft, image=image, exhibit=exhibit, missing=tuple(missing))


def _checked(attachment: Attachment) -> Attachment:
    alt = " ".join(visible(attachment.alt).split())[:LONGEST_ALT]
    return replace(checked(attachment), alt=alt)
