"""Whatever is brought, in any format and however damaged, ends in a report or in a sentence.

The files that stand beside the repository are held to the table in bank/formats/README.md.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from random import Random

import openpyxl
import pytest

from bank.decks import load_deck
from bank.errors import QuizError
from bank.exporting import export
from bank.formats.reading import MOST_BYTES, Source
from bank.formats.titles import READ, WRITTEN
from bank.importing.bring import bring
from bank.importing.fitting import fitted
from bank.importing.gathering import Gathered, gather
from bank.importing.report import Wish
from bank.models import Deck
from bot.cli.files import sources_of
from bot.settings import shipped_decks
from tests.samples import NOW
from tests.shared import FIXTURES, needs_fixtures

SHIPPED = shipped_decks() / "nca-aiio"
README = Path(__file__).parent.parent / "bank" / "formats" / "README.md"
SECONDS = 10.0  # of processor time, for ten megabytes

AIKEN = "When does water boil?\nA. At 100 °C\nB. At 50 °C\nANSWER: A\n\n"
OPENTDB = (
    '{"response_code":0,"results":[{"type":"boolean","difficulty":"easy","category":"Tea &amp; co",'
    '"question":"Is tea &quot;hot&quot;?","correct_answer":"True","incorrect_answers":["False"]}]}'
)
MARKDOWN = """\
# Tea exam

## Question 1

What is hot?

- A. Tea, as in `print("{a}")`
- B. Ice

<details><summary>Answer</summary>

Correct answer: A

Option B is incorrect because ice is cold.
</details>

"""
PAGE = """\
Which drink is hot?
A. Tea
B. Ice water
C. Both A and B
Select an answer to reveal the explanation.
Answer: A
Short Explanation
Tea is made with boiling wa-
ter.
Full Explanation
Option A is correct because tea is boiled. Options B and C are incorrect because ice is cold.
Prefer to study offline? Printable PDF study book.

