"""The way of an import: read, fit, merge, write beside the deck, check the whole, put in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from bank.decks import check_deck
from bank.errors import DeckFaults, QuizError
from bank.formats.deck.question_writer import Unwritable, draft_text, question_text
from bank.formats.deck.writer import deck_toml
from bank.formats.reading import Draft, Problem, Source
from bank.importing.advising import advice
from bank.importing.fitting import fitted
from bank.importing.gathering import Gathered, Progress, gather, untold
from bank.importing.merging import IMPORTED, Merged, merged
from bank.importing.placing import Staged, staged
from bank.importing.report import Report, Wish
from bank.models import Deck

MOST_ITEMS = 5000  # of one import: a deck is loaded whole at each start


def bring(
    files: Sequence[Source],
    wish: Wish,
    folder: Path,
    today: date,
    progress: Progress = untold,
) -> Report:
    """Read `files` into the deck in `folder`, which need not be there yet.

    All or nothing, unless the good ones are to be kept; `today` is for lint's advice. Raises
    QuizError when it cannot even be tried: the deck has faults, or no domain for the questions, or
    its folder cannot be written.
    """
    before = _before(folder)
    gathered = gather(files, as_format=wish.as_format, progress=progress)
    if len(gathered.drafts) > MOST_ITEMS:
        raise QuizError(
            f"The files hold {len(gathered.drafts):,} questions; one import takes {MOST_ITEMS:,} "
            "at most. Bring them in parts, each into a deck of its own."
        )
    drafts, notes = _fitted(gathered.drafts, progress)
    gathered = replace(gathered, drafts=tuple(drafts), notes=(*gathered.notes, *notes))
    join = None if wish.replace else before
    taken = [path.stem for path in (folder / "drafts").glob("*.md")] if join else []
    start = join or gathered.about
    result = merged(drafts, wish.deck, start, domain=wish.domain, taken_slugs=taken)
    blocked = bool(gathered.problems or result.problems) and not wish.keep_good
    if blocked or not (result.questions or result.drafts):
        return _report(wish, gathered, result, join, done=False)
    with staged(folder, keep=join is not None) as new:
        new.write({"deck.toml": deck_toml(_about(wish, join, result, gathered)).encode()})
        new.write(result.pictures)
        _write(new, result, progress)
        whole = _checked(new, result, progress)
        if not wish.trial:
            new.place()
    report = _report(wish, gathered, result, join, done=not wish.trial)
    return report.model_copy(update={"advice": advice(whole, result, today)})


def _before(folder: Path) -> Deck | None:
    if not (folder / "deck.toml").is_file():
        return None
    deck, faults = check_deck(folder)
    if deck is None or faults:
        raise DeckFaults(folder.name, faults)
    return deck


def _fitted(drafts: Sequence[Draft], progress: Progress) -> tuple[list[Draft], list[Problem]]:
    found: list[Draft] = []
    notes: list[Problem] = []
    for over, draft in enumerate(drafts):
        progress("Fitting", over, len(drafts))
        fit, told = fitted(draft)
        found.append(fit)
        notes += told
    return found, notes


def _about(wish: Wish, join: Deck | None, result: Merged, gathered: Gathered) -> Deck:
    """The deck as its deck.toml tells it; its questions stand in files of their own."""
    if (known := join or gathered.about) is not None:
        title = wish.title or known.title
        return known.model_copy(update={"domains": result.domains, "title": title})
    names = ", ".join(sorted({name.rpartition("/")[2] for name in gathered.formats}))
    return Deck(
        name=wish.deck,
        title=wish.title or wish.deck.replace("-", " ").capitalize(),
        description=f"Imported from {names}.",
        language="und",  # undetermined, as BCP 47 says it
        licence="unknown",
        blueprint=IMPORTED,
        domains=result.domains,
        questions=(),
    )


def _write(new: Staged, result: Merged, progress: Progress) -> None:
    """Write the new questions and drafts; what no question file can hold becomes a draft."""
    total = len(result.questions)
    for over, question in enumerate([*result.questions.values()]):
        progress("Writing", over, total)
        try:
            new.write({f"questions/{question.slug}.md": question_text(question).encode()})
        except Unwritable as refusal:
            result.demote(question.slug, refusal.sentence.rstrip("."))
    for slug, draft in result.drafts.items():
        _write_draft(new, slug, draft)


def _write_draft(new: Staged, slug: str, draft: Draft) -> None:
    new.write({f"drafts/{slug}.md": draft_text(draft).encode()})


def _checked(new: Staged, result: Merged, progress: Progress) -> Deck:
    """The whole, loaded as a deck; a new question that does not load becomes a draft.

    Raises DeckFaults for what is not about one of them; it is not known to happen.
    """
    progress("Checking", 0, 1)
    deck, faults = check_deck(new.folder)
    for fault in faults:
        slug = fault.file.stem
        if slug in result.questions:
            new.remove(f"questions/{slug}.md")
            _write_draft(new, slug, result.demote(slug, fault.text))
    if faults:
        deck, faults = check_deck(new.folder)
    if deck is None or faults:
        raise DeckFaults(new.folder.name, faults)
    progress("Checking", 1, 1)
    return deck


def _report(
    wish: Wish, gathered: Gathered, result: Merged, join: Deck | None, *, done: bool
) -> Report:
    problems = [*gathered.problems, *result.problems]
    kinds = Counter(str(draft.kind) for draft in gathered.drafts)
    kinds += Counter(problem.kind for problem in problems if problem.kind)
    return Report(
        deck=wish.deck,
        formats=gathered.formats,
        kinds=dict(kinds),
        taken=len(result.questions),
        known=result.known,
        repeated=result.repeated,
        drafts=tuple(
            f"{draft.where}: {'; '.join(draft.missing)}" for draft in result.drafts.values()
        ),
        problems=tuple(map(str, problems)),
        notes=tuple(map(str, gathered.notes)),
        total=len(result.questions) + (len(join.questions) if join else 0),
        done=done,
        trial=wish.trial,
    )
