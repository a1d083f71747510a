"""QTI 1.2: what Canvas and other systems export becomes drafts; what is left out is told."""

from __future__ import annotations

import base64
import io
import random
import re
import zipfile
from collections import Counter
from html import escape
from pathlib import Path

import pytest

from bank.errors import BadFile
from bank.formats import qti12
from bank.formats.qti12 import looks_like, read
from bank.formats.reading import Draft, DraftOption, Kind, Reading, Source
from tests.shared import FIXTURES, needs_fixtures

PICTURE = b"\x89PNG, as far as this reader cares"


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def folder(name: str) -> Source:
    """A fixture that is an unpacked package, packed."""
    root = FIXTURES / "qti12" / name
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    files = {str(path.relative_to(root)): path.read_bytes() for path in paths}
    return Source(f"{name}.zip", zipped(files))


def reading(*sources: Source, beside: tuple[Source, ...] = ()) -> Reading:
    assert all(looks_like(source) for source in sources)
    return read(sources, beside)


# A small file of our own


def quiz(*items: str, title: str = "Pets", ident: str = "quiz1") -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">'
        f'<assessment ident="{ident}" title="{title}"><section ident="root_section">'
        f"{''.join(items)}</section></assessment></questestinterop>"
    ).encode()


def html(text: str) -> str:
    return f'<material><mattext texttype="text/html">{escape(text)}</mattext></material>'


def plain(text: str) -> str:
    return f'<material><mattext texttype="text/plain">{escape(text)}</mattext></material>'


def scored(inner: str, score: str = "100", shows: str = "") -> str:
    shown = f'<displayfeedback feedbacktype="Response" linkrefid="{shows}"/>' if shows else ""
    change = f'<setvar action="Set" varname="SCORE">{score}</setvar>' if score else ""
    return f"<respcondition><conditionvar>{inner}</conditionvar>{change}{shown}</respcondition>"


def equal(ident: str) -> str:
    return f'<varequal respident="response1">{ident}</varequal>'


def item(
    *conditions: str,
    kind: str = "multiple_choice_question",
    stem: str = html("<p>Which one <b>barks</b>?</p>"),
    options: tuple[str, ...] = ("dog", "cat", "cow"),
    feedback: dict[str, str] | None = None,
    points: str = "1.0",
) -> str:
    labels = "".join(
        f'<response_label ident="{ident}">{plain(ident) if ident[0] != "<" else ident}'
        "</response_label>"
        for ident in options
    )
    cardinality = "Multiple" if kind.startswith("multiple_answers") else "Single"
    said = "".join(
        f'<itemfeedback ident="{ident}"><flow_mat>{html(text)}</flow_mat></itemfeedback>'
        for ident, text in (feedback or {}).items()
    )
    fields = "".join(
        f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{entry}</fieldentry>"
        "</qtimetadatafield>"
        for label, entry in (("question_type", kind), ("points_possible", points))
        if entry
    )
    return (
        f'<item ident="i1" title="Question"><itemmetadata><qtimetadata>{fields}</qtimetadata>'
        f"</itemmetadata><presentation>{stem}"
        f'<response_lid ident="response1" rcardinality="{cardinality}"><render_choice>{labels}'
        "</render_choice></response_lid></presentation>"
        f"<resprocessing>{''.join(conditions)}</resprocessing>{said}</item>"
    )


def only(*items: str) -> Draft:
    (draft,) = reading(Source("q.xml", quiz(*items))).drafts
    return draft


def notes_of(*items: str) -> list[str]:
    return [note.text for note in reading(Source("q.xml", quiz(*items))).notes]


# Keys


def test_a_choice_is_read_whole() -> None:
    draft = only(item(scored(equal("dog"))))
    assert draft.kind is Kind.CHOICE
    assert draft.stem == "Which one **barks**?"
    assert draft.options == (DraftOption("dog", True), DraftOption("cat"), DraftOption("cow"))
    assert draft.category == "Pets"
    assert not draft.missing
    assert str(draft.where) == "q.xml, item 1"


def test_wrong_options_stand_inside_not() -> None:
    condition = f"<and>{equal('dog')}<not>{equal('cat')}</not>{equal('cow')}</and>"
    draft = only(item(scored(condition), kind="multiple_answers_question"))
    assert draft.kind is Kind.MULTIPLE
    assert [option.correct for option in draft.options] == [True, False, True]
    assert not draft.missing


