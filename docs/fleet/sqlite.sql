-- SPDX-FileCopyrightText: The a11yd authors
-- SPDX-License-Identifier: Apache-2.0

-- The logs of many machines in one SQLite database, for questions in SQL. From an engine:
--
--   sqlite3 fleet.db < sqlite.sql
--   a11y-forward --read '*' | sed 's/ /\t/; s/ /\t/' > lines
--   sqlite3 fleet.db -cmd '.mode ascii' -cmd '.separator "\t" "\n"' '.import lines arrivals'
--
-- The same lines may come again: the later copy of a key holds.

CREATE TABLE lines (
  machine TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL,
  PRIMARY KEY (machine, epoch, seq)
) WITHOUT ROWID;

CREATE TABLE gaps (
  machine TEXT NOT NULL, epoch TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL,
  reason TEXT, PRIMARY KEY (machine, epoch, from_seq, to_seq)
) WITHOUT ROWID;

-- What arrives is sorted at once, and does not stay here.
CREATE TABLE arrivals (machine TEXT NOT NULL, epoch TEXT NOT NULL, line TEXT NOT NULL);

CREATE TRIGGER sort_arrival AFTER INSERT ON arrivals BEGIN
  INSERT OR REPLACE INTO lines
    SELECT NEW.machine, NEW.epoch, json_extract(NEW.line, '$.seq'), NEW.line
    WHERE json_type(NEW.line, '$.seq') = 'integer';
  INSERT OR REPLACE INTO gaps
    SELECT NEW.machine, NEW.epoch, json_extract(NEW.line, '$.from'),
      json_extract(NEW.line, '$.to'), json_extract(NEW.line, '$.reason')
    WHERE json_extract(NEW.line, '$.mark') = 'gap';
  -- An entry about forgetting takes what it names along. An epoch goes on with the numbers of the
  -- one before it, so that lower seqs are in an older one.
  DELETE FROM lines WHERE json_extract(NEW.line, '$.event.type') = 'forgot'
    AND machine = NEW.machine
    AND (epoch = NEW.epoch OR seq < (SELECT min(seq) FROM lines AS own
      WHERE own.machine = NEW.machine AND own.epoch = NEW.epoch))
    AND EXISTS (SELECT 1 FROM json_each(NEW.line, '$.event.ranges')
      WHERE seq BETWEEN json_extract(value, '$[0]') AND json_extract(value, '$[1]'));
  DELETE FROM arrivals WHERE rowid = NEW.rowid;
END;

-- Entries, with the fields that most questions ask for. Times are microseconds since 1970. An entry
-- of the bus is under the app that it is about.
CREATE VIEW entries AS
  SELECT machine, epoch, seq, line ->> '$.time' AS time,
    coalesce(line ->> '$.event.app', line ->> '$.app') AS app, line ->> '$.uid' AS uid,
    line ->> '$.event.type' AS type, line ->> '$.event.text' AS text, line
  FROM lines;

CREATE VIEW outcomes AS
  SELECT machine, epoch, seq, time, app, line ->> '$.event.of' AS of,
    line ->> '$.event.result' AS result, line ->> '$.event.rule' AS rule,
    line ->> '$.event.why.reason' AS reason
  FROM entries WHERE type = 'outcome';

-- The texts that a person has lost, and those that were heard.
CREATE VIEW unheard_by_app AS
  SELECT app, count(DISTINCT machine) AS machines, sum(result = 'heard') AS heard,
    sum(result IN ('expired', 'undeliverable')) AS lost
  FROM outcomes GROUP BY app ORDER BY lost DESC;

CREATE VIEW unheard_by_machine AS
  SELECT machine, sum(result = 'heard') AS heard,
    sum(result IN ('expired', 'undeliverable')) AS lost
  FROM outcomes GROUP BY machine ORDER BY lost DESC;

-- The age of the newest entry of each machine, in seconds.
CREATE VIEW machines AS
  SELECT machine, count(*) AS entries, max(time) AS time,
    CAST(strftime('%s', 'now') AS INTEGER) - max(time) / 1000000 AS age
  FROM entries GROUP BY machine ORDER BY age DESC;

CREATE VIEW events_by_hour AS
  SELECT machine, app, strftime('%Y-%m-%d %H:00', time / 1000000, 'unixepoch') AS hour,
    count(*) AS events
  FROM entries WHERE line ->> '$.conn' > 0 GROUP BY machine, app, hour;

-- Seqs that are missing within an epoch: forgotten, filtered or in a gap.
CREATE VIEW missing AS
  SELECT machine, epoch, before + 1 AS from_seq, seq - 1 AS to_seq FROM (
    SELECT machine, epoch, seq,
      lag(seq) OVER (PARTITION BY machine, epoch ORDER BY seq) AS before
    FROM lines
  ) WHERE seq > before + 1;