"""
QTI = """\
<?xml version="1.0"?>
<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<assessment ident="a" title="Tea">
<section ident="root"><item ident="q1" title="Hot"><itemmetadata><qtimetadata><qtimetadatafield>
<fieldlabel>question_type</fieldlabel><fieldentry>multiple_choice_question</fieldentry>
</qtimetadatafield></qtimetadata></itemmetadata><presentation><material>
<mattext texttype="text/html">&lt;p&gt;What is hot?&lt;/p&gt;</mattext></material>
<response_lid ident="r" rcardinality="Single"><render_choice>
<response_label ident="1"><material><mattext>Tea</mattext></material></response_label>
<response_label ident="2"><material><mattext>Ice</mattext></material></response_label>
</render_choice></response_lid></presentation><resprocessing><outcomes>
<decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
<respcondition continue="No"><conditionvar><varequal respident="r">1</varequal></conditionvar>
<setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing></item>
</section></assessment></questestinterop>
"""


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["Question", "Answer 1", "Answer 2", "Correct answer(s)"])
    book.active.append(["What is hot?", "Tea", "Ice", 1])
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _part() -> Deck:
    """A dozen questions of the shipped deck, one of them with a picture."""
    deck = load_deck(SHIPPED)
    plain = [question for question in deck.questions if not question.image][:11]
    shown = next(question for question in deck.questions if question.image)
    return deck.model_copy(update={"questions": (*plain, shown)})


def _written(deck: Deck, name: str) -> Source:
    written = export(deck, SHIPPED, name)
    return Source(written.name, written.data)


PART = _part()


SAMPLES: dict[str, Source] = {
    **{name: _written(PART, name) for name in WRITTEN},
    "aiken": Source("tea.txt", AIKEN.encode()),
    "opentdb": Source("tea.json", OPENTDB.encode()),
    "markdown": Source("tea.md", MARKDOWN.encode()),
    "text": Source("tea.txt", PAGE.encode()),
    "qti": Source("tea.xml", QTI.encode()),
    "spreadsheet": Source("tea.xlsx", _workbook()),
}


def test_there_is_a_sample_of_each_format() -> None:
    assert SAMPLES.keys() == READ.keys()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_format_is_recognised_by_its_content_under_any_name(name: str) -> None:
    source = Source("something.dat", SAMPLES[name].data)
    found = gather([source])
    assert set(found.formats.values()) == {READ[name]}
    assert found.drafts
    assert found.problems == ()


# There and back


@pytest.mark.parametrize("name", WRITTEN)
def test_a_deck_that_goes_out_comes_back_equal(name: str, tmp_path: Path) -> None:
    deck = load_deck(SHIPPED)
    report = bring([_written(deck, name)], Wish(deck="nca-aiio"), tmp_path / "nca-aiio", NOW.date())
    assert report.done
    back = load_deck(tmp_path / "nca-aiio")
    kept = {"image": None} if name == "gift" else {}  # GIFT has no pictures, and says so
    meant = [question.model_copy(update=kept) for question in deck.questions]
    assert sorted(back.questions, key=lambda q: q.slug) == sorted(meant, key=lambda q: q.slug)
    for question in back.questions:
        if question.image:
            path = question.image.path
            assert (tmp_path / "nca-aiio" / path).read_bytes() == (SHIPPED / path).read_bytes()


# Damage


_SIGNS = [b"{", b"~", b"<", b"```", b"\0", b'"', b"\\"]


def _damaged(data: bytes, rng: Random) -> bytes:
    """The bytes after one to four accidents."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        length = rng.choice([1, 2, 8, 60, 400])
        data = rng.choice(
            [
                lambda d, at=at, n=length: d[:at] + d[at + n :],
                lambda d, at=at, n=length: d[:at] + d[at : at + n] * 3 + d[at + n :],
                lambda d, at=at, n=length: d[:at] + rng.randbytes(min(n, 8)) + d[at + n :],
                lambda d, at=at: d[:at],
                lambda d, at=at: d[at:] + d[:at],
                lambda d, at=at: (
                    d[:at] + rng.choice([b"{", b"~", b"<", b"```", b"\0", b'"']) + d[at:]
                ),
                lambda d: d.replace(b"\n", b"\r\n"),
                lambda d: d.replace(b"\n", b"\r"),
                lambda d: b"\xef\xbb\xbf" + d,
                lambda d: d.decode("latin-1").encode("utf-16"),
                lambda d: d.decode("utf-8", "ignore").encode("cp1252", "ignore"),
            ]
        )(data)
    return data


def _told(folder: Path, source: Source) -> str:
    """What an import of the file says in its first sentence; nothing is written."""
    wish = Wish(deck="trial", keep_good=True, trial=True)
    started = time.process_time()
    try:
        sentence = bring([source], wish, folder / "trial", NOW.date()).headline()
    except QuizError as refusal:
        sentence = refusal.sentence
    assert time.process_time() - started < SECONDS
    assert list(folder.iterdir()) == []
    return sentence


def _seconds(source: Source, as_format: str | None = None) -> float:
    """The processor time that it takes to read a file, or to refuse it in a sentence."""
    started = time.process_time()
    with suppress(QuizError):
        gather([source], as_format=as_format)
    return time.process_time() - started


@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files_end_in_a_report_or_a_sentence(name: str, tmp_path: Path) -> None:
    rng = Random(f"damage {name}")
    whole = SAMPLES[name].data
    # Of a long file its first part shows as much in less time; a packed one has no parts.
    start = whole if whole.startswith(b"PK") else whole[:6000]
    for _ in range(12 if start.startswith(b"PK") else 40):
        damaged = _damaged(start, rng)
        assert _told(tmp_path, Source(SAMPLES[name].name, damaged)).endswith(".")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_may_be_read_as_any_other_format(name: str) -> None:
    source = Source(SAMPLES[name].name, SAMPLES[name].data[:20_000])
    assert max(_seconds(source, other) for other in READ) < SECONDS


