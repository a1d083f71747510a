"""Drafts join a deck: which are new, what they are called, and which domain they belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bank.errors import QuizError, quoted
from bank.formats.naming import slug_of
from bank.formats.reading import Attachment, Draft, Problem
from bank.models import UNSORTED, Deck, Domain, Image, Option, Question

IMPORTED = "imported"  # the blueprint of a deck whose weights are the shares of its questions
_LONGEST_SLUG = 40
_WORDS_IN_SLUG = 6

Content = tuple[str, tuple[tuple[str, bool], ...]]


@dataclass
class Merged:
    """A deck as it will be, and the pictures that its new questions bring."""

    domains: tuple[Domain, ...] = ()
    questions: dict[str, Question] = field(default_factory=dict)  # the new ones, by slug
    drafts: dict[str, Draft] = field(default_factory=dict)  # the new ones, by slug
    pictures: dict[str, bytes] = field(default_factory=dict)  # path in the deck -> content
    known: int = 0  # questions that the deck had already
    repeated: int = 0  # questions that the files hold once more
    problems: list[Problem] = field(default_factory=list)
    origins: dict[str, Draft] = field(default_factory=dict)  # slug -> what a question was made of

    def demote(self, slug: str, missing: str) -> Draft:
        """A question that turned out to be none becomes a draft, which is returned."""
        del self.questions[slug]
        draft = replace(self.origins.pop(slug), missing=(missing,))
        self.drafts[slug] = draft
        return draft


class NoDomain(QuizError):
    """A deck with a blueprint of its own has no place for what the files call a category."""

    def __init__(self, deck: Deck, titles: Sequence[str]) -> None:
        known = ", ".join(domain.id for domain in deck.domains)
        missing = ", ".join(quoted(title) for title in titles[:5])
        super().__init__(
            f"The deck “{deck.name}” has no domain for {missing}. Its domains are {known}: "
            "name the one that all of these questions belong to."
        )


def merged(
    drafts: Iterable[Draft],
    name: str,
    before: Deck | None,
    *,
    domain: str | None = None,
    taken_slugs: Iterable[str] = (),
) -> Merged:
    """Make questions of complete drafts and names for all of them.

    `before` is the deck that they join, or as much of a new one as is known; `domain` the one that
    all of them belong to; `taken_slugs` are the names in use. Raises NoDomain.
    """
    result = Merged()
    homes = _Homes(before, domain)
    known = {_content(question): question.slug for question in before.questions} if before else {}
    own = {question.slug: question for question in before.questions} if before else {}
    slugs = _Slugs([*own, *taken_slugs])
    for draft in drafts:
        content = _content(draft)
        if not draft.missing and content in known:
            mine = known[content] in result.questions
            result.repeated += mine
            result.known += not mine
            continue
        if draft.slug in own and not draft.missing:
            text = f"the deck has a question “{draft.slug}” with another text"
            result.problems.append(Problem(draft.where, text))
            continue
        slug = slugs.new(draft)
        draft = _housed(draft, slug, homes.of(draft))
        for attachment in filter(None, (draft.image, draft.exhibit)):
            result.pictures[attachment.name] = attachment.data
        if draft.missing:
            result.drafts[slug] = draft
        else:
            known[content] = slug
            result.origins[slug] = draft
            result.questions[slug] = _question(draft, name, slug)
    result.domains = homes.domains([*result.questions.values()], [*result.drafts.values()])
    return result


def _content(item: Draft | Question) -> Content:
    """What makes two questions the same one: stem and options, however they are spaced."""
    options = sorted((" ".join(o.text.split()).casefold(), o.correct) for o in item.options)
    return " ".join(item.stem.split()).casefold(), tuple(options)


def _housed(draft: Draft, slug: str, domain: str) -> Draft:
    """The draft with its domain as its category, and its pictures named as they stand there."""
    return replace(
        draft,
        category=domain,
        image=_placed(draft.image, slug),
        exhibit=_placed(draft.exhibit, f"{slug}-exhibit"),
    )


def _placed(attachment: Attachment | None, name: str) -> Attachment | None:
    if attachment is None:
        return None
    suffix = attachment.name.rpartition(".")[2].lower()
    return replace(attachment, name=f"images/{name}.{suffix}")


def _question(draft: Draft, deck: str, slug: str) -> Question:
    return Question(
        deck=deck,
        slug=slug,
        domain=draft.category or UNSORTED,
        stem=draft.stem,
        options=tuple(
            Option(
                text=option.text,
                correct=option.correct,
                rationale=option.rationale,
                misconception=option.misconception,
            )
            for option in draft.options
        ),
        short=draft.short,
        full=draft.full,
        image=_image(draft.image),
        exhibit=_image(draft.exhibit),
        tags=draft.tags,
        sources=draft.sources,
        expires=draft.expires,
        lint=draft.lint,
    )


def _image(attachment: Attachment | None) -> Image | None:
    return Image(path=attachment.name, alt=attachment.alt) if attachment else None


class _Slugs:
    """Names for questions: the file's own where there is one, else the stem's first words."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def new(self, draft: Draft) -> str:
        prose = draft.stem.partition("```")[0].split()
        words = slug_of(" ".join(prose[: 3 * _WORDS_IN_SLUG])) or "question"
        start = draft.slug or _shortened(words)
        number, slug = 1, start
        while slug in self._taken:
            number += 1
            slug = f"{start[: _LONGEST_SLUG - len(str(number)) - 1].rstrip('-')}-{number}"
        self._taken.add(slug)
        return slug