def test_several_answers_may_each_add_to_the_score() -> None:
    scores = {"dog": "50", "cow": "50", "cat": "-50"}
    each = [scored(equal(ident), score).replace("Set", "Add") for ident, score in scores.items()]
    draft = only(item(*each, kind="multiple_answers_question"))
    assert [option.correct for option in draft.options] == [True, False, True]
    assert not draft.missing


def test_part_of_the_points_counts_as_wrong_and_is_told() -> None:
    one = item(scored(equal("dog")), scored(equal("cat"), "50"))
    assert [option.correct for option in only(one).options] == [True, False, False]
    assert notes_of(one) == ["an answer that earns part of the points counts as wrong"]


@pytest.mark.parametrize(
    ("conditions", "missing"),
    [
        ((), "no option is marked as the key"),
        ((scored(equal("dog"), "0"),), "no option is marked as the key"),
        ((scored(equal("bird")),), "the key “bird” is no option"),
        (
            (scored(equal("dog")), scored(equal("cat"))),
            "it takes one answer, but several options count as right",
        ),
        (
            (scored(equal("dog") + f"<not>{equal('dog')}</not>"),),
            "an option is marked both as right and as wrong",
        ),
    ],
)
def test_a_contradiction_is_told_and_not_resolved(
    conditions: tuple[str, ...], missing: str
) -> None:
    assert only(item(*conditions)).missing == (missing,)


def test_two_sets_of_right_answers_are_told() -> None:
    sets = [scored(f"<and>{equal('dog')}{equal(other)}</and>") for other in ("cat", "cow")]
    draft = only(item(*sets, kind="multiple_answers_question"))
    assert draft.missing == ("more than one set of options counts as right",)


def test_two_options_of_one_ident_are_told() -> None:
    draft = only(item(scored(equal("dog")), options=("dog", "cat", "cat")))
    assert "two options have the ident “cat”" in draft.missing


def test_a_kind_is_told_by_structure_where_no_label_names_it() -> None:
    kinds = [
        only(item(scored(equal("True")), kind="", options=("True", "False"))).kind,
        only(item(scored(equal("dog")), kind="")).kind,
        only(item(scored(equal("dog")), kind="").replace("Single", "Multiple")).kind,
    ]
    assert kinds == [Kind.TRUE_FALSE, Kind.CHOICE, Kind.MULTIPLE]


def test_a_score_by_name_is_the_full_one() -> None:
    draft = only(item(scored(equal("cat"), "10"), scored(equal("dog"), "SCORE.max"), kind=""))
    assert [option.correct for option in draft.options] == [True, False, False]


def test_every_other_kind_is_listed_by_name_and_number() -> None:
    kinds = ["essay_question", "matching_question", "file_upload_question", "cc.fib.v0p1", "odd"]
    found = reading(Source("q.xml", quiz(*(item(kind=kind) for kind in kinds))))
    assert not found.drafts
    assert [str(problem) for problem in found.problems] == [
        "q.xml, item 1: essay questions are not supported",
        "q.xml, item 2: matching questions are not supported",
        "q.xml, item 3: file upload questions are not supported",
        "q.xml, item 4: fib questions are not supported",
        "q.xml, item 5: odd questions are not supported",
    ]
    assert [problem.kind for problem in found.problems][:2] == ["essay", "matching"]


# Feedback


def test_feedback_goes_where_it_is_shown() -> None:
    one = item(
        scored("<other/>", "", "general_fb"),
        scored(equal("cat"), "", "cat_says"),
        scored(equal("dog"), "100", "correct_fb"),
        scored("<other/>", "", "general_incorrect_fb"),
        feedback={
            "general_fb": "<p>Dogs {bark}.</p>",
            "cat_says": "Cats meow, option A does not.",
            "correct_fb": "Well heard.",
            "general_incorrect_fb": "Listen again.",
        },
    )
    draft = only(one)
    assert draft.full == "Dogs {bark}."
    assert [option.rationale for option in draft.options] == [
        "Well heard.",
        "Cats meow, option {a} does not.",
        "Listen again.",
    ]
    assert notes_of(one) == []


def test_feedback_for_all_who_are_right_or_wrong_yields_to_an_options_own() -> None:
    one = item(
        *(scored(equal(ident), "", f"{ident}_fb") for ident in ("dog", "cat", "cow")),
        scored(equal("dog"), "100", "correct_fb"),
        scored("<other/>", "", "general_incorrect_fb"),
        feedback={
            **{f"{ident}_fb": f"A {ident}." for ident in ("dog", "cat", "cow")},
            "correct_fb": "Well heard.",
            "general_incorrect_fb": "Listen again.",
        },
    )
    draft = only(one)
    assert [option.rationale for option in draft.options] == ["A dog.", "A cat.", "A cow."]
    assert draft.full == "Well heard."
    assert notes_of(one) == ["the feedback for wrong answers was left out: each has its own"]


