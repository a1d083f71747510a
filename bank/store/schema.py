"""The tables, as migrations. A migration that has been released is never edited, only followed.

Constraints hold what the rules promise, so that no bug and no second process can break them.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("quizdrop")

_TABLES = (
    # A group has one zone: all its schedules mean the same wall clock.
    """
    CREATE TABLE groups (
        id   TEXT PRIMARY KEY,
        zone TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # The text of every question that was dropped, by content: a drop keeps the version it posted,
    # whatever becomes of the file.
    """
    CREATE TABLE questions (
        version TEXT PRIMARY KEY,
        id      TEXT NOT NULL,
        body    TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE schedules (
        id            INTEGER PRIMARY KEY AUTOINCREMENT,
        group_id      TEXT NOT NULL REFERENCES groups(id),
        deck          TEXT NOT NULL,
        room          TEXT NOT NULL,
        times         TEXT NOT NULL,
        weekdays      TEXT NOT NULL,
        open_minutes  INTEGER NOT NULL CHECK (open_minutes > 0),
        explain       TEXT NOT NULL,
        role          TEXT,
        paused        INTEGER NOT NULL DEFAULT 0,
        problem       TEXT,
        settled_until TEXT NOT NULL
    )
    """,
    "CREATE INDEX schedules_of_group ON schedules(group_id)",
    # Question days: one row per local date on which a drop was really posted. The number runs
    # without gaps, so that a gap in a member's days is a missed day and nothing else.
    """
    CREATE TABLE days (
        group_id TEXT NOT NULL REFERENCES groups(id),
        number   INTEGER NOT NULL,
        date     TEXT NOT NULL,
        PRIMARY KEY (group_id, number),
        UNIQUE (group_id, date)
    ) WITHOUT ROWID
    """,
    # One drop per slot: the claim is this row, and UNIQUE makes it one. AUTOINCREMENT, because an
    # id stands in the buttons of old messages and must never be given twice.
    """
    CREATE TABLE drops (
        id         INTEGER PRIMARY KEY AUTOINCREMENT,
        number     INTEGER NOT NULL,
        schedule   INTEGER REFERENCES schedules(id) ON DELETE SET NULL,
        group_id   TEXT NOT NULL REFERENCES groups(id),
        room       TEXT NOT NULL,
        deck       TEXT NOT NULL,
        question   TEXT NOT NULL,
        version    TEXT NOT NULL REFERENCES questions(version),
        "order"    TEXT NOT NULL,
        seed       INTEGER NOT NULL,
        slot       TEXT NOT NULL,
        claimed_at TEXT NOT NULL,
        closes_at  TEXT NOT NULL,
        explain    TEXT NOT NULL,
        role       TEXT,
        state      TEXT NOT NULL
                   CHECK (state IN ('claimed', 'posted', 'closed', 'revealed', 'missed')),
        message    TEXT,
        day        INTEGER,
        UNIQUE (schedule, slot),
        UNIQUE (group_id, number),
        FOREIGN KEY (group_id, day) REFERENCES days(group_id, number),
        CHECK (state IN ('claimed', 'missed') OR (message IS NOT NULL AND day IS NOT NULL))
    )
    """,
    # Slots that passed their grace before anyone could claim them: nobody pays for them, and the
    # record says why a day has no drop.
    """
    CREATE TABLE missed_slots (
        schedule INTEGER NOT NULL REFERENCES schedules(id) ON DELETE CASCADE,
        slot     TEXT NOT NULL,
        PRIMARY KEY (schedule, slot)
    ) WITHOUT ROWID
    """,
    # The drops that still ask for something, few among many.
    """
    CREATE INDEX drops_under_way ON drops(closes_at)
        WHERE state IN ('claimed', 'posted', 'closed')
    """,
    "CREATE INDEX drops_of_group ON drops(group_id, day)",
    "CREATE INDEX drops_by_message ON drops(message)",
    # One answer: the first one stands, by the primary key. There is no index by member: each answer
    # would pay for it with one more page to sync, and a member's answers are found through the
    # group's drops.
    """
    CREATE TABLE answers (
        drop_id  INTEGER NOT NULL REFERENCES drops(id),
        member   TEXT NOT NULL,
        option   INTEGER NOT NULL,
        at       TEXT NOT NULL,
        PRIMARY KEY (drop_id, member)
    ) WITHOUT ROWID
    """,
    # Always equal to a rebuild from answers and days; kept so that a board of thousands is quick.
    """
    CREATE TABLE streaks (
        group_id TEXT NOT NULL REFERENCES groups(id),
        member   TEXT NOT NULL,
        length   INTEGER NOT NULL,
        best     INTEGER NOT NULL,
        freezes  INTEGER NOT NULL CHECK (freezes BETWEEN 0 AND 2),
        run      INTEGER NOT NULL CHECK (run BETWEEN 0 AND 6),
        last_day INTEGER NOT NULL,
        kept     INTEGER NOT NULL,
        PRIMARY KEY (group_id, member)
    ) WITHOUT ROWID
    """,
)


