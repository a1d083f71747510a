"""Rules against cues: what gives the key away to somebody who does not know it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from bank.lint.findings import OnDeck, Remark
from bank.lint.wording import distractors_of, keys_of, lead_in, listed, named, prose, shown, words
from bank.models import Deck, Question

LEAST_CLANG = 6  # letters of a word that rings
COMMON = 0.05  # a word in more of a deck's questions than this rings no bell

_END = 200  # characters of a stem that are enough to see its last words
# Open ends of stems; “a(n)” and “a/an” fit all, and “vitamin A?” ends in no article.
_ARTICLE = re.compile(r"(?<=\s)(an?)[\s:…._]*$")
_NUMBER_OF_VERB = re.compile(r"\b(is|was|are|were)[\s:…._]*$")
_FIRST_WORD = re.compile(r"[^\W_]+")
_OWN_ARTICLE = re.compile(r"(?:an?|the)\b", re.IGNORECASE)
# How a word begins in the ear, where its letter says otherwise.
_LIKE_A_VOWEL = re.compile(r"hour|honest|honou?r|heir", re.IGNORECASE)
_LIKE_A_CONSONANT = re.compile(r"uni|use|usu|util|eu|one\b|once|ubiq|u-", re.IGNORECASE)
_SPELLED = re.compile(r"[A-Z](?:[B-DF-HJ-NP-TV-Z]\w*|[A-Z])?\b")  # “SSD”, “NVMe”, “IT”
_PLURAL = re.compile(r"[a-z]{2,}(?<![siu])s", re.IGNORECASE)
_ABSOLUTE = re.compile(
    r"\b(?:always|never|absolutely|completely|entirely|totally|invariably|impossible|"
    r"without exception|under no circumstances|in (?:all|every) cases?)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)


def grammar_cue(question: Question) -> Iterator[Remark]:
    """A stem that ends in “a”, “an”, “is” or “are”, and options that do not follow from it."""
    stem = shown(prose(question.stem[-_END:]))
    fitting = _by_article(question, stem)
    if fitting is None:
        fitting = _by_number(question, stem)
    keys = keys_of(question)
    if not fitting or not keys <= fitting:
        return
    if odd := set(range(len(question.options))) - fitting:
        last = stem.rstrip(" :…_.").rsplit(" ", 1)[-1]
        follow = "does not follow" if len(odd) == 1 else "do not follow"
        yield Remark("stem", f"{named(odd)} {follow} from “{last}” as the key does")


def _by_article(question: Question, stem: str) -> set[int] | None:
    """The options that may stand behind the article that ends the stem, if one does."""
    article = _ARTICLE.search(stem)
    if article is None:
        return None
    texts = [shown(option.text) for option in question.options]
    if any(not _FIRST_WORD.match(text) or _OWN_ARTICLE.match(text) for text in texts):
        return None
    wants_vowel = article[1] == "an"
    return {at for at, text in enumerate(texts) if _sounds_like_a_vowel(text) == wants_vowel}


def _sounds_like_a_vowel(text: str) -> bool:
    if _SPELLED.match(text):
        return text[0] in "AEFHILMNORSX"
    if _LIKE_A_VOWEL.match(text) or text.startswith(("8", "11", "18")):
        return True
    return text[0].casefold() in "aeiou" and not _LIKE_A_CONSONANT.match(text)


def _by_number(question: Question, stem: str) -> set[int] | None:
    """The options of one word that agree with the verb that ends the stem; the key's alone."""
    verb = _NUMBER_OF_VERB.search(stem)
    texts = [shown(option.text).rstrip(".") for option in question.options]
    if verb is None or not all(text.isalpha() for text in texts):
        return None
    plural = verb[1] in ("are", "were")
    fitting = {at for at, text in enumerate(texts) if bool(_PLURAL.fullmatch(text)) == plural}
    return fitting if fitting == keys_of(question) else None


def absolute_terms(question: Question) -> Iterator[Remark]:
    """Words such as “always” in distractors alone: few things are so, as every guesser knows."""
    if any(_strict(question.options[at].text) for at in keys_of(question)):
        return
    wrong = {at: _strict(question.options[at].text) for at in distractors_of(question)}
    wrong = {at: found for at, found in wrong.items() if found}
    if wrong:
        said = [word for found in wrong.values() for word in found]
        yield Remark(
            min(wrong), f"{listed(said)} in {named(wrong)} and not in the key gives it away"
        )


def only_in_distractors(question: Question) -> Iterator[Remark]:
    """“only” in two distractors or more, and in no key."""
    if any(_ONLY.search(question.options[at].text) for at in keys_of(question)):
        return
    wrong = [
        at for at in distractors_of(question) if _ONLY.search(prose(question.options[at].text))
    ]
    if len(wrong) > 1:
        yield Remark(wrong[0], f"“only” in {named(wrong)} and not in the key gives it away")


def _strict(text: str) -> list[str]:
    return [found.casefold() for found in _ABSOLUTE.findall(prose(text))]


def clang(deck: Deck, _today: date) -> Iterator[OnDeck]:
    """A word that is rare in the deck and stands in a stem and its key, but in no distractor."""
    often = max(2, int(len(deck.questions) * COMMON))
    spread = Counter(
        root
        for question in deck.questions
        for root in set(_roots([question.stem, *_texts(question)]))
    )
    for question in deck.questions:
        ringing = _ringing(question).items()
        rare = sorted(word for root, word in ringing if spread[root] <= often)
        if rare:
            key = min(keys_of(question))
            text = f"{listed(rare)} in the stem and in the key alone gives it away"
            yield OnDeck(question.slug, Remark(key, text))


def _texts(question: Question) -> list[str]:
    return [option.text for option in question.options]


def _ringing(question: Question) -> dict[str, str]:
    """The words of the question asked that all keys have and no distractor has: root -> word."""
    asked = _roots([lead_in(question.stem)])
    texts = _texts(question)
    for at in distractors_of(question):
        for root in _roots([texts[at]]):
            asked.pop(root, None)
    for at in keys_of(question):
        said = _roots([texts[at]])
        asked = {root: word for root, word in asked.items() if root in said}
    return asked


def _roots(texts: Sequence[str]) -> dict[str, str]:
    """The long words of some texts by how they begin, so that “scheduled” is “scheduling”."""
    return {
        word[:LEAST_CLANG]: word
        for text in texts
        for word in words(text)
        if len(word) >= LEAST_CLANG
    }