def test_feedback_that_nothing_shows_is_found_by_its_name_or_told() -> None:
    texts = {"general_fb": "In general.", "cat_fb": "A cat.", "lost": "Nobody reads this."}
    one = item(scored(equal("dog")), feedback=texts)
    assert only(one).full == "In general."
    assert only(one).options[1].rationale == "A cat."
    assert notes_of(one) == ["feedback that no answer shows was left out"]


# Text


def test_a_literal_reference_is_none() -> None:
    one = item(scored(equal("dog")), stem=html("What is {a} in f-strings?"), options=("dog", "{b}"))
    assert only(one).stem == r"What is \{a} in f-strings?"
    assert only(one).options[1].text == r"\{b}"


def test_plain_text_stays_what_it_is() -> None:
    draft = only(item(scored(equal("a")), stem=plain("Which *tag* is <b>?"), options=("a", "b")))
    assert draft.stem == r"Which \*tag\* is \<b>?"


def test_options_that_were_left_empty_are_left_out() -> None:
    labels = '<response_label ident="x"></response_label><response_label'
    empty = item(scored(equal("dog"))).replace("<response_label", labels, 1)
    assert [option.text for option in only(empty).options] == ["dog", "cat", "cow"]
    assert notes_of(empty) == ["an empty option was left out"]


def test_points_that_differ_are_told_once() -> None:
    items = [item(scored(equal("dog")), points=points) for points in ("1.0", "2.0", "3.0")]
    assert notes_of(*items) == ["questions give different points; here each counts alike"]
    assert notes_of(items[0], items[0]) == []


# Pictures


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("$IMS-CC-FILEBASE$/my%20dog.png", "web_resources/my dog.png"),
        ("$IMS-CC-FILEBASE$/media/dog.png?canvas_=1&amp;x=2", "web_resources/media/dog.png"),
        ("%24IMS-CC-FILEBASE%24/media/dog.png", "media/dog.png"),
        ("$IMS_CC_FILEBASE$/../dog.png", "web_resources/dog.png"),
        ("dog.png", "quiz/dog.png"),
        ("../media/d%C3%B6g.png", "media/dög.png"),
        ("../../../media/dog.png", "media/dog.png"),
        ("media/dog.png", "pack/media/dog.png"),
        ("lost/dog.png", "elsewhere/dog.png"),
    ],
)
def test_a_picture_is_found_by_each_way_it_is_named(address: str, path: str) -> None:
    stem = html(f'<p>Who?</p><img src="{address}" alt="A dog">')
    files = {"quiz/quiz.xml": quiz(item(scored(equal("dog")), stem=stem)), path: PICTURE}
    (draft,) = reading(Source("pack.zip", zipped(files))).drafts
    assert draft.exhibit is not None
    assert draft.exhibit.data == PICTURE
    assert draft.exhibit.alt == "A dog"
    assert draft.exhibit.name == path.rpartition("/")[2]
    assert draft.stem == "Who?"


def test_a_picture_beside_a_file_or_in_its_own_address_is_found() -> None:
    for address in ("dog.png", f"data:image/png;base64,{base64.b64encode(PICTURE).decode()}"):
        one = item(scored(equal("dog")), stem=html(f'Who? <img src="{address}">'))
        beside = (Source("dog.png", PICTURE),)
        (draft,) = reading(Source("q.xml", quiz(one)), beside=beside).drafts
        assert draft.exhibit is not None
        assert draft.exhibit.data == PICTURE


@pytest.mark.parametrize(
    "address", ["https://example.org/dog.png", "//example.org/dog.png", "cat.png", "data:x", ".."]
)
def test_a_picture_of_the_stem_that_is_absent_keeps_the_question_back(address: str) -> None:
    draft = only(item(scored(equal("dog")), stem=html(f'Who? <img src="{address}">')))
    assert draft.missing == (f"the picture of the stem, “{address}”, did not come along",)