_PINS_THREADS_TROUBLES = (
    "ALTER TABLE schedules ADD COLUMN pin INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE schedules ADD COLUMN thread INTEGER NOT NULL DEFAULT 0",
    # What admins have to know: one row for a place and what it is about, gone when all is well.
    # `told` keeps them from being told twice.
    """
    CREATE TABLE troubles (
        group_id TEXT NOT NULL REFERENCES groups(id),
        place    TEXT NOT NULL,
        about    TEXT NOT NULL,
        sentence TEXT NOT NULL,
        told     INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (group_id, place, about)
    ) WITHOUT ROWID
    """,
    """
    INSERT INTO troubles (group_id, place, about, sentence, told)
    SELECT group_id, 'post', id, problem, 1 FROM schedules WHERE problem IS NOT NULL
    """,
    "ALTER TABLE schedules DROP COLUMN problem",
    # SQLite cannot widen a CHECK: the table is written anew, with a state for a drop that was taken
    # back, with the steps that follow a post, and with a slot's date and time on the wall, which is
    # one slot whatever a zone's rules make of it later.
    """
    CREATE TABLE drops_anew (
        id         INTEGER PRIMARY KEY AUTOINCREMENT,
        number     INTEGER NOT NULL,
        schedule   INTEGER REFERENCES schedules(id) ON DELETE SET NULL,
        group_id   TEXT NOT NULL REFERENCES groups(id),
        room       TEXT NOT NULL,
        deck       TEXT NOT NULL,
        question   TEXT NOT NULL,
        version    TEXT NOT NULL REFERENCES questions(version),
        "order"    TEXT NOT NULL,
        seed       INTEGER NOT NULL,
        slot       TEXT NOT NULL,
        wall       TEXT,
        claimed_at TEXT NOT NULL,
        closes_at  TEXT NOT NULL,
        explain    TEXT NOT NULL,
        role       TEXT,
        state      TEXT NOT NULL
                   CHECK (state IN
                          ('claimed', 'posted', 'closed', 'revealed', 'missed', 'voided')),
        message    TEXT,
        day        INTEGER,
        pin        TEXT CHECK (pin IN ('due', 'done', 'given up')),
        thread     TEXT CHECK (thread IN ('due', 'done', 'given up')),
        unpin      TEXT CHECK (unpin IN ('due', 'done', 'given up')),
        voided_at  TEXT,
        taken_back TEXT CHECK (taken_back IN ('due', 'done', 'given up')),
        UNIQUE (schedule, slot),
        UNIQUE (schedule, wall),
        UNIQUE (group_id, number),
        FOREIGN KEY (group_id, day) REFERENCES days(group_id, number),
        CHECK (state IN ('claimed', 'missed', 'voided')
               OR (message IS NOT NULL AND day IS NOT NULL)),
        CHECK ((state = 'voided') = (voided_at IS NOT NULL)),
        CHECK (state <> 'voided' OR (day IS NULL AND taken_back IS NOT NULL))
    )
    """,
    """
    INSERT INTO drops_anew
        (id, number, schedule, group_id, room, deck, question, version, "order", seed, slot,
         claimed_at, closes_at, explain, role, state, message, day)
    SELECT id, number, schedule, group_id, room, deck, question, version, "order", seed, slot,
           claimed_at, closes_at, explain, role, state, message, day
    FROM drops
    """,
    "DROP TABLE drops",
    "ALTER TABLE drops_anew RENAME TO drops",
    """
    CREATE INDEX drops_under_way ON drops(closes_at)
        WHERE state IN ('claimed', 'posted', 'closed')
    """,
    """
    CREATE INDEX drops_to_follow ON drops(id)
        WHERE pin = 'due' OR thread = 'due' OR unpin = 'due'
    """,
    "CREATE INDEX drops_to_take_back ON drops(id) WHERE taken_back = 'due'",
    "CREATE INDEX drops_of_group ON drops(group_id, day)",
    "CREATE INDEX drops_by_message ON drops(message)",
)

