"""The list of rules, each with the guideline that it follows. The words for an author stand here.

H followed by a number is one of the 31 guidelines of Haladyna, Downing & Rodriguez (2002), “A
Review of Multiple-Choice Item-Writing Guidelines for Classroom Assessment”, Applied Measurement in
Education 15(3), 309-334. NBME is a flaw that the National Board of Medical Examiners' guide,
“Constructing Written Test Questions”, names. Where neither speaks of it, quizdrop's own habit does.
"""

from __future__ import annotations

from bank.lint import balance, cues, explanations, options, sizes, stems, twins, upkeep
from bank.lint.findings import Rule, Severity

GUIDES = (
    "H: Haladyna, Downing & Rodriguez (2002), A Review of Multiple-Choice Item-Writing Guidelines "
    "for Classroom Assessment, Applied Measurement in Education 15(3), 309-334, by guideline.",
    "NBME: National Board of Medical Examiners, Constructing Written Test Questions, item flaws.",
)

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

IDLE_WAIVER = Rule(
    "idle-waiver",
    _WARNING,
    "A waiver names a rule that it silences, and says why.",
    "quizdrop",
)

RULES: tuple[Rule, ...] = (
    # What misleads a member.
    Rule(
        "same-options",
        _ERROR,
        "No two options say the same, whatever their case, spacing and marks.",
        "H22",
        options.same_options,
    ),
    Rule(
        "contradicted-key",
        _ERROR,
        "No explanation calls the key wrong or a distractor right.",
        "H19",
        explanations.contradicted_key,
        english=True,
    ),
    Rule(
        "named-letter",
        _ERROR,
        "Texts point at options by {a}, {b} …, never by a letter: drops shuffle.",
        "quizdrop",
        explanations.named_letter,
    ),
    Rule(
        "over-long",
        _ERROR,
        "Stem and options fit one message, as Discord counts.",
        "H13; NBME, long options",
        of_deck=sizes.over_long,
    ),
    # Stems.
    Rule(
        "negative-stem",
        _WARNING,
        "A stem asks for what is so; a not or except that must be stands out.",
        "H17; NBME, negatively phrased items",
        stems.negative_stem,
        english=True,
    ),
    Rule(
        "needs-options",
        _WARNING,
        "A stem asks something by itself, with the options covered.",
        "H15; NBME, cover the options",
        stems.needs_options,
        english=True,
    ),
    Rule(
        "no-question",
        _WARNING,
        "A stem ends in a question, an instruction or a gap.",
        "H14",
        stems.no_question,
        english=True,
    ),
    Rule(
        "unfocused-stem",
        _NOTE,
        "A stem asks more than which statement about a subject is true.",
        "H15; NBME, cover the options",
        stems.unfocused_stem,
        english=True,
    ),
    Rule(
        "twin-stems",
        _WARNING,
        "No two questions of a deck ask the same.",
        "H4",
        of_deck=twins.twin_stems,
    ),
    # Options.
    Rule(
        "all-or-none",
        _WARNING,
        "No option is “all of the above”; “none of the above” only with a reason.",
        "H25, H26; NBME, none of the above",
        options.all_or_none,
        english=True,
    ),
    Rule(
        "combined-options",
        _WARNING,
        "No option is made of others, such as “both {a} and {b}”.",
        "H9, H22",
        options.combined_options,
    ),
    Rule(
        "key-stands-out",
        _WARNING,
        "The key is about as long as the distractors.",
        "H24, H28d; NBME, long correct answer",
        options.stands_out,
    ),
    Rule(
        "option-stands-out",
        _NOTE,
        "Each distractor is about as long as the other options.",
        "H24",
        options.distractor_stands_out,
    ),
    Rule(
        "unordered-numbers",
        _NOTE,
        "Numbers stand in order in the file.",
        "H21; NBME, nonlogical order",
        options.unordered_numbers,
    ),
    Rule(
        "repeated-opening",
        _NOTE,
        "Words that open every option stand in the stem once.",
        "H13, H15",
        options.repeated_opening,
    ),
    Rule(
        "vague-terms",
        _NOTE,
        "Options say how often, not “usually”.",
        "NBME, vague terms",
        options.vague_terms,
        english=True,
    ),
    # Cues.
    Rule(
        "grammar-cue",
        _WARNING,
        "Every option follows from the stem's last word, be it a, an, is or are.",
        "H28c; NBME, grammatical cues",
        cues.grammar_cue,
        english=True,
    ),
    Rule(
        "absolute-terms",
        _WARNING,
        "“Always”, “never” and their kin do not stand in distractors alone.",
        "H28a; NBME, absolute terms",
        cues.absolute_terms,
        english=True,
    ),
    Rule(
        "only-in-distractors",
        _NOTE,
        "“Only” does not stand in several distractors and in no key.",
        "H28a; NBME, absolute terms",
        cues.only_in_distractors,
        english=True,
    ),
    Rule(
        "clang",
        _NOTE,
        "No rare word stands in the stem and in the key alone.",
        "H28b; NBME, word repeats",
        of_deck=cues.clang,
        english=True,
    ),
    # Explanations.
    Rule(
        "bare-distractor",
        _WARNING,
        "Each distractor says why it is tempting and wrong.",
        "H30",
        options.bare_distractors,
    ),
    Rule(
        "bare-key",
        _WARNING,
        "The key says why it is right.",
        "quizdrop",
        options.bare_key,
    ),
    Rule(
        "no-misconception",
        _NOTE,
        "Each distractor names the error that leads to it.",
        "H30",
        options.no_misconception,
    ),
    Rule(
        "no-short",
        _WARNING,
        "There is a short explanation.",
        "quizdrop",
        explanations.no_short,
    ),
    Rule(
        "no-full",
        _NOTE,
        "There is a full explanation.",
        "quizdrop",
        explanations.no_full,
    ),
    Rule(
        "over-long-answer",
        _WARNING,
        "The reveal and the private answer fit one message each.",
        "quizdrop",
        of_deck=sizes.over_long_answer,
    ),
    # Upkeep.
    Rule(
        "no-domain",
        _WARNING,
        "A question has a domain of the deck's blueprint.",
        "H1",
        upkeep.no_domain,
    ),
    Rule(
        "no-source",
        _WARNING,
        "A question names a source for its facts.",
        "quizdrop",
        upkeep.no_source,
    ),
    Rule(
        "no-alt",
        _WARNING,
        "A picture has a text for those who cannot see it.",
        "WCAG 2.2, 1.1.1",
        upkeep.no_alt,
    ),
    Rule(
        "expired",
        _WARNING,
        "A question's facts are looked at again before it expires.",
        "quizdrop",
        of_deck=upkeep.expired,
    ),
    # The deck as a whole.
    Rule(
        "key-longest",
        _WARNING,
        "The key is not the longest option in more than 40 % of a deck.",
        "H24, H28d; NBME, long correct answer",
        of_deck=balance.key_longest,
    ),
    Rule(
        "key-rarely-longest",
        _WARNING,
        "The key is the longest option now and then: never is a cue too.",
        "H24",
        of_deck=balance.key_rarely_longest,
    ),
    Rule(
        "key-place",
        _WARNING,
        "The key stands at no place of the file in more than 35 % of a deck.",
        "H20",
        of_deck=balance.key_place,
    ),
    IDLE_WAIVER,
)