def test_a_picture_of_feedback_stands_with_the_explanation() -> None:
    shown = '<img src="dog.png"><img src="cat.png">'
    files = {
        "q.xml": quiz(item(scored(equal("dog")), feedback={"general_fb": shown})),
        "dog.png": PICTURE,
        "cat.png": b"cat",
    }
    found = reading(Source("pack.zip", zipped(files)))
    assert found.drafts[0].image is not None
    assert found.drafts[0].image.data == PICTURE
    assert [note.text for note in found.notes] == ["another picture of the feedback was left out"]


def test_an_option_that_is_a_picture_keeps_the_question_back() -> None:
    label = '<material><matimage uri="dog.png"/></material>'
    one = item(scored(equal("dog"))).replace(plain("dog"), label)
    assert only(one).missing == ("an option is a picture, which no button can show",)


# Packages


@pytest.mark.parametrize("first", ["thin.xml", "full.xml.qti"])
def test_a_quiz_that_stands_twice_is_read_from_its_fuller_copy(first: str) -> None:
    copies = {
        "thin.xml": quiz(item(scored(equal("dog")))),
        "full.xml.qti": quiz(item(scored(equal("dog"))), item(kind="essay_question")),
    }
    files = dict(sorted(copies.items(), key=lambda each: each[0] != first))
    found = reading(Source("pack.zip", zipped(files)))
    assert (len(found.drafts), len(found.problems)) == (1, 1)
    assert [str(note) for note in found.notes] == [
        "pack.zip: “Pets” stands twice: it was read from “full.xml.qti”, which has more, "
        "not from “thin.xml”"
    ]


def test_quizzes_of_one_title_are_two_when_their_idents_differ() -> None:
    one, two = (quiz(item(scored(equal("dog"))), ident=ident) for ident in ("q1", "q2"))
    assert len(reading(Source("p.zip", zipped({"1.xml": one, "2.xml": two}))).drafts) == 2


def test_a_question_bank_is_read_and_named() -> None:
    bank = (
        "<questestinterop><objectbank ident='b1'><qtimetadata><qtimetadatafield>"
        "<fieldlabel>bank_title</fieldlabel><fieldentry>Pets / farm</fieldentry>"
        f"</qtimetadatafield></qtimetadata>{item(scored(equal('dog')))}</objectbank>"
        "</questestinterop>"
    ).encode()
    (draft,) = reading(Source("bank.xml", bank)).drafts
    assert draft.category == "Pets - farm"


def test_groups_are_narrower_categories_and_a_bank_that_is_absent_is_told() -> None:
    group = (
        "<section ident='g1' title='Farm'><selection_ordering><selection>"
        "<sourcebank_ref>b7</sourcebank_ref></selection></selection_ordering>"
        f"{item(scored(equal('dog')))}</section>"
    )
    found = reading(Source("q.xml", quiz(group)))
    assert found.drafts[0].category == "Pets/Farm"
    assert [note.text for note in found.notes] == [
        "it draws questions from a bank that did not come along, “b7”"
    ]


def test_qti_2_is_refused_with_a_sentence() -> None:
    text = b"<assessmentItem xmlns='http://www.imsglobal.org/xsd/imsqti_v2p1'/>"
    manifest = b"<manifest><resource type='imsqti_item_xmlv2p1'/></manifest>"
    packed = zipped({"imsmanifest.xml": manifest, "item.xml": text})
    for source in (Source("new.xml", text), Source("new.zip", packed)):
        assert looks_like(source)
        with pytest.raises(BadFile, match=r"is QTI 2, and I read QTI 1\.2 alone"):
            read([source], [])


def test_what_is_no_qti_is_not_taken_for_it() -> None:
    assert not looks_like(Source("q.xml", b"<quiz><question/></quiz>"))
    assert not looks_like(Source("q.txt", b"questestinterop"))
    assert not looks_like(Source("q.zip", zipped({"a.xml": b"<quiz/>", "b.txt": b""})))
    assert not looks_like(Source("q.zip", b"PK\x03\x04damaged"))
    with pytest.raises(BadFile, match="holds no questions in QTI"):
        read([Source("q.zip", zipped({"a.xml": b"<quiz/>"}))], [])


def test_more_options_than_a_question_can_have_are_a_problem() -> None:
    many = item(options=tuple(f"o{number}" for number in range(51)))
    (problem,) = reading(Source("q.xml", quiz(many))).problems
    assert problem.text == "it has 51 options, which no question can have"


def test_packages_share_one_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qti12, "MOST_UNPACKED", 5_000)
    packed = Source("p.zip", zipped({"q.xml": quiz(item(scored(equal("dog")))), "x": bytes(2_000)}))
    assert read([packed], []).drafts
    with pytest.raises(BadFile, match="too much"):
        read([packed, packed], [])