_CHOICES = (
    # An answer is a set of options: bit i is set when option i of the question's file was chosen.
    # As a number it is compared with the keys at once, and costs an answer of one option nothing.
    """
    CREATE TABLE answers_anew (
        drop_id  INTEGER NOT NULL REFERENCES drops(id),
        member   TEXT NOT NULL,
        options  INTEGER NOT NULL CHECK (options BETWEEN 1 AND 255),
        at       TEXT NOT NULL,
        PRIMARY KEY (drop_id, member)
    ) WITHOUT ROWID
    """,
    "INSERT INTO answers_anew SELECT drop_id, member, 1 << option, at FROM answers",
    "DROP TABLE answers",
    "ALTER TABLE answers_anew RENAME TO answers",
)

_REPORTS_RETIRED = (
    # What is wrong with a question, as a member of a group says it: one report for each of them, by
    # the primary key. A group may look at a deck before it names its zone, so neither table refers
    # to groups.
    """
    CREATE TABLE reports (
        group_id TEXT NOT NULL,
        question TEXT NOT NULL,
        member   TEXT NOT NULL,
        reason   TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
        drop_id  INTEGER REFERENCES drops(id),
        at       TEXT NOT NULL,
        PRIMARY KEY (group_id, question, member)
    ) WITHOUT ROWID
    """,
    # Questions that a group does not want to be asked any more.
    """
    CREATE TABLE retired (
        group_id TEXT NOT NULL,
        question TEXT NOT NULL,
        at       TEXT NOT NULL,
        "by"     TEXT NOT NULL,
        PRIMARY KEY (group_id, question)
    ) WITHOUT ROWID
    """,
)


_LOW_STOCK = (
    # Of a deck that runs low: the fewest questions that it had left since. More of them later mean
    # a new round or a deck that has grown, and then its next low stock is news.
    "ALTER TABLE troubles ADD COLUMN fewest INTEGER",
)


@migrations()
def m001_first_tables(db: Database) -> None:
    """Groups, schedules, drops, answers, streaks."""
    for statement in _TABLES:
        db.execute(statement)


@migrations()
def m002_pins_threads_troubles(db: Database) -> None:
    """Pins and threads as steps of their own, drops taken back, and who was told of what."""
    for statement in _PINS_THREADS_TROUBLES:
        db.execute(statement)


@migrations()
def m003_choices(db: Database) -> None:
    """An answer may choose several options; a question may be reported, and retired; low stock."""
    for statement in (*_CHOICES, *_REPORTS_RETIRED, *_LOW_STOCK):
        db.execute(statement)
