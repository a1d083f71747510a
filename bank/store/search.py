"""Search over question texts: FTS5 in memory, by prefix, with a fallback for typing mistakes.

An index is built from a deck when it is loaded and holds nothing that the deck does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import chain
from operator import itemgetter
from typing import Any

from sqlite_utils import Database

from bank.models import Question
from bank.store.connection import every

_WORD = re.compile(r"\w+")
# What stands on a live drop's message anyway. A search in these columns tells nobody anything new.
_PUBLIC = "{stem options}"
# An id or a stem that matches says more than a word deep in an explanation.
_RANK = "bm25(questions, 0, 8.0, 10.0, 4.0, 2.0, 1.0)"
_CLOSE_ENOUGH = 0.7


class SearchIndex:
    """Finds questions by id, stem, options and explanations, on the thread that builds it."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._db = Database(memory=True)
        self._db.execute(
            "CREATE VIRTUAL TABLE questions USING fts5("
            "id UNINDEXED, slug, stem, options, short, full,"
            " tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')"
        )
        self._db.execute("CREATE VIRTUAL TABLE words USING fts5vocab(questions, row)")
        for question in questions:
            self._add(question)
        self._words = [row["term"] for row in every(self._db, "SELECT term FROM words")]

    def close(self) -> None:
        self._db.close()

    def _add(self, question: Question) -> None:
        options = "\n".join(f"{option.text}" for option in question.options)
        why = "\n".join(
            f"{option.misconception or ''} {option.rationale}" for option in question.options
        )
        self._db.execute(
            "INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?)",
            [
                question.id,
                f"{question.deck} {question.slug} {' '.join(question.tags)}",
                question.stem,
                options,
                question.short,
                f"{question.full}\n{why}",
            ],
        )

    def find(
        self, query: str, limit: int, *, public_only: bool = False, shut: Collection[str] = ()
    ) -> list[str]:
        """As `find`, in this index alone."""
        return find([self], query, limit, public_only=public_only, shut=shut)

    def tries(
        self, words: list[str], public_only: bool, shut: Collection[str]
    ) -> Iterator[list[dict[str, Any]]]:
        """The rows for all words by prefix, then with typing mistakes mended, then for any word."""
        marks = ", ".join("?" * len(shut))
        for attempt in self._attempts(words):
            public = f"{_PUBLIC} : ({attempt})"
            rows = self._ranked(public if public_only else attempt, f"NOT IN ({marks})", shut)
            rows += self._ranked(public, f"IN ({marks})", shut) if shut else []
            yield rows

    def _ranked(self, match: str, which: str, ids: Collection[str]) -> list[dict[str, Any]]:
        return every(
            self._db,
            f"SELECT id, {_RANK} AS rank FROM questions WHERE questions MATCH ? AND id {which}",
            [match, *ids],
        )

    def _attempts(self, words: list[str]) -> Iterator[str]:
        """FTS5 expressions from strict to lenient, made one at a time: the close words are slow."""
        yield " AND ".join(_prefix(word) for word in words)
        close = [self._any_close(word) for word in words]
        yield " AND ".join(close)
        yield " OR ".join(close)

    def _any_close(self, word: str) -> str:
        close = get_close_matches(word, self._words, n=3, cutoff=_CLOSE_ENOUGH)
        return "(" + " OR ".join(dict.fromkeys([_prefix(word), *map(_quoted, close)])) + ")"


def find(
    indexes: Sequence[SearchIndex],
    query: str,
    limit: int,
    *,
    public_only: bool = False,
    shut: Collection[str] = (),
) -> list[str]:
    """Question ids of all the indexes, best first: all words by prefix, else mended, else any.

    `public_only`, or for the ids in `shut`, only stems and options count: what a live drop
    shows to everybody.
    """
    # lower() and not casefold(), which would make ss of a sharp s that the index keeps.
    words = _WORD.findall(query.lower())[:12]
    if not words:
        return []
    # Side by side, and one at a time: what one index finds strictly spares the others the slow
    # search for close words.
    for rows in zip(*(index.tries(words, public_only, shut) for index in indexes), strict=True):
        if found := sorted(chain.from_iterable(rows), key=itemgetter("rank")):
            return [row["id"] for row in found][:limit]
    return []


def _quoted(word: str) -> str:
    return f'"{word}"'


def _prefix(word: str) -> str:
    return f'"{word}"*'
