"""What members say is wrong with a question, and how those who manage a group put it aside.

A reason may name the key: while its question is open, nobody reads it. Reporting tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlite_utils import Database

from bank.errors import BadReason, NotReported, QuestionGone, UnknownDrop, Withheld
from bank.invisible import visible
from bank.library import Library
from bank.models import Match, Question
from bank.store import Store, drops, reports, retired
from bank.tutor.explaining import Explaining

LONGEST_REASON = 500


class Reported(NamedTuple):
    """A question with its open reports. Its reasons are shut `until` then, if that is not None."""

    question: Question
    number: int | None  # of the latest drop that a report is about
    reports: int
    reasons: tuple[str, ...]  # newest first
    until: datetime | None
    is_retired: bool


class Reporting:
    def __init__(self, store: Store, library: Library, explaining: Explaining) -> None:
        self._store = store
        self._library = library
        self._explaining = explaining

    def report(
        self, asked: str, reason: str, group: str, member: str, now: datetime
    ) -> Question | None:
        """Report the question that a handle, an id or a search names.

        A member's earlier report of it is replaced. Like the other ways to report, it returns the
        question, or None while that is shut for the member. Raises BadReason, UnknownQuestion.
        """
        said = _said(reason)
        with self._store.writing() as db:
            question = self._explaining.named(db, asked, group, member, now)
            return self._keep(db, question, said, group, member, now)

    def report_by_id(
        self, question: str, reason: str, group: str, member: str, now: datetime
    ) -> Question | None:
        """Report the question of that id, and no other one. Raises BadReason, QuestionGone."""
        said = _said(reason)
        with self._store.writing() as db:
            return self._keep(db, self._of_deck(question, group), said, group, member, now)

    def report_drop(
        self, drop: int, reason: str, group: str, member: str, now: datetime
    ) -> Question | None:
        """Report a drop's question. Raises BadReason, UnknownDrop, QuestionGone."""
        said = _said(reason)
        with self._store.writing() as db:
            found = drops.get(db, drop)
            # What has no message has been seen by nobody.
            if found is None or found.group != group or found.message is None:
                raise UnknownDrop
            question = self._of_deck(found.question, group)
            return self._keep(db, question, said, group, member, now, drop=drop)

    def _keep(
        self,
        db: Database,
        question: Question,
        reason: str,
        group: str,
        member: str,
        now: datetime,
        *,
        drop: int | None = None,
    ) -> Question | None:
        """Keep a report; one that names no drop is about the latest drop of its question here."""
        if drop is None and (latest := drops.latest_of(db, group, question.id)):
            drop = latest.id
        reports.keep(db, group, question.id, member, reason=reason, drop=drop, at=now)
        return self._explaining.to_name(db, question, group, member, now)

    def reported(self, group: str, member: str, now: datetime) -> list[Reported]:
        """The group's questions with open reports, those with the most of them first.

        They are listed for `member`, who may be in other groups. Where a question is gone from
        its deck, its reports are not listed.
        """
        with self._store.reading() as db:
            kept_back = self._explaining.kept_back(db, group, member, now)
            out = set(retired.of_group(db, group))
            found = [
                Reported(
                    question=question,
                    number=max((row.number for row in rows if row.number), default=None),
                    reports=len(rows),
                    reasons=() if name in kept_back else tuple(row.reason for row in rows),
                    until=kept_back.get(name),
                    is_retired=name in out,
                )
                for name, rows in _by_question(reports.of_group(db, group)).items()
                if (question := self._library.question(name, group)) is not None
            ]
        return sorted(found, key=lambda each: -each.reports)

    def offered(
        self, group: str, member: str, typed: str, now: datetime, limit: int = 25
    ) -> list[Match]:
        """The questions whose reports can be settled and whose stem fits what is typed."""
        with self._store.reading() as db:
            kept_back = self._explaining.kept_back(db, group, member, now)
            reported = dict.fromkeys(row.question for row in reports.of_group(db, group))
            readable = [question for question in reported if question not in kept_back]
            return self._explaining.offered(db, readable, typed, group, member, now)[:limit]

    def settle(self, asked: str, group: str, member: str, now: datetime) -> tuple[Question, int]:
        """Take the reports of a question off the list; the question, and how many there were.

        What nobody could read yet is not put aside. Raises UnknownQuestion, NotReported, Withheld.
        """
        with self._store.writing() as db:
            question = self._explaining.named(db, asked, group, member, now)
            if question.id not in {row.question for row in reports.of_group(db, group)}:
                raise NotReported
            until = self._explaining.kept_back(db, group, member, now).get(question.id)
            if until is not None:
                raise Withheld(
                    until,
                    "This question is open right now. Its reports are shown when it closes: "
                    "please settle them then.",
                )
            return question, reports.settle(db, group, question.id)

    def _of_deck(self, question: str, group: str) -> Question:
        found = self._library.question(question, group)
        if found is None:
            raise QuestionGone
        return found


def _said(reason: str) -> str:
    """A reason as its reader will see it. Raises BadReason."""
    said = visible(reason).strip()
    if not 0 < len(said) <= LONGEST_REASON:
        raise BadReason(LONGEST_REASON)
    return said


def _by_question(rows: Iterable[reports.Row]) -> dict[str, list[reports.Row]]:
    """The reports of each question, that of the newest report first."""
    found: dict[str, list[reports.Row]] = {}
    for row in rows:
        found.setdefault(row.question, []).append(row)
    return found
