-- A database of version 2, as its own code filled it. Never edited.
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'quizdrop','m001_first_tables','2026-12-01 02:09:44.068433+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'quizdrop','m002_pins_threads_troubles','2026-12-01 02:09:44.071206+00:00');
CREATE TABLE answers (
        drop_id  INTEGER NOT NULL REFERENCES drops(id),
        member   TEXT NOT NULL,
        option   INTEGER NOT NULL,
        at       TEXT NOT NULL,
        PRIMARY KEY (drop_id, member)
    ) WITHOUT ROWID
    ;
INSERT INTO "answers" VALUES(1,'6001',3,'2026-03-02T10:05:00.000000+00:00');
INSERT INTO "answers" VALUES(1,'6002',2,'2026-03-02T10:06:00.000000+00:00');
INSERT INTO "answers" VALUES(1,'6003',0,'2026-03-02T10:07:00.000000+00:00');
INSERT INTO "answers" VALUES(2,'6001',2,'2026-03-02T11:05:00.000000+00:00');
INSERT INTO "answers" VALUES(2,'6002',1,'2026-03-02T11:06:00.000000+00:00');
INSERT INTO "answers" VALUES(2,'6003',0,'2026-03-02T11:07:00.000000+00:00');
INSERT INTO "answers" VALUES(3,'6001',1,'2026-03-02T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(3,'6002',2,'2026-03-02T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(3,'6003',3,'2026-03-02T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(4,'6001',3,'2026-03-02T17:35:00.000000+00:00');
INSERT INTO "answers" VALUES(4,'6002',1,'2026-03-02T17:36:00.000000+00:00');
INSERT INTO "answers" VALUES(4,'6003',2,'2026-03-02T17:37:00.000000+00:00');
INSERT INTO "answers" VALUES(5,'6001',0,'2026-03-03T10:05:00.000000+00:00');
INSERT INTO "answers" VALUES(6,'6001',0,'2026-03-03T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(6,'6002',1,'2026-03-03T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(6,'6003',2,'2026-03-03T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(7,'6001',2,'2026-03-04T10:05:00.000000+00:00');
INSERT INTO "answers" VALUES(7,'6002',1,'2026-03-04T10:06:00.000000+00:00');
INSERT INTO "answers" VALUES(7,'6003',3,'2026-03-04T10:07:00.000000+00:00');
INSERT INTO "answers" VALUES(9,'6001',1,'2026-03-04T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(9,'6002',3,'2026-03-04T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(9,'6003',2,'2026-03-04T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(11,'6001',1,'2026-03-06T10:05:00.000000+00:00');
INSERT INTO "answers" VALUES(11,'6002',3,'2026-03-06T10:06:00.000000+00:00');
INSERT INTO "answers" VALUES(11,'6003',2,'2026-03-06T10:07:00.000000+00:00');
INSERT INTO "answers" VALUES(12,'6001',0,'2026-03-06T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(12,'6002',2,'2026-03-06T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(12,'6003',1,'2026-03-06T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(13,'6001',0,'2026-03-07T10:05:00.000000+00:00');
INSERT INTO "answers" VALUES(13,'6002',2,'2026-03-07T10:06:00.000000+00:00');
INSERT INTO "answers" VALUES(13,'6003',3,'2026-03-07T10:07:00.000000+00:00');
INSERT INTO "answers" VALUES(14,'6001',1,'2026-03-07T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(14,'6002',3,'2026-03-07T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(14,'6003',2,'2026-03-07T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(15,'6001',3,'2026-03-08T10:05:00.000000+00:00');
INSERT INTO "answers" VALUES(16,'6002',3,'2026-03-08T10:33:00.000000+00:00');
INSERT INTO "answers" VALUES(18,'6003',1,'2026-03-08T11:04:00.000000+00:00');
CREATE TABLE days (
        group_id TEXT NOT NULL REFERENCES groups(id),
        number   INTEGER NOT NULL,
        date     TEXT NOT NULL,
        PRIMARY KEY (group_id, number),
        UNIQUE (group_id, date)
    ) WITHOUT ROWID
    ;
INSERT INTO "days" VALUES('4001',1,'2026-03-02');
INSERT INTO "days" VALUES('4001',2,'2026-03-04');
INSERT INTO "days" VALUES('4001',3,'2026-03-06');
INSERT INTO "days" VALUES('4001',4,'2026-03-07');
INSERT INTO "days" VALUES('4001',5,'2026-03-08');
INSERT INTO "days" VALUES('5001',1,'2026-03-02');
INSERT INTO "days" VALUES('5001',2,'2026-03-03');
INSERT INTO "days" VALUES('5001',3,'2026-03-04');
INSERT INTO "days" VALUES('5001',4,'2026-03-06');
INSERT INTO "days" VALUES('5001',5,'2026-03-07');
CREATE TABLE "drops" (
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
    );
INSERT INTO "drops" VALUES(1,1,1,'4001','4002','sample','sample/steam','7f5aeac11d40ffea','[1, 3, 2, 0]',1776630401191380941,'2026-03-02T10:00:00.000000+00:00','2026-03-02T11:00 Europe/Berlin','2026-03-02T10:00:00.000000+00:00','2026-03-02T11:00:00.000000+00:00','now',NULL,'revealed','7001',1,'done','given up','done',NULL,NULL);
INSERT INTO "drops" VALUES(2,2,2,'4001','4010','sample','sample/kettle','502cbeaea5f19b3d','[0, 3, 2, 1]',3980389215148878195,'2026-03-02T11:00:00.000000+00:00','2026-03-02T12:00 Europe/Berlin','2026-03-02T11:00:00.000000+00:00','2026-03-02T12:00:00.000000+00:00','at close','4009','voided','7002',NULL,NULL,NULL,NULL,'2026-03-08T10:31:00.000000+00:00','done');
INSERT INTO "drops" VALUES(3,1,3,'5001','5002','other','other/fog','8e13c0ace4dd67dc','[2, 3, 0, 1]',1398717875470837207,'2026-03-02T12:00:00.000000+00:00','2026-03-02T21:00 Asia/Tokyo','2026-03-02T12:00:00.000000+00:00','2026-03-03T12:00:00.000000+00:00','now',NULL,'revealed','7003',1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(4,3,2,'4001','4010','sample','sample/raft','89cfa6e1636776c6','[3, 1, 2, 0]',2398171218555817640,'2026-03-02T17:30:00.000000+00:00','2026-03-02T18:30 Europe/Berlin','2026-03-02T17:30:00.000000+00:00','2026-03-02T18:30:00.000000+00:00','at close','4009','revealed','7004',1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(5,4,1,'4001','4002','sample','sample/kettle','502cbeaea5f19b3d','[1, 0, 2, 3]',1454773028294758977,'2026-03-03T10:00:00.000000+00:00','2026-03-03T11:00 Europe/Berlin','2026-03-03T10:00:00.000000+00:00','2026-03-03T11:00:00.000000+00:00','now',NULL,'voided','7005',NULL,'done','done','done','2026-03-08T10:31:00.000000+00:00','due');
INSERT INTO "drops" VALUES(6,2,3,'5001','5002','other','other/ice','e6ebde650c250730','[2, 3, 0, 1]',1237393598441682629,'2026-03-03T12:00:00.000000+00:00','2026-03-03T21:00 Asia/Tokyo','2026-03-03T12:00:00.000000+00:00','2026-03-04T12:00:00.000000+00:00','now',NULL,'revealed','7006',2,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(7,5,1,'4001','4002','sample','sample/raft','89cfa6e1636776c6','[1, 3, 0, 2]',1451126136441357504,'2026-03-04T10:00:00.000000+00:00','2026-03-04T11:00 Europe/Berlin','2026-03-04T10:00:00.000000+00:00','2026-03-04T11:00:00.000000+00:00','now',NULL,'revealed','7007',2,'done','done','done',NULL,NULL);
INSERT INTO "drops" VALUES(8,6,2,'4001','4010','sample','sample/steam','7f5aeac11d40ffea','[3, 0, 2, 1]',2651566424710769075,'2026-03-04T11:00:00.000000+00:00','2026-03-04T12:00 Europe/Berlin','2026-03-04T11:00:00.000000+00:00','2026-03-04T12:00:00.000000+00:00','at close','4009','missed',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(9,3,3,'5001','5002','other','other/fog','8e13c0ace4dd67dc','[0, 1, 3, 2]',2119202474392458387,'2026-03-04T12:00:00.000000+00:00','2026-03-04T21:00 Asia/Tokyo','2026-03-04T12:00:00.000000+00:00','2026-03-05T12:00:00.000000+00:00','now',NULL,'revealed','7009',3,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(10,7,2,'4001','4010','sample','sample/steam','7f5aeac11d40ffea','[2, 3, 0, 1]',4019983392577092556,'2026-03-04T17:30:00.000000+00:00','2026-03-04T18:30 Europe/Berlin','2026-03-04T17:30:00.000000+00:00','2026-03-04T18:30:00.000000+00:00','at close','4009','missed',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(11,8,1,'4001','4002','sample','sample/steam','7f5aeac11d40ffea','[3, 2, 0, 1]',3839584413563418059,'2026-03-06T10:00:00.000000+00:00','2026-03-06T11:00 Europe/Berlin','2026-03-06T10:00:00.000000+00:00','2026-03-06T11:00:00.000000+00:00','now',NULL,'revealed','7011',3,'done','given up','done',NULL,NULL);
INSERT INTO "drops" VALUES(12,4,3,'5001','5002','other','other/ice','e6ebde650c250730','[0, 2, 1, 3]',2340281124934060739,'2026-03-06T12:00:00.000000+00:00','2026-03-06T21:00 Asia/Tokyo','2026-03-06T12:00:00.000000+00:00','2026-03-07T12:00:00.000000+00:00','now',NULL,'revealed','7012',4,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(13,9,1,'4001','4002','sample','sample/raft','89cfa6e1636776c6','[1, 0, 2, 3]',2842659370249601268,'2026-03-07T10:00:00.000000+00:00','2026-03-07T11:00 Europe/Berlin','2026-03-07T10:00:00.000000+00:00','2026-03-07T11:00:00.000000+00:00','now',NULL,'revealed','7013',4,'done','done','done',NULL,NULL);
INSERT INTO "drops" VALUES(14,5,3,'5001','5002','other','other/fog','8e13c0ace4dd67dc','[2, 0, 1, 3]',3465896001841752389,'2026-03-07T12:00:00.000000+00:00','2026-03-07T21:00 Asia/Tokyo','2026-03-07T12:00:00.000000+00:00','2026-03-08T12:00:00.000000+00:00','now',NULL,'posted','7014',5,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(15,10,1,'4001','4002','sample','sample/steam','7f5aeac11d40ffea','[2, 1, 0, 3]',3954138770082085989,'2026-03-08T10:00:00.000000+00:00','2026-03-08T11:00 Europe/Berlin','2026-03-08T10:00:00.000000+00:00','2026-03-08T11:00:00.000000+00:00','now',NULL,'closed','7015',5,'done','done',NULL,NULL,NULL);
INSERT INTO "drops" VALUES(16,11,NULL,'4001','4002','sample','sample/kettle','502cbeaea5f19b3d','[2, 0, 3, 1]',77,'2026-03-08T10:32:00.000000+00:00',NULL,'2026-03-08T10:32:00.000000+00:00','2026-03-08T11:02:00.000000+00:00','now','4009','closed','7016',5,'given up',NULL,NULL,NULL,NULL);
INSERT INTO "drops" VALUES(17,6,NULL,'5001','5002','other','other/ice','e6ebde650c250730','[0, 1, 2, 3]',78,'2026-03-08T10:32:00.000000+00:00',NULL,'2026-03-08T10:32:00.000000+00:00','2026-03-08T11:02:00.000000+00:00','now',NULL,'voided',NULL,NULL,NULL,NULL,NULL,'2026-03-08T10:32:00.000000+00:00','due');
INSERT INTO "drops" VALUES(18,12,NULL,'4001','4002','sample','sample/raft','89cfa6e1636776c6','[3, 1, 0, 2]',79,'2026-03-08T11:03:00.000000+00:00',NULL,'2026-03-08T11:03:00.000000+00:00','2026-03-08T21:03:00.000000+00:00','now',NULL,'posted','7018',5,'due','due',NULL,NULL,NULL);
INSERT INTO "drops" VALUES(19,7,NULL,'5001','5002','other','other/ice','e6ebde650c250730','[3, 2, 1, 0]',80,'2026-03-08T11:03:00.000000+00:00',NULL,'2026-03-08T11:03:00.000000+00:00','2026-03-08T21:03:00.000000+00:00','now',NULL,'claimed',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE groups (
        id   TEXT PRIMARY KEY,
        zone TEXT NOT NULL
    ) WITHOUT ROWID
    ;
INSERT INTO "groups" VALUES('4001','Europe/Berlin');
INSERT INTO "groups" VALUES('5001','Asia/Tokyo');
CREATE TABLE missed_slots (
        schedule INTEGER NOT NULL REFERENCES schedules(id) ON DELETE CASCADE,
        slot     TEXT NOT NULL,
        PRIMARY KEY (schedule, slot)
    ) WITHOUT ROWID
    ;
INSERT INTO "missed_slots" VALUES(1,'2026-03-05T10:00:00.000000+00:00');
INSERT INTO "missed_slots" VALUES(3,'2026-03-05T12:00:00.000000+00:00');
CREATE TABLE questions (
        version TEXT PRIMARY KEY,
        id      TEXT NOT NULL,
        body    TEXT NOT NULL
    ) WITHOUT ROWID
    ;
INSERT INTO "questions" VALUES('502cbeaea5f19b3d','sample/kettle','{"deck":"sample","slug":"kettle","domain":"basics","stem":"What is right about kettle?","options":[{"text":"The alpha option of kettle","correct":false,"rationale":"The alpha reason of kettle.","misconception":"Mistakes kettle for alpha"},{"text":"The beta option of kettle","correct":true,"rationale":"The beta reason of kettle.","misconception":null},{"text":"The gamma option of kettle","correct":false,"rationale":"The gamma reason of kettle.","misconception":"Mistakes kettle for gamma"},{"text":"The delta option of kettle","correct":false,"rationale":"The delta reason of kettle.","misconception":"Mistakes kettle for delta"}],"short":"In short, kettle is like a kettle. It whistles.","full":"The long story of kettle: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/kettle"],"exhibit":null,"expires":null,"lint":[]}');
INSERT INTO "questions" VALUES('7f5aeac11d40ffea','sample/steam','{"deck":"sample","slug":"steam","domain":"basics","stem":"What is right about steam?","options":[{"text":"The alpha option of steam","correct":false,"rationale":"The alpha reason of steam.","misconception":"Mistakes steam for alpha"},{"text":"The beta option of steam","correct":true,"rationale":"The beta reason of steam.","misconception":null},{"text":"The gamma option of steam","correct":false,"rationale":"The gamma reason of steam.","misconception":"Mistakes steam for gamma"},{"text":"The delta option of steam","correct":false,"rationale":"The delta reason of steam.","misconception":"Mistakes steam for delta"}],"short":"In short, steam is like a kettle. It whistles.","full":"The long story of steam: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/steam"],"exhibit":{"path":"images/steam.png","alt":"A pot."},"expires":null,"lint":[]}');
INSERT INTO "questions" VALUES('89cfa6e1636776c6','sample/raft','{"deck":"sample","slug":"raft","domain":"basics","stem":"What is right about raft?","options":[{"text":"The alpha option of raft","correct":false,"rationale":"The alpha reason of raft.","misconception":"Mistakes raft for alpha"},{"text":"The beta option of raft","correct":true,"rationale":"The beta reason of raft.","misconception":null},{"text":"The gamma option of raft","correct":false,"rationale":"The gamma reason of raft.","misconception":"Mistakes raft for gamma"},{"text":"The delta option of raft","correct":false,"rationale":"The delta reason of raft.","misconception":"Mistakes raft for delta"}],"short":"In short, raft is like a kettle. It whistles.","full":"The long story of raft: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/raft"],"exhibit":null,"expires":null,"lint":[]}');
INSERT INTO "questions" VALUES('8e13c0ace4dd67dc','other/fog','{"deck":"other","slug":"fog","domain":"basics","stem":"What is right about fog?","options":[{"text":"The alpha option of fog","correct":false,"rationale":"The alpha reason of fog.","misconception":"Mistakes fog for alpha"},{"text":"The beta option of fog","correct":true,"rationale":"The beta reason of fog.","misconception":null},{"text":"The gamma option of fog","correct":false,"rationale":"The gamma reason of fog.","misconception":"Mistakes fog for gamma"},{"text":"The delta option of fog","correct":false,"rationale":"The delta reason of fog.","misconception":"Mistakes fog for delta"}],"short":"In short, fog is like a kettle. It whistles.","full":"The long story of fog: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/fog"],"exhibit":null,"expires":null,"lint":[]}');
INSERT INTO "questions" VALUES('e6ebde650c250730','other/ice','{"deck":"other","slug":"ice","domain":"basics","stem":"What is right about ice?","options":[{"text":"The alpha option of ice","correct":false,"rationale":"The alpha reason of ice.","misconception":"Mistakes ice for alpha"},{"text":"The beta option of ice","correct":true,"rationale":"The beta reason of ice.","misconception":null},{"text":"The gamma option of ice","correct":false,"rationale":"The gamma reason of ice.","misconception":"Mistakes ice for gamma"},{"text":"The delta option of ice","correct":false,"rationale":"The delta reason of ice.","misconception":"Mistakes ice for delta"}],"short":"In short, ice is like a kettle. It whistles.","full":"The long story of ice: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/ice"],"exhibit":null,"expires":null,"lint":[]}');
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
        settled_until TEXT NOT NULL
    , pin INTEGER NOT NULL DEFAULT 0, thread INTEGER NOT NULL DEFAULT 0);
INSERT INTO "schedules" VALUES(1,'4001','sample','4002','["11:00"]','[0, 1, 2, 3, 4, 5, 6]',60,'now',NULL,0,'2026-03-08T10:00:00.000000+00:00',1,1);
INSERT INTO "schedules" VALUES(2,'4001','sample','4010','["12:00", "18:30"]','[0, 2]',60,'at close','4009',1,'2026-03-04T17:30:00.000000+00:00',0,0);
INSERT INTO "schedules" VALUES(3,'5001','other','5002','["21:00"]','[0, 1, 2, 3, 4, 5, 6]',1440,'now',NULL,0,'2026-03-07T12:00:00.000000+00:00',0,0);
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
    ;
INSERT INTO "streaks" VALUES('4001','6001',5,5,0,5,5,5);
INSERT INTO "streaks" VALUES('4001','6002',5,5,0,5,5,5);
INSERT INTO "streaks" VALUES('4001','6003',5,5,0,5,5,5);
INSERT INTO "streaks" VALUES('5001','6001',5,5,0,5,5,5);
INSERT INTO "streaks" VALUES('5001','6002',5,5,0,5,5,5);
INSERT INTO "streaks" VALUES('5001','6003',5,5,0,5,5,5);
CREATE TABLE troubles (
        group_id TEXT NOT NULL REFERENCES groups(id),
        place    TEXT NOT NULL,
        about    TEXT NOT NULL,
        sentence TEXT NOT NULL,
        told     INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (group_id, place, about)
    ) WITHOUT ROWID
    ;
INSERT INTO "troubles" VALUES('4001','post','2','I may not post in <#4010>. Please allow me to view it.',0);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX schedules_of_group ON schedules(group_id);
CREATE INDEX drops_under_way ON drops(closes_at)
        WHERE state IN ('claimed', 'posted', 'closed')
    ;
CREATE INDEX drops_to_follow ON drops(id)
        WHERE pin = 'due' OR thread = 'due' OR unpin = 'due'
    ;
CREATE INDEX drops_to_take_back ON drops(id) WHERE taken_back = 'due';
CREATE INDEX drops_of_group ON drops(group_id, day);
CREATE INDEX drops_by_message ON drops(message);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('drops',19);
INSERT INTO "sqlite_sequence" VALUES('schedules',3);
COMMIT;
