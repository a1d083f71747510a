"""What is wished of an import, and what became of it, in the words that its reader sees."""

from __future__ import annotations

from pydantic import Field

from bank.models import Model, Name


class Wish(Model):
    """How an import is wanted. `domain` is the one that all of the questions belong to."""

    deck: Name
    title: str | None = None
    as_format: str | None = None
    domain: Name | None = None
    keep_good: bool = False  # take what can be taken, though some cannot
    replace: bool = False  # put the questions in the place of all that the deck has
    trial: bool = False  # change nothing, only tell


class Report(Model):
    """An import, told. Problems, notes and drafts each name their file and line or item."""

    deck: str
    formats: dict[str, str] = Field(default_factory=dict)  # file -> the title of its format
    kinds: dict[str, int] = Field(default_factory=dict)  # kind -> how many, usable or not
    taken: int = 0  # questions that the deck has now and did not have before
    known: int = 0  # questions that it had already
    repeated: int = 0  # questions that the files hold more than once
    drafts: tuple[str, ...] = ()  # each with what is missing
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()  # of lint, on the new questions
    total: int = 0  # questions of the deck afterwards
    done: bool = False  # False when nothing was changed
    trial: bool = False  # True when nothing was to be changed

    @property
    def found(self) -> int:
        return sum(self.kinds.values())

    def headline(self) -> str:
        """One sentence: what became of it, and what to do when nothing did."""
        if not self.found:
            return "No question was found, so nothing was changed."
        if self.problems and not self.done and not self.trial:
            return (
                f"{_count(len(self.problems), 'item')} cannot be taken, so nothing was changed. "
                "Mend the file, or add keep-good to take the others."
            )
        if not self.taken and not self.drafts:
            return f"The deck “{self.deck}” has all of this already, so nothing was changed."
        would = "would get" if self.trial else "has got"
        got = [_count(self.taken, "new question")] if self.taken or not self.drafts else []
        if self.drafts:
            got.append(_count(len(self.drafts), "draft"))
        return f"The deck “{self.deck}” {would} {' and '.join(got)}."

    def lines(self) -> list[str]:
        """All of it: the headline, the files, the counts, then every problem, draft and note."""
        found = [self.headline()]
        found += [f"{name}: {title}" for name, title in self.formats.items()]
        found += self.counts()
        for title, entries in self.sections():
            found += ["", f"{title}:", *(f"  {entry}" for entry in entries)]
        return found

    def counts(self) -> list[str]:
        """What was found, and how much of it was nothing new."""
        kinds = ", ".join(f"{number} {kind}" for kind, number in self.kinds.items())
        return [
            f"{what}: {count}."
            for what, count in (
                ("Found", kinds),
                ("Already in the deck", self.known),
                ("More than once in the files, taken once", self.repeated),
            )
            if count
        ]

    def sections(self) -> list[tuple[str, tuple[str, ...]]]:
        """The lists that are not empty, each with its title."""
        titled = [
            ("Cannot be taken", self.problems),
            ("Drafts, kept and never dropped until they are complete", self.drafts),
            ("Notes", self.notes),
            ("Advice on the new questions", self.advice),
        ]
        return [(title, entries) for title, entries in titled if entries]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