# What stands around the questions of a file, and so is not repeated: its end, and its beginning.
AROUND = {
    "moodle-xml": (b"<quiz>", b"</quiz>"),
    "qti": (b'<section ident="root">', b"</section>"),
    "opentdb": (b'"results":[', b"]}"),
    "csv": (b"\n", b""),
}
REPEATED = [name for name in SAMPLES if SAMPLES[name].data[:2] != b"PK"]
# So that questions are as long as those of real files, and no more than a file may hold.
FILLING = b" Somebody asks for a drink on a cold day, and there are only these." * 30


def _large(name: str, size: int = MOST_BYTES) -> bytes:
    """A file of nearly that size in a format: the sample's questions again and again."""
    begins, ends = AROUND.get(name, (b"", b""))
    data = SAMPLES[name].data
    start = data.index(begins) + len(begins)
    end = data.rindex(ends) if ends else len(data)
    questions, between = data[start:end], b"," if name == "opentdb" else b""
    if len(questions) < 2000:
        questions = questions.replace(b"?", FILLING + b"?", 1)
    times = (size - len(data)) // (len(questions) + len(between))
    return data[:start] + between.join([questions] * times) + data[end:]


@pytest.mark.parametrize("name", REPEATED)
def test_ten_megabytes_are_read_or_refused_in_ten_seconds(name: str) -> None:
    large = _large(name)
    assert 0.9 * MOST_BYTES < len(large) <= MOST_BYTES
    assert _seconds(Source(SAMPLES[name].name, large)) < SECONDS


@pytest.mark.parametrize("name", REPEATED)
def test_what_is_read_in_that_time_is_read_to_the_end(name: str) -> None:
    large = _large(name, size=MOST_BYTES // 8)
    found = gather([Source(SAMPLES[name].name, large)])
    assert found.problems == ()
    assert len(found.drafts) >= 40


def test_more_than_ten_megabytes_are_refused() -> None:
    found = gather([Source("large.txt", b"x" * (MOST_BYTES + 1))])
    assert [problem.text for problem in found.problems] == [
        "“large.txt” is larger than 10 MB. Bring it in parts."
    ]


# The files beside the repository


def _table() -> list[tuple[str, ...]]:
    """The rows of the README's table: files, format, and the counts as they stand."""
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \|$", README.read_text(), re.MULTILINE)
    return [(name, *(cell.strip() for cell in rest.split("|"))) for name, rest in rows]


def row_of(names: str) -> tuple[str, ...]:
    """What a row of the table says of one file, or of several that belong together."""
    paths = [FIXTURES / name for name in names.split(" + ")]
    found = gather(sources_of(paths))
    kinds = Counter(str(draft.kind) for draft in found.drafts)
    whole = [not fitted(draft)[0].missing for draft in found.drafts]
    return (
        names,
        ", ".join(sorted(set(found.formats.values()))),
        _listed(kinds),
        str(sum(whole)),
        str(len(whole) - sum(whole)) if not all(whole) else "",
        _listed(_refused(found)),
    )


def _refused(found: Gathered) -> Counter[str]:
    return Counter(problem.kind or "with a mistake" for problem in found.problems)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))


@needs_fixtures
def test_every_file_beside_the_repository_has_its_row() -> None:
    named = {name for row in _table() for name in row[0].split(" + ")}
    there = {
        f"{folder.name}/{path.name}"
        for folder in FIXTURES.iterdir()
        if folder.is_dir()
        for path in folder.iterdir()
        if path.name != "expected"
    }
    assert named == there


@needs_fixtures
@pytest.mark.parametrize("row", _table(), ids=lambda row: row[0])
def test_the_table_says_what_is_found(row: tuple[str, ...]) -> None:
    assert row == row_of(row[0])