# Real files


@needs_fixtures
@pytest.mark.parametrize(
    ("name", "drafts", "problems"),
    [
        (
            "all_canvas_simple_1.2.xml",
            [Kind.CHOICE, Kind.TRUE_FALSE, Kind.MULTIPLE],
            [
                "short answer",
                "fill in multiple blanks",
                "multiple dropdowns",
                "matching",
                "numerical",
                "calculated",
                "essay",
            ],
        ),
        ("feedback_quiz_1.2.xml", [Kind.TRUE_FALSE, Kind.TRUE_FALSE], ["essay"]),
        (
            "csev",
            [Kind.CHOICE, Kind.CHOICE, Kind.TRUE_FALSE],
            ["short answer", "numerical", "essay"],
        ),
        ("test_qti_1.2_canvas_extended_1", [], []),
        ("test_qti_1.2_multi", [], ["essay", "essay"]),
    ],
)
def test_every_item_of_a_real_file_is_a_draft_or_listed(
    name: str, drafts: list[Kind], problems: list[str]
) -> None:
    path = FIXTURES / "qti12" / name
    found = reading(folder(name) if path.is_dir() else Source(name, path.read_bytes()))
    assert [draft.kind for draft in found.drafts] == drafts
    assert Counter(problem.kind for problem in found.problems) == Counter(problems)
    assert not any(draft.missing for draft in found.drafts)


@needs_fixtures
def test_the_keys_and_reasons_of_a_real_file_are_where_they_belong() -> None:
    name = "all_canvas_simple_1.2.xml"
    choice, truth, several = reading(Source(name, (FIXTURES / "qti12" / name).read_bytes())).drafts
    assert [option.text for option in choice.options if option.correct] == ["C"]
    assert [option.text for option in truth.options if option.correct] == ["True"]
    assert "".join(option.text for option in several.options) == "ABCDEF"
    assert "".join(option.text for option in several.options if option.correct) == "ABC"
    for option in choice.options:
        verdict = "correct" if option.correct else "incorrect"
        assert option.rationale == f"Answer feedback for {option.text}, {verdict}"
    assert choice.full.startswith("Item Feedback, Neutral")


# Damage


def test_a_damaged_file_ends_in_drafts_or_a_sentence() -> None:
    rng = random.Random(3)
    condition = f"<and>{equal('dog')}<not>{equal('cat')}</not>{equal('cow')}</and>"
    whole = quiz(
        item(scored(equal("dog"), "100", "correct_fb"), feedback={"correct_fb": "<p>Yes</p>"}),
        item(scored(condition), kind="multiple_answers_question"),
        item(kind="essay_question"),
    )
    outcomes = Counter(outcome(damaged(rng, whole)) for _ in range(1500))
    assert outcomes["read"] > 100
    assert outcomes["empty"] > 10
    assert outcomes["refused"] > 100


def damaged(rng: random.Random, whole: bytes) -> Source:
    """Words exchanged throughout, which leaves the XML sound, or bytes lost and found."""
    if rng.random() < 0.6:
        words = sorted(set(re.findall(rb"[A-Za-z_0-9]{2,}", whole)))
        for _ in range(rng.randint(1, 3)):
            whole = whole.replace(
                rng.choice(words), rng.choice([*words, b"", b"&lt;img src=x&gt;"])
            )
        return Source("q.xml", whole)
    data = bytearray(whole)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data))
        pieces = (b"<item>", b"<not>", b"\xff", b"&amp;", b"<!--", b"", b"\r\n", b"]]>", b"\x00")
        data[at : at + rng.choice((0, 1, 8, 40))] = rng.choice(pieces)
    return Source("q.xml", bytes(data))


def outcome(source: Source) -> str:
    try:
        found = read([source], [])
    except BadFile as refused:
        assert refused.sentence.startswith("“q.xml”")  # noqa: PT017
        return "refused"
    return "read" if found.drafts or found.problems else "empty"


@needs_fixtures
def test_encodings_and_line_ends_change_nothing() -> None:
    path = Path(FIXTURES / "qti12" / "feedback_quiz_1.2.xml")
    text = path.read_text(encoding="utf-8")
    expected = read([Source("q.xml", text.encode())], [])
    utf16 = text.replace('encoding="UTF-8"', 'encoding="UTF-16"')
    for data in (
        text.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + text.encode(),
        utf16.encode("utf-16"),
    ):
        assert reading(Source("q.xml", data)) == expected
