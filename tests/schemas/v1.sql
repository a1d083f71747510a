-- A database of version 1, as its own code filled it. Never edited.
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'quizdrop','m001_first_tables','2026-11-30 20:43:59.528589+00:00');
CREATE TABLE answers (
        drop_id  INTEGER NOT NULL REFERENCES drops(id),
        member   TEXT NOT NULL,
        option   INTEGER NOT NULL,
        at       TEXT NOT NULL,
        PRIMARY KEY (drop_id, member)
    ) WITHOUT ROWID
    ;
INSERT INTO "answers" VALUES(1,'6001',1,'2026-03-02T11:05:00.000000+00:00');
INSERT INTO "answers" VALUES(1,'6002',2,'2026-03-02T11:06:00.000000+00:00');
INSERT INTO "answers" VALUES(2,'6001',3,'2026-03-02T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(2,'6002',1,'2026-03-02T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(3,'6001',2,'2026-03-02T17:35:00.000000+00:00');
INSERT INTO "answers" VALUES(3,'6002',0,'2026-03-02T17:36:00.000000+00:00');
INSERT INTO "answers" VALUES(5,'6001',0,'2026-03-03T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(5,'6002',3,'2026-03-03T00:06:00.000000+00:00');
INSERT INTO "answers" VALUES(6,'6001',1,'2026-03-03T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(6,'6002',2,'2026-03-03T07:06:00.000000+00:00');
INSERT INTO "answers" VALUES(7,'6001',3,'2026-03-03T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(7,'6002',1,'2026-03-03T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(9,'6001',0,'2026-03-04T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(9,'6002',1,'2026-03-04T00:06:00.000000+00:00');
INSERT INTO "answers" VALUES(10,'6001',3,'2026-03-04T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(10,'6002',2,'2026-03-04T07:06:00.000000+00:00');
INSERT INTO "answers" VALUES(11,'6001',0,'2026-03-04T11:05:00.000000+00:00');
INSERT INTO "answers" VALUES(11,'6002',3,'2026-03-04T11:06:00.000000+00:00');
INSERT INTO "answers" VALUES(12,'6001',1,'2026-03-04T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(12,'6002',3,'2026-03-04T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(13,'6001',3,'2026-03-04T17:35:00.000000+00:00');
INSERT INTO "answers" VALUES(13,'6002',1,'2026-03-04T17:36:00.000000+00:00');
INSERT INTO "answers" VALUES(15,'6001',2,'2026-03-05T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(16,'6001',1,'2026-03-05T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(17,'6001',2,'2026-03-05T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(19,'6001',1,'2026-03-06T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(19,'6002',3,'2026-03-06T00:06:00.000000+00:00');
INSERT INTO "answers" VALUES(20,'6001',0,'2026-03-06T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(20,'6002',1,'2026-03-06T07:06:00.000000+00:00');
INSERT INTO "answers" VALUES(21,'6001',1,'2026-03-06T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(21,'6002',0,'2026-03-06T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(23,'6001',1,'2026-03-07T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(23,'6002',3,'2026-03-07T00:06:00.000000+00:00');
INSERT INTO "answers" VALUES(23,'6003',0,'2026-03-07T00:07:00.000000+00:00');
INSERT INTO "answers" VALUES(24,'6001',2,'2026-03-07T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(24,'6002',3,'2026-03-07T07:06:00.000000+00:00');
INSERT INTO "answers" VALUES(24,'6003',1,'2026-03-07T07:07:00.000000+00:00');
INSERT INTO "answers" VALUES(25,'6001',2,'2026-03-07T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(25,'6002',1,'2026-03-07T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(25,'6003',0,'2026-03-07T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(27,'6001',1,'2026-03-09T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(27,'6002',0,'2026-03-09T00:06:00.000000+00:00');
INSERT INTO "answers" VALUES(27,'6003',2,'2026-03-09T00:07:00.000000+00:00');
INSERT INTO "answers" VALUES(28,'6001',0,'2026-03-09T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(28,'6002',3,'2026-03-09T07:06:00.000000+00:00');
INSERT INTO "answers" VALUES(28,'6003',1,'2026-03-09T07:07:00.000000+00:00');
INSERT INTO "answers" VALUES(29,'6001',3,'2026-03-09T11:05:00.000000+00:00');
INSERT INTO "answers" VALUES(29,'6002',0,'2026-03-09T11:06:00.000000+00:00');
INSERT INTO "answers" VALUES(29,'6003',2,'2026-03-09T11:07:00.000000+00:00');
INSERT INTO "answers" VALUES(30,'6001',0,'2026-03-09T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(30,'6002',1,'2026-03-09T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(30,'6003',2,'2026-03-09T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(31,'6001',2,'2026-03-09T17:35:00.000000+00:00');
INSERT INTO "answers" VALUES(31,'6002',0,'2026-03-09T17:36:00.000000+00:00');
INSERT INTO "answers" VALUES(31,'6003',1,'2026-03-09T17:37:00.000000+00:00');
INSERT INTO "answers" VALUES(33,'6001',1,'2026-03-10T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(33,'6002',3,'2026-03-10T00:06:00.000000+00:00');
INSERT INTO "answers" VALUES(34,'6001',2,'2026-03-10T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(34,'6002',0,'2026-03-10T07:06:00.000000+00:00');
INSERT INTO "answers" VALUES(35,'6001',3,'2026-03-10T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(35,'6002',0,'2026-03-10T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(37,'6001',1,'2026-03-11T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(37,'6003',3,'2026-03-11T00:07:00.000000+00:00');
INSERT INTO "answers" VALUES(38,'6001',1,'2026-03-11T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(38,'6003',2,'2026-03-11T07:07:00.000000+00:00');
INSERT INTO "answers" VALUES(39,'6001',3,'2026-03-11T11:05:00.000000+00:00');
INSERT INTO "answers" VALUES(39,'6003',1,'2026-03-11T11:07:00.000000+00:00');
INSERT INTO "answers" VALUES(40,'6001',1,'2026-03-11T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(40,'6003',2,'2026-03-11T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(41,'6001',1,'2026-03-11T17:35:00.000000+00:00');
INSERT INTO "answers" VALUES(41,'6003',3,'2026-03-11T17:37:00.000000+00:00');
INSERT INTO "answers" VALUES(43,'6001',0,'2026-03-12T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(43,'6002',2,'2026-03-12T00:06:00.000000+00:00');
INSERT INTO "answers" VALUES(44,'6001',0,'2026-03-12T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(44,'6002',3,'2026-03-12T07:06:00.000000+00:00');
INSERT INTO "answers" VALUES(45,'6001',0,'2026-03-12T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(45,'6002',1,'2026-03-12T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(47,'6001',2,'2026-03-13T00:05:00.000000+00:00');
INSERT INTO "answers" VALUES(47,'6002',1,'2026-03-13T00:06:00.000000+00:00');
INSERT INTO "answers" VALUES(47,'6003',3,'2026-03-13T00:07:00.000000+00:00');
INSERT INTO "answers" VALUES(48,'6001',3,'2026-03-13T07:05:00.000000+00:00');
INSERT INTO "answers" VALUES(48,'6002',2,'2026-03-13T07:06:00.000000+00:00');
INSERT INTO "answers" VALUES(48,'6003',1,'2026-03-13T07:07:00.000000+00:00');
INSERT INTO "answers" VALUES(49,'6001',0,'2026-03-13T12:05:00.000000+00:00');
INSERT INTO "answers" VALUES(49,'6002',1,'2026-03-13T12:06:00.000000+00:00');
INSERT INTO "answers" VALUES(49,'6003',3,'2026-03-13T12:07:00.000000+00:00');
INSERT INTO "answers" VALUES(50,'6002',3,'2026-03-14T01:01:00.000000+00:00');
INSERT INTO "answers" VALUES(51,'6001',1,'2026-03-14T07:01:00.000000+00:00');
CREATE TABLE days (
        group_id TEXT NOT NULL REFERENCES groups(id),
        number   INTEGER NOT NULL,
        date     TEXT NOT NULL,
        PRIMARY KEY (group_id, number),
        UNIQUE (group_id, date)
    ) WITHOUT ROWID
    ;
INSERT INTO "days" VALUES('4001',1,'2026-03-02');
INSERT INTO "days" VALUES('4001',2,'2026-03-03');
INSERT INTO "days" VALUES('4001',3,'2026-03-04');
INSERT INTO "days" VALUES('4001',4,'2026-03-05');
INSERT INTO "days" VALUES('4001',5,'2026-03-06');
INSERT INTO "days" VALUES('4001',6,'2026-03-07');
INSERT INTO "days" VALUES('4001',7,'2026-03-09');
INSERT INTO "days" VALUES('4001',8,'2026-03-10');
INSERT INTO "days" VALUES('4001',9,'2026-03-11');
INSERT INTO "days" VALUES('4001',10,'2026-03-12');
INSERT INTO "days" VALUES('4001',11,'2026-03-13');
INSERT INTO "days" VALUES('4001',12,'2026-03-14');
INSERT INTO "days" VALUES('5001',1,'2026-03-02');
INSERT INTO "days" VALUES('5001',2,'2026-03-03');
INSERT INTO "days" VALUES('5001',3,'2026-03-04');
INSERT INTO "days" VALUES('5001',4,'2026-03-05');
INSERT INTO "days" VALUES('5001',5,'2026-03-06');
INSERT INTO "days" VALUES('5001',6,'2026-03-07');
INSERT INTO "days" VALUES('5001',7,'2026-03-09');
INSERT INTO "days" VALUES('5001',8,'2026-03-10');
INSERT INTO "days" VALUES('5001',9,'2026-03-11');
INSERT INTO "days" VALUES('5001',10,'2026-03-12');
INSERT INTO "days" VALUES('5001',11,'2026-03-13');
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
    );
INSERT INTO "drops" VALUES(1,1,2,'4001','4010','sample','sample/kettle','502cbeaea5f19b3d','[1, 2, 0, 3]',4184475186206946751,'2026-03-02T11:00:00.000000+00:00','2026-03-02T11:00:00.000000+00:00','2026-03-02T12:00:00.000000+00:00','at close','4009','revealed','7001',1);
INSERT INTO "drops" VALUES(2,1,3,'5001','5002','other','other/ice','e6ebde650c250730','[3, 1, 2, 0]',1765633158337535016,'2026-03-02T12:00:00.000000+00:00','2026-03-02T12:00:00.000000+00:00','2026-03-03T12:00:00.000000+00:00','now',NULL,'revealed','7002',1);
INSERT INTO "drops" VALUES(3,2,2,'4001','4010','sample','sample/raft','89cfa6e1636776c6','[2, 0, 1, 3]',1546620212432289766,'2026-03-02T17:30:00.000000+00:00','2026-03-02T17:30:00.000000+00:00','2026-03-02T18:30:00.000000+00:00','at close','4009','revealed','7003',1);
INSERT INTO "drops" VALUES(4,2,4,'5001','5003','other','other/steam','a8b63c00d508f7a9','[0, 1, 3, 2]',2119202474392458387,'2026-03-02T22:00:00.000000+00:00','2026-03-03T00:00:00.000000+00:00','2026-03-04T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(5,3,NULL,'5001','5002','other','other/ice','e6ebde650c250730','[2, 0, 3, 1]',4389023216265730201,'2026-03-03T00:00:00.000000+00:00','2026-03-03T00:00:00.000000+00:00','2026-03-04T00:00:00.000000+00:00','now',NULL,'revealed','7005',2);
INSERT INTO "drops" VALUES(6,3,1,'4001','4002','sample','sample/kettle','502cbeaea5f19b3d','[3, 1, 2, 0]',2595082793909089000,'2026-03-03T07:00:00.000000+00:00','2026-03-03T07:00:00.000000+00:00','2026-03-03T08:00:00.000000+00:00','now',NULL,'revealed','7006',2);
INSERT INTO "drops" VALUES(7,4,3,'5001','5002','other','other/steam','a8b63c00d508f7a9','[2, 3, 1, 0]',1281163133338368577,'2026-03-03T12:00:00.000000+00:00','2026-03-03T12:00:00.000000+00:00','2026-03-04T12:00:00.000000+00:00','now',NULL,'revealed','7007',2);
INSERT INTO "drops" VALUES(8,5,4,'5001','5003','other','other/ice','e6ebde650c250730','[2, 1, 0, 3]',4157745041003842818,'2026-03-03T22:00:00.000000+00:00','2026-03-04T00:00:00.000000+00:00','2026-03-05T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(9,6,NULL,'5001','5002','other','other/steam','a8b63c00d508f7a9','[3, 2, 0, 1]',3387303405714479562,'2026-03-04T00:00:00.000000+00:00','2026-03-04T00:00:00.000000+00:00','2026-03-05T00:00:00.000000+00:00','now',NULL,'revealed','7009',3);
INSERT INTO "drops" VALUES(10,4,1,'4001','4002','sample','sample/raft','89cfa6e1636776c6','[0, 1, 3, 2]',3359847356176314437,'2026-03-04T07:00:00.000000+00:00','2026-03-04T07:00:00.000000+00:00','2026-03-04T08:00:00.000000+00:00','now',NULL,'revealed','7010',3);
INSERT INTO "drops" VALUES(11,5,2,'4001','4010','sample','sample/kettle','502cbeaea5f19b3d','[1, 2, 0, 3]',497594457330320263,'2026-03-04T11:00:00.000000+00:00','2026-03-04T11:00:00.000000+00:00','2026-03-04T12:00:00.000000+00:00','at close','4009','revealed','7011',3);
INSERT INTO "drops" VALUES(12,7,3,'5001','5002','other','other/ice','e6ebde650c250730','[2, 0, 1, 3]',3892087685893070143,'2026-03-04T12:00:00.000000+00:00','2026-03-04T12:00:00.000000+00:00','2026-03-05T12:00:00.000000+00:00','now',NULL,'revealed','7012',3);
INSERT INTO "drops" VALUES(13,6,2,'4001','4010','sample','sample/raft','89cfa6e1636776c6','[2, 0, 3, 1]',3343762608431371211,'2026-03-04T17:30:00.000000+00:00','2026-03-04T17:30:00.000000+00:00','2026-03-04T18:30:00.000000+00:00','at close','4009','revealed','7013',3);
INSERT INTO "drops" VALUES(14,8,4,'5001','5003','other','other/steam','a8b63c00d508f7a9','[2, 0, 3, 1]',1643786769608644418,'2026-03-04T22:00:00.000000+00:00','2026-03-05T00:00:00.000000+00:00','2026-03-06T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(15,9,NULL,'5001','5002','other','other/ice','e6ebde650c250730','[0, 3, 1, 2]',4461757159805216694,'2026-03-05T00:00:00.000000+00:00','2026-03-05T00:00:00.000000+00:00','2026-03-06T00:00:00.000000+00:00','now',NULL,'revealed','7015',4);
INSERT INTO "drops" VALUES(16,7,1,'4001','4002','sample','sample/kettle','502cbeaea5f19b3d','[0, 3, 2, 1]',2104298667510419940,'2026-03-05T07:00:00.000000+00:00','2026-03-05T07:00:00.000000+00:00','2026-03-05T08:00:00.000000+00:00','now',NULL,'revealed','7016',4);
INSERT INTO "drops" VALUES(17,10,3,'5001','5002','other','other/steam','a8b63c00d508f7a9','[0, 1, 3, 2]',776159236405078490,'2026-03-05T12:00:00.000000+00:00','2026-03-05T12:00:00.000000+00:00','2026-03-06T12:00:00.000000+00:00','now',NULL,'revealed','7017',4);
INSERT INTO "drops" VALUES(18,11,4,'5001','5003','other','other/ice','e6ebde650c250730','[2, 0, 1, 3]',2591311525147085615,'2026-03-05T22:00:00.000000+00:00','2026-03-06T00:00:00.000000+00:00','2026-03-07T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(19,12,NULL,'5001','5002','other','other/steam','a8b63c00d508f7a9','[1, 3, 2, 0]',3629933530185253890,'2026-03-06T00:00:00.000000+00:00','2026-03-06T00:00:00.000000+00:00','2026-03-07T00:00:00.000000+00:00','now',NULL,'revealed','7019',5);
INSERT INTO "drops" VALUES(20,8,1,'4001','4002','sample','sample/raft','89cfa6e1636776c6','[0, 1, 2, 3]',3906690206872482026,'2026-03-06T07:00:00.000000+00:00','2026-03-06T07:00:00.000000+00:00','2026-03-06T08:00:00.000000+00:00','now',NULL,'revealed','7020',5);
INSERT INTO "drops" VALUES(21,13,3,'5001','5002','other','other/ice','e6ebde650c250730','[1, 0, 2, 3]',2143465953319714351,'2026-03-06T12:00:00.000000+00:00','2026-03-06T12:00:00.000000+00:00','2026-03-07T12:00:00.000000+00:00','now',NULL,'revealed','7021',5);
INSERT INTO "drops" VALUES(22,14,4,'5001','5003','other','other/steam','a8b63c00d508f7a9','[1, 3, 0, 2]',2128773554112450808,'2026-03-06T22:00:00.000000+00:00','2026-03-07T00:00:00.000000+00:00','2026-03-08T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(23,15,NULL,'5001','5002','other','other/ice','e6ebde650c250730','[2, 1, 3, 0]',2429060007196642821,'2026-03-07T00:00:00.000000+00:00','2026-03-07T00:00:00.000000+00:00','2026-03-08T00:00:00.000000+00:00','now',NULL,'revealed','7023',6);
INSERT INTO "drops" VALUES(24,9,1,'4001','4002','sample','sample/kettle','502cbeaea5f19b3d','[0, 2, 3, 1]',506438016524322535,'2026-03-07T07:00:00.000000+00:00','2026-03-07T07:00:00.000000+00:00','2026-03-07T08:00:00.000000+00:00','now',NULL,'revealed','7024',6);
INSERT INTO "drops" VALUES(25,16,3,'5001','5002','other','other/steam','a8b63c00d508f7a9','[3, 2, 1, 0]',4452097180843223536,'2026-03-07T12:00:00.000000+00:00','2026-03-07T12:00:00.000000+00:00','2026-03-08T12:00:00.000000+00:00','now',NULL,'revealed','7025',6);
INSERT INTO "drops" VALUES(26,17,4,'5001','5003','other','other/ice','e6ebde650c250730','[0, 1, 3, 2]',4162435751399458685,'2026-03-08T22:00:00.000000+00:00','2026-03-09T00:00:00.000000+00:00','2026-03-10T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(27,18,NULL,'5001','5002','other','other/steam','a8b63c00d508f7a9','[0, 2, 3, 1]',2066938709782781371,'2026-03-09T00:00:00.000000+00:00','2026-03-09T00:00:00.000000+00:00','2026-03-10T00:00:00.000000+00:00','now',NULL,'revealed','7027',7);
INSERT INTO "drops" VALUES(28,10,1,'4001','4002','sample','sample/raft','89cfa6e1636776c6','[3, 1, 2, 0]',540004467626411070,'2026-03-09T07:00:00.000000+00:00','2026-03-09T07:00:00.000000+00:00','2026-03-09T08:00:00.000000+00:00','now',NULL,'revealed','7028',7);
INSERT INTO "drops" VALUES(29,11,2,'4001','4010','sample','sample/kettle','502cbeaea5f19b3d','[0, 2, 1, 3]',3212351140180200868,'2026-03-09T11:00:00.000000+00:00','2026-03-09T11:00:00.000000+00:00','2026-03-09T12:00:00.000000+00:00','at close','4009','revealed','7029',7);
INSERT INTO "drops" VALUES(30,19,3,'5001','5002','other','other/ice','e6ebde650c250730','[1, 2, 3, 0]',3362759470094686726,'2026-03-09T12:00:00.000000+00:00','2026-03-09T12:00:00.000000+00:00','2026-03-10T12:00:00.000000+00:00','now',NULL,'revealed','7030',7);
INSERT INTO "drops" VALUES(31,12,2,'4001','4010','sample','sample/raft','89cfa6e1636776c6','[0, 1, 3, 2]',3680165097595920875,'2026-03-09T17:30:00.000000+00:00','2026-03-09T17:30:00.000000+00:00','2026-03-09T18:30:00.000000+00:00','at close','4009','revealed','7031',7);
INSERT INTO "drops" VALUES(32,20,4,'5001','5003','other','other/steam','a8b63c00d508f7a9','[3, 2, 0, 1]',2289288653360229362,'2026-03-09T22:00:00.000000+00:00','2026-03-10T00:00:00.000000+00:00','2026-03-11T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(33,21,NULL,'5001','5002','other','other/ice','e6ebde650c250730','[1, 3, 0, 2]',2727777761478987967,'2026-03-10T00:00:00.000000+00:00','2026-03-10T00:00:00.000000+00:00','2026-03-11T00:00:00.000000+00:00','now',NULL,'revealed','7033',8);
INSERT INTO "drops" VALUES(34,13,1,'4001','4002','sample','sample/kettle','502cbeaea5f19b3d','[2, 0, 3, 1]',648095509392012070,'2026-03-10T07:00:00.000000+00:00','2026-03-10T07:00:00.000000+00:00','2026-03-10T08:00:00.000000+00:00','now',NULL,'revealed','7034',8);
INSERT INTO "drops" VALUES(35,22,3,'5001','5002','other','other/steam','a8b63c00d508f7a9','[3, 0, 2, 1]',3513771124822765647,'2026-03-10T12:00:00.000000+00:00','2026-03-10T12:00:00.000000+00:00','2026-03-11T12:00:00.000000+00:00','now',NULL,'revealed','7035',8);
INSERT INTO "drops" VALUES(36,23,4,'5001','5003','other','other/ice','e6ebde650c250730','[3, 1, 0, 2]',2878089526449407453,'2026-03-10T22:00:00.000000+00:00','2026-03-11T00:00:00.000000+00:00','2026-03-12T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(37,24,NULL,'5001','5002','other','other/steam','a8b63c00d508f7a9','[2, 1, 0, 3]',1728129725168298420,'2026-03-11T00:00:00.000000+00:00','2026-03-11T00:00:00.000000+00:00','2026-03-12T00:00:00.000000+00:00','now',NULL,'revealed','7037',9);
INSERT INTO "drops" VALUES(38,14,1,'4001','4002','sample','sample/raft','89cfa6e1636776c6','[3, 1, 0, 2]',1384792701673950206,'2026-03-11T07:00:00.000000+00:00','2026-03-11T07:00:00.000000+00:00','2026-03-11T08:00:00.000000+00:00','now',NULL,'revealed','7038',9);
INSERT INTO "drops" VALUES(39,15,2,'4001','4010','sample','sample/kettle','502cbeaea5f19b3d','[0, 3, 2, 1]',2335169205040054655,'2026-03-11T11:00:00.000000+00:00','2026-03-11T11:00:00.000000+00:00','2026-03-11T12:00:00.000000+00:00','at close','4009','revealed','7039',9);
INSERT INTO "drops" VALUES(40,25,3,'5001','5002','other','other/ice','e6ebde650c250730','[0, 1, 3, 2]',3498099841084033538,'2026-03-11T12:00:00.000000+00:00','2026-03-11T12:00:00.000000+00:00','2026-03-12T12:00:00.000000+00:00','now',NULL,'revealed','7040',9);
INSERT INTO "drops" VALUES(41,16,2,'4001','4010','sample','sample/raft','89cfa6e1636776c6','[2, 1, 0, 3]',3162052173499210443,'2026-03-11T17:30:00.000000+00:00','2026-03-11T17:30:00.000000+00:00','2026-03-11T18:30:00.000000+00:00','at close','4009','revealed','7041',9);
INSERT INTO "drops" VALUES(42,26,4,'5001','5003','other','other/steam','a8b63c00d508f7a9','[0, 2, 3, 1]',1978309442214615116,'2026-03-11T22:00:00.000000+00:00','2026-03-12T00:00:00.000000+00:00','2026-03-13T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(43,27,NULL,'5001','5002','other','other/ice','e6ebde650c250730','[1, 3, 0, 2]',3506593165131493381,'2026-03-12T00:00:00.000000+00:00','2026-03-12T00:00:00.000000+00:00','2026-03-13T00:00:00.000000+00:00','now',NULL,'revealed','7043',10);
INSERT INTO "drops" VALUES(44,17,1,'4001','4002','sample','sample/kettle','502cbeaea5f19b3d','[2, 1, 0, 3]',26293744755702694,'2026-03-12T07:00:00.000000+00:00','2026-03-12T07:00:00.000000+00:00','2026-03-12T08:00:00.000000+00:00','now',NULL,'revealed','7044',10);
INSERT INTO "drops" VALUES(45,28,3,'5001','5002','other','other/steam','a8b63c00d508f7a9','[2, 3, 0, 1]',88240153764270704,'2026-03-12T12:00:00.000000+00:00','2026-03-12T12:00:00.000000+00:00','2026-03-13T12:00:00.000000+00:00','now',NULL,'revealed','7045',10);
INSERT INTO "drops" VALUES(46,29,4,'5001','5003','other','other/ice','e6ebde650c250730','[2, 3, 0, 1]',118754295157454470,'2026-03-12T22:00:00.000000+00:00','2026-03-13T00:00:00.000000+00:00','2026-03-14T00:00:00.000000+00:00','now',NULL,'missed',NULL,NULL);
INSERT INTO "drops" VALUES(47,30,NULL,'5001','5002','other','other/steam','a8b63c00d508f7a9','[1, 3, 0, 2]',4065613945195962789,'2026-03-13T00:00:00.000000+00:00','2026-03-13T00:00:00.000000+00:00','2026-03-14T00:00:00.000000+00:00','now',NULL,'revealed','7047',11);
INSERT INTO "drops" VALUES(48,18,1,'4001','4002','sample','sample/raft','89cfa6e1636776c6','[2, 1, 0, 3]',1165165268936869218,'2026-03-13T07:00:00.000000+00:00','2026-03-13T07:00:00.000000+00:00','2026-03-13T08:00:00.000000+00:00','now',NULL,'revealed','7048',11);
INSERT INTO "drops" VALUES(49,31,3,'5001','5002','other','other/ice','e6ebde650c250730','[1, 3, 2, 0]',156657918127570933,'2026-03-13T12:00:00.000000+00:00','2026-03-13T12:00:00.000000+00:00','2026-03-14T12:00:00.000000+00:00','now',NULL,'posted','7049',11);
INSERT INTO "drops" VALUES(50,19,NULL,'4001','4002','other','other/steam','a8b63c00d508f7a9','[2, 0, 3, 1]',77,'2026-03-14T01:00:00.000000+00:00','2026-03-14T01:00:00.000000+00:00','2026-03-14T01:30:00.000000+00:00','now','4009','closed','7050',12);
INSERT INTO "drops" VALUES(51,20,1,'4001','4002','sample','sample/kettle','502cbeaea5f19b3d','[3, 1, 0, 2]',2646278175089776126,'2026-03-14T07:00:00.000000+00:00','2026-03-14T07:00:00.000000+00:00','2026-03-14T08:00:00.000000+00:00','now',NULL,'posted','7051',12);
INSERT INTO "drops" VALUES(52,32,NULL,'5001','5002','other','other/steam','a8b63c00d508f7a9','[0, 1, 2, 3]',78,'2026-03-14T07:00:00.000000+00:00','2026-03-14T07:00:00.000000+00:00','2026-03-14T07:30:00.000000+00:00','now',NULL,'claimed',NULL,NULL);
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
INSERT INTO "missed_slots" VALUES(1,'2026-03-08T07:00:00.000000+00:00');
INSERT INTO "missed_slots" VALUES(3,'2026-03-08T12:00:00.000000+00:00');
INSERT INTO "missed_slots" VALUES(4,'2026-03-07T22:00:00.000000+00:00');
INSERT INTO "missed_slots" VALUES(4,'2026-03-13T22:00:00.000000+00:00');
CREATE TABLE questions (
        version TEXT PRIMARY KEY,
        id      TEXT NOT NULL,
        body    TEXT NOT NULL
    ) WITHOUT ROWID
    ;
INSERT INTO "questions" VALUES('502cbeaea5f19b3d','sample/kettle','{"deck":"sample","slug":"kettle","domain":"basics","stem":"What is right about kettle?","options":[{"text":"The alpha option of kettle","correct":false,"rationale":"The alpha reason of kettle.","misconception":"Mistakes kettle for alpha"},{"text":"The beta option of kettle","correct":true,"rationale":"The beta reason of kettle.","misconception":null},{"text":"The gamma option of kettle","correct":false,"rationale":"The gamma reason of kettle.","misconception":"Mistakes kettle for gamma"},{"text":"The delta option of kettle","correct":false,"rationale":"The delta reason of kettle.","misconception":"Mistakes kettle for delta"}],"short":"In short, kettle is like a kettle. It whistles.","full":"The long story of kettle: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/kettle"]}');
INSERT INTO "questions" VALUES('89cfa6e1636776c6','sample/raft','{"deck":"sample","slug":"raft","domain":"basics","stem":"What is right about raft?","options":[{"text":"The alpha option of raft","correct":false,"rationale":"The alpha reason of raft.","misconception":"Mistakes raft for alpha"},{"text":"The beta option of raft","correct":true,"rationale":"The beta reason of raft.","misconception":null},{"text":"The gamma option of raft","correct":false,"rationale":"The gamma reason of raft.","misconception":"Mistakes raft for gamma"},{"text":"The delta option of raft","correct":false,"rationale":"The delta reason of raft.","misconception":"Mistakes raft for delta"}],"short":"In short, raft is like a kettle. It whistles.","full":"The long story of raft: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/raft"]}');
INSERT INTO "questions" VALUES('a8b63c00d508f7a9','other/steam','{"deck":"other","slug":"steam","domain":"basics","stem":"What is right about steam?","options":[{"text":"The alpha option of steam","correct":false,"rationale":"The alpha reason of steam.","misconception":"Mistakes steam for alpha"},{"text":"The beta option of steam","correct":true,"rationale":"The beta reason of steam.","misconception":null},{"text":"The gamma option of steam","correct":false,"rationale":"The gamma reason of steam.","misconception":"Mistakes steam for gamma"},{"text":"The delta option of steam","correct":false,"rationale":"The delta reason of steam.","misconception":"Mistakes steam for delta"}],"short":"In short, steam is like a kettle. It whistles.","full":"The long story of steam: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/steam"]}');
INSERT INTO "questions" VALUES('e6ebde650c250730','other/ice','{"deck":"other","slug":"ice","domain":"basics","stem":"What is right about ice?","options":[{"text":"The alpha option of ice","correct":false,"rationale":"The alpha reason of ice.","misconception":"Mistakes ice for alpha"},{"text":"The beta option of ice","correct":true,"rationale":"The beta reason of ice.","misconception":null},{"text":"The gamma option of ice","correct":false,"rationale":"The gamma reason of ice.","misconception":"Mistakes ice for gamma"},{"text":"The delta option of ice","correct":false,"rationale":"The delta reason of ice.","misconception":"Mistakes ice for delta"}],"short":"In short, ice is like a kettle. It whistles.","full":"The long story of ice: {a} differs from {b}, {c} and {d}.","image":null,"tags":[],"sources":["https://example.org/ice"]}');
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
    );
INSERT INTO "schedules" VALUES(1,'4001','sample','4002','["08:00"]','[0, 1, 2, 3, 4, 5, 6]',60,'now',NULL,0,NULL,'2026-03-14T07:00:00.000000+00:00');
INSERT INTO "schedules" VALUES(2,'4001','sample','4010','["12:00", "18:30"]','[0, 2]',60,'at close','4009',1,NULL,'2026-03-11T17:30:00.000000+00:00');
INSERT INTO "schedules" VALUES(3,'5001','other','5002','["21:00"]','[0, 1, 2, 3, 4, 5, 6]',1440,'now',NULL,0,NULL,'2026-03-13T12:00:00.000000+00:00');
INSERT INTO "schedules" VALUES(4,'5001','other','5003','["07:00"]','[0, 1, 2, 3, 4, 5, 6]',1440,'now',NULL,0,'I may not post in <#5003>, so a question was not posted. Please allow me to view it.','2026-03-13T22:00:00.000000+00:00');
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
INSERT INTO "streaks" VALUES('4001','6001',12,12,1,5,12,12);
INSERT INTO "streaks" VALUES('4001','6002',3,4,0,3,12,10);
INSERT INTO "streaks" VALUES('4001','6003',1,2,0,1,11,4);
INSERT INTO "streaks" VALUES('5001','6001',11,11,1,4,11,11);
INSERT INTO "streaks" VALUES('5001','6002',2,4,0,2,11,9);
INSERT INTO "streaks" VALUES('5001','6003',1,2,0,1,11,4);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX schedules_of_group ON schedules(group_id);
CREATE INDEX drops_under_way ON drops(closes_at)
        WHERE state IN ('claimed', 'posted', 'closed')
    ;
CREATE INDEX drops_of_group ON drops(group_id, day);
CREATE INDEX drops_by_message ON drops(message);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('schedules',5);
INSERT INTO "sqlite_sequence" VALUES('drops',52);
COMMIT;
