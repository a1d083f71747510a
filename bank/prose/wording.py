"""The words by which prose says of an option that it is right or wrong, and why: patterns alone.

Every repetition is bounded, so that no text takes more than linear time.
"""

from __future__ import annotations

import re

from bank.prose.naming import BE, JOINT

# What a text says of an option; “true” and “valid” say it of a statement, so they are not here.
ADVERBS = (
    r"(?:\s(?:not|also|both|therefore|thus|clearly|simply|just|all|the|an|a|only|single)){0,4}"
)
NOUNS = r"(?:\s(?:answers?|options?|choices?))?"
NOT_RIGHT = r"not\s(?:\w{1,12}\s){0,2}(?:correct|right|best)|(?:n['’]t|never)\s(?:correct|right)"
GLOSS = r"[*_)\]\"”'’]{0,4}(?:\s\([^()\n]{1,200}\)[*_]{0,3}|,\s[^,.\n]{1,120},)?"
WRONG = re.compile(
    rf"{GLOSS}\s(?:(?:{BE}|would\sbe){ADVERBS}\s(?:incorrect|wrong)\b"
    rf"|{BE}\s(?:{NOT_RIGHT})|(?:isn|aren)['’]t\s(?:\w{{1,12}}\s)?(?:correct|right))",
    re.IGNORECASE,
)
RIGHT = re.compile(
    rf"{GLOSS}\s(?:is|are|was|were){ADVERBS}\s(?:correct|right)\b(?!-)(?!,?\sbut\b)"
    rf"|{GLOSS}\s(?:is|are)(?:\stherefore|\sthus|\sclearly)?\sthe\s(?:best\s)?(?:answer|choice|option)",
    re.IGNORECASE,
)
LABEL = r"[\s*_(\[✓✔✅✗✘❌]{0,6}"
WRONG_AT_ONCE = re.compile(rf"{LABEL}(?:not\s(?:correct|right)|incorrect|wrong)\b", re.IGNORECASE)
RIGHT_AT_ONCE = re.compile(rf"{LABEL}(?:correct|right)\b(?!-)", re.IGNORECASE)
JUDGING = re.compile(
    rf"{LABEL}(?:not\s)?(?:in)?(?:correct|right|wrong)(?:\sanswer|\soption|\schoice)?"
    r"(?:[)\]*_]{0,4}\s?[.:,;–—-][*_)]{0,3}|[)\]*_]{1,4}|\s{0,3}$)\s{0,3}(?:because\s)?",
    re.IGNORECASE,
)
BECAUSE = re.compile(
    rf"[*_)\]\"”]{{0,4}}\s{BE}{ADVERBS}\s(?:in)?(?:correct|wrong|right|false|true)\b{NOUNS}"
    r"[*_]{0,3}(?:,?\s(?:because|since)\s(?!of\b)|,?\sas\s(?=(?:it|the|this|that|there)\b)|[:;]\s|\s[–—-]\s|[–—])",
    re.IGNORECASE,
)
PLURAL = re.compile(
    r"\b(?:they|them|their|both|these|those|neither|each|respectively)\b", re.IGNORECASE
)
BEFORE_SUBJECT = re.compile(
    r"[\W_]{0,8}(?:(?:the|both|only|all|of|neither|either|why|not|correct|incorrect|wrong|right|"
    r"best|answers?|options?|choices?|alternatives?|distractors?|responses?|letters?|is|are|"
    r"because|while|whereas|however|therefore|thus|hence|so|finally|similarly|likewise|also|"
    r"meanwhile|conversely|lastly|first|firstly|second|next|additionally|and|but|in|contrast|"
    r"contrary|for|with|regarding|choosing|selecting|picking|you|can|eliminate|eliminating|exclude|rule|out|meaning|consequently)\b[\W_]{1,6}){0,7}",
    re.IGNORECASE,
)
ONLY_NOUN = re.compile(
    r"[\W_]{0,8}(?:the\s)?(?:(?:answers?|options?|choices?|distractors?)[\W_]{1,4}){0,2}",
    re.IGNORECASE,
)
TO_NEXT = re.compile(rf"{JOINT}(?:(?:options?|answers?|choices?)\s)?[*_(\"“]{{0,4}}", re.IGNORECASE)
CUT = re.compile(
    r"(?P<cut>[:;—]\s{1,3}|,\s(?:(?:while|whereas|but|and)\s)?|\s(?:while|whereas)\s)"
    r"(?:the\s)?(?:(?:options?|answers?|choices?)\s)?[*_(\"“]{0,4}$",
    re.IGNORECASE,
)
GOES_ON = re.compile(
    r"[\W_]{0,4}(?:(?:in)?correct|wrong|it|its|this|that|these|such|they|their|instead|here|he|she|because|as\sa\sresult)\b",
    re.IGNORECASE,
)
STANDS_ALONE = re.compile(
    r"[\W_]{0,4}(?:exam|note|tip|remember|overall|in\s(?:summary|short|conclusion|practice)|to\ssum|"
    r"for\sthe\sexam|key|operational|caveat|references?|sources?|the\s(?:other|remaining)|therefore|"
    r"all\s(?:other|the)|why|let['’]s|takeaway|bottom\sline|reference)\b",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"[\W_]{0,4}(?:all\s(?:of\s)?)?(?:the\s)?(?:other|remaining)\s(?:\w{1,9}\s)?"
    r"(?:options|answers|choices|alternatives)\sare\s(?:incorrect|wrong)\b",
    re.IGNORECASE,
)
LETTER_MARK = re.compile(
    r"[*_)\]\"”]{0,4}(?:\s{0,2}(?::|[–—-]{1,2}\s)[*_]{0,3}\s{0,3}|\s(?=\((?:in)?correct|\(wrong))",
    re.IGNORECASE,
)
IS_SUBJECT = re.compile(
    rf"[*_)\]\"”]{{0,4}}(?:{JOINT}(?:options?\s)?[A-H]){{0,7}}[*_)\]\"”]{{0,4}}\s{BE}\s"
)
TWO_WORDS = re.compile(r"\W{0,6}\w{1,99}\W{1,6}\w")
SAYS_MORE = re.compile(
    rf"[*_)\]\"”]{{0,4}}+(?:\s{BE}{ADVERBS}\s(?:in)?(?:correct|wrong|right|best){NOUNS}|\sis\sthe\sanswer)?+\W{{0,6}}\w",
    re.IGNORECASE,
)
DENIED = re.compile(r"\b(?:not|neither|incorrect|wrong)\b", re.IGNORECASE)
RULED_OUT = re.compile(r"\b(?:eliminat|exclud|rule\sout)\w{0,3}\s", re.IGNORECASE)
ANSWER_IS = re.compile(
    r"[\W_]{0,4}(?:the\s)?(?:(?:correct|right|best)\s)?(?:answers?|options?|choices?)\s(?:is|are)\s"
    r"(?:options?\s|choices?\s)?[\W_]{0,4}",
    re.IGNORECASE,
)
SO = re.compile(r"[*_)\]\"”]{0,4},?\s(?:because|since)\s(?!of\b)", re.IGNORECASE)
SIGN = re.compile("[✓✔✅✗✘❌]")
WORD = re.compile(r"\w")
TAIL = re.compile(r"(?:\s?[;,:—]|,?\s(?:while|whereas|but|and))\s{0,4}$")
BULLET = re.compile(r"\s{0,12}(?:[-*+•‣▪]\s{1,4}|\d{1,3}[.)]\s{1,4})?")
MANY_LINES = re.compile(r"\n{3,}")
PLAIN_WORD = re.compile(r"[a-z]+(?![\w./-])")
SAID = re.compile(
    r"(?:answers?|keys?|options?|choices?|(?:in)?correct|right|wrong)\W{0,4}(?:is|are|:|=)\W{0,6}(?:both|only|not)?\W{0,4}$",
    re.IGNORECASE,
)
