"""Rules for a stem: that it asks something by itself, positively, and plainly."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bank.lint.findings import Remark
from bank.lint.wording import lead_in, prose, shown, words
from bank.models import Question

_JUDGED = r"(?:true|correct|right|accurate|valid|best|false|incorrect|wrong|untrue)"
_ANY_OF = r"(?:which|what)(?: one| two| three)?(?: of)?(?: the| these| those)?"
_THINGS = (
    r"(?: (?:following|below|above|statements?|options?|answers?|choices?|items?|sentences?))*"
)
_IS = r"(?: (?:is|are|would be|must be))(?: (?:not|most|the|likely|more|also|a|an))*"
# Nothing is asked but which option is right.
_EMPTY = re.compile(
    rf"{_ANY_OF}{_THINGS}{_IS} {_JUDGED}(?: (?:statements?|options?|answers?|choices?))?"
    rf"|(?:choose|select|pick|mark|find|identify) (?:the|all|one|two)(?: the)?(?: most| best)?"
    rf"(?: {_JUDGED})?(?: (?:statements?|options?|answers?|choices?|ones?))(?: that apply)?"
    rf"|all of the following(?: statements?)? are {_JUDGED} except"
)
_ONE_WORD = re.compile(r"\W{0,9}[^\W\d_]+\W{0,9}")
# The subject is told, but not what is asked of it.
_UNFOCUSED = re.compile(
    rf"\b{_ANY_OF}{_THINGS}(?: (?:about|on|regarding|concerning|of|for|describing)\b[^?]{{1,200}}?)"
    rf"{_IS} {_JUDGED}\b|\b{_ANY_OF}{_THINGS}{_IS} {_JUDGED}"
    r"(?: (?:of|about|for|regarding|concerning|statements?)\b)",
)
_ASKS = re.compile(r"[?？؟]|(?:\\?_){2,}|\.{3}|…|\[\s*\]|\(\s*\)")
_INSTRUCTS = re.compile(
    r"\b(?:choose|select|pick|identify|name|find|determine|calculate|compute|complete|fill|give|"
    r"decide|indicate|mark|match|order|arrange|rank|state|tell|explain|describe|classify|convert|"
    r"evaluate|solve|simplify|consider|assume|translate|list|specify|predict|estimate|say)\b",
    re.IGNORECASE,
)
_OPENS_A_QUESTION = re.compile(
    r"\W{0,4}(?:in |on |at |to |for |from |by |with |of )?(?:which|what|who|whom|whose|when|where|"
    r"why|how)\b",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"[.!][\"”’)*_]{0,4}\s*$")
_YES_OR_NO = {"true", "false", "yes", "no", "right", "wrong", "correct", "incorrect"}

# A negative turns the question round only in its own clause: what follows “if”, “that” … is told.
_CLAUSE = r"(?:(?!\b(?:if|when|that|because|although|while|since|whose|where|unless|so)\b)[^?.;])"
_VERB = (
    r"(?:is|are|was|were|be|do|does|did|has|have|had|can|could|may|might|must|should|will|would)"
)
_WORST = (
    r"(?:likely|true|correct|accurate|appropriate|effective|important|suitable|helpful|useful|"
    r"relevant|desirable|efficient|probable|reliable|secure)"
)
_NEGATIVE = re.compile(
    rf"\b(?:which|what|who|where)\b{_CLAUSE}{{0,160}}?(?:"
    rf"\b{_VERB}\s[*_]{{0,3}}(?P<not>not)\b"
    r"|(?P<word>\bnever\b|\bcannot\b|\bneither\b|\b\w{2,8}n['’]t\b|\bexcept\b)"
    rf"|\b(?P<least>least)[*_]{{0,3}}\s[*_]{{0,3}}{_WORST}\b"
    r"|\b(?:is|are|as)\s[*_]{0,3}(?P<untrue>false|incorrect|untrue|invalid)\b"
    r"|\b(?P<false>false|incorrect|untrue)[*_]{0,3}\s(?:statement|answer|option))"
    r"|\ball\b[^?.;]{0,160}?\b(?P<except>except)\b"
    r"|\b(?P<open>not|except|never)\b\W{0,6}$",
    re.IGNORECASE,
)
_EMPHASISED = re.compile(r"\*\*[^*\n]{1,80}\*\*|__[^_\n]{1,80}__|\*[^*\n]{1,80}\*|\b[A-Z]{3,}\b")


def negative_stem(question: Question) -> Iterator[Remark]:
    """A question that is turned round by a word that nothing makes stand out."""
    asked = lead_in(question.stem)
    loud = [found.span() for found in _EMPHASISED.finditer(asked)]
    plain = _NEGATIVE.search(asked)
    if plain is None:
        return
    name, word = next((name, word) for name, word in plain.groupdict().items() if word)
    start, end = plain.span(name)
    if any(first <= start and end <= last for first, last in loud):
        return
    yield Remark(
        "stem",
        f"“{word}” turns the question round: ask for what is so, or write **{word.upper()}**",
    )


def needs_options(question: Question) -> Iterator[Remark]:
    """A stem that asks for nothing but the right option."""
    if question.exhibit:
        return
    said = " ".join(words(question.stem))
    if _EMPTY.fullmatch(said) or _ONE_WORD.fullmatch(shown(question.stem)):
        yield Remark(
            "stem",
            f"“{shown(question.stem)}” asks nothing without its options: put the question here",
        )


def unfocused_stem(question: Question) -> Iterator[Remark]:
    """“Which statement about … is true?”: what is asked stands in the options alone."""
    if _EMPTY.fullmatch(" ".join(words(question.stem))):
        return
    if _UNFOCUSED.search(" ".join(words(lead_in(question.stem)))):
        yield Remark("stem", "cover the options: the stem names a subject, but asks nothing of it")


def no_question(question: Question) -> Iterator[Remark]:
    """A stem that ends in a full stop and neither asks nor tells to do something."""
    stem = prose(question.stem)
    if _ASKS.search(stem) or _INSTRUCTS.search(stem) or not _CLOSED.search(stem):
        return
    if _OPENS_A_QUESTION.match(lead_in(question.stem)):
        return
    if all(shown(option.text).casefold().rstrip(".") in _YES_OR_NO for option in question.options):
        return  # a statement to be judged
    yield Remark("stem", "the stem asks nothing: end it with a question")