def _shortened(slug: str) -> str:
    return "-".join(slug.split("-")[:_WORDS_IN_SLUG])[:_LONGEST_SLUG].strip("-")


class _Homes:
    """Which domain a draft belongs to, and the domains that the deck then has."""

    def __init__(self, before: Deck | None, domain: str | None) -> None:
        self._before = before
        self._all_to = domain
        self._titles = {each.id: each.title for each in before.domains} if before else {}
        self._by_title = {title.casefold(): name for name, title in self._titles.items()}
        self._may_add = before is None or before.blueprint == IMPORTED
        self._unknown: dict[str, None] = {}
        if domain is not None and domain not in self._titles:
            if not self._may_add and before is not None:
                raise NoDomain(before, [domain])
            self._titles[domain] = _title(domain)

    def of(self, draft: Draft) -> str:
        if self._all_to is not None:
            return self._all_to
        title = (draft.category or "").rstrip("/").rpartition("/")[2].strip()
        name = self._by_title.get(title.casefold()) or slug_of(title) or UNSORTED
        if name not in self._titles:
            if not self._may_add:
                self._unknown[title or "questions without a category"] = None
            self._titles[name] = title if title and name != UNSORTED else _title(name)
            self._by_title[self._titles[name].casefold()] = name
        return name

    def domains(self, new: Sequence[Question], drafts: Sequence[Draft]) -> tuple[Domain, ...]:
        """The deck's domains; those of an imported deck weigh as many questions as they have."""
        if self._before is not None and self._unknown:
            raise NoDomain(self._before, list(self._unknown))
        if self._before is not None and not self._may_add:
            return self._before.domains
        counts = Counter(question.domain for question in new)
        counts += Counter(draft.category for draft in drafts if draft.category)
        counts += Counter(q.domain for q in (self._before.questions if self._before else ()))
        names = [name for name in self._titles if counts[name]] or [self._all_to or UNSORTED]
        self._titles.setdefault(names[0], _title(names[0]))
        weights = _shares([counts[name] for name in names])
        return tuple(
            Domain(id=name, title=self._titles[name], weight=weight)
            for name, weight in zip(names, weights, strict=True)
        )


def _shares(counts: Sequence[int]) -> list[float]:
    """The counts as hundredths of a per cent, at least one each, that add up to 100."""
    whole = 100 * 100
    total = sum(counts)
    parts = [max(1, whole * count // total) if total else whole for count in counts]
    parts[parts.index(max(parts))] += whole - sum(parts)
    return [part / 100 for part in parts]


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()
