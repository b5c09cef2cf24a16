-- SPDX-FileCopyrightText: The a11yd authors
-- SPDX-License-Identifier: Apache-2.0

-- The logs of many machines in ClickHouse. From an engine:
--
--   a11y-forward --read '*' | sed 's/ /\t/; s/ /\t/' |
--     clickhouse-client --query 'INSERT INTO a11yd.lines (machine, epoch, line) FORMAT TSVRaw'
--
-- The same lines may come again: the later copy of a key holds.

CREATE DATABASE IF NOT EXISTS a11yd;

CREATE TABLE IF NOT EXISTS a11yd.lines (
  machine String,
  epoch String,
  line String CODEC(ZSTD),
  -- The seq of an entry, and the last one of a gap.
  seq UInt64 MATERIALIZED if(JSONHas(line, 'seq'), JSONExtractUInt(line, 'seq'),
    JSONExtractUInt(line, 'to')),
  time DateTime64(6, 'UTC')
    MATERIALIZED fromUnixTimestamp64Micro(JSONExtractInt(line, 'time')),
  is_gap Bool MATERIALIZED JSONExtractString(line, 'mark') = 'gap',
  type LowCardinality(String) MATERIALIZED JSONExtractString(line, 'event', 'type'),
  app LowCardinality(String) MATERIALIZED if(JSONHas(line, 'event', 'app'),
    JSONExtractString(line, 'event', 'app'), JSONExtractString(line, 'app')),
  result LowCardinality(String) MATERIALIZED JSONExtractString(line, 'event', 'result'),
  arrived DateTime64(6, 'UTC') DEFAULT now64(6)
) ENGINE = ReplacingMergeTree(arrived)
-- A forgotten entry keeps its time, so that its copies meet in one partition.
PARTITION BY toYYYYMM(time)
ORDER BY (machine, epoch, is_gap, seq);

-- Entries that were forgotten since they came. Delete them for good, now and then:
--   ALTER TABLE a11yd.lines DELETE WHERE (machine, epoch, seq) IN a11yd.forgotten;
-- An epoch goes on with the numbers of the one before it, so that lower seqs are in an older one.
CREATE VIEW IF NOT EXISTS a11yd.forgotten AS
  SELECT l.machine AS machine, l.epoch AS epoch, l.seq AS seq
  FROM a11yd.lines AS l
  INNER JOIN (
    SELECT machine, epoch, arrayJoin(JSONExtract(line, 'event', 'ranges',
      'Array(Array(UInt64))')) AS range
    FROM a11yd.lines WHERE type = 'forgot'
  ) AS f ON l.machine = f.machine
  INNER JOIN (
    SELECT machine, epoch, min(seq) AS first FROM a11yd.lines WHERE NOT is_gap
    GROUP BY machine, epoch
  ) AS e ON e.machine = f.machine AND e.epoch = f.epoch
  WHERE l.seq BETWEEN f.range[1] AND f.range[2] AND l.type != 'forgot' AND NOT l.is_gap
    AND (l.epoch = f.epoch OR l.seq < e.first);

CREATE VIEW IF NOT EXISTS a11yd.machines AS
  SELECT machine, count() AS entries, max(time) AS newest, now() - max(time) AS age
  FROM a11yd.lines FINAL WHERE NOT is_gap GROUP BY machine ORDER BY age DESC;

CREATE VIEW IF NOT EXISTS a11yd.unheard_by_app AS
  SELECT app, uniqExact(machine) AS machines, countIf(result = 'heard') AS heard,
    countIf(result IN ('expired', 'undeliverable')) AS lost
  FROM a11yd.lines FINAL WHERE type = 'outcome' GROUP BY app ORDER BY lost DESC;

CREATE VIEW IF NOT EXISTS a11yd.events_by_hour AS
  SELECT machine, app, toStartOfHour(time) AS hour, count() AS events
  FROM a11yd.lines FINAL WHERE JSONExtractInt(line, 'conn') > 0 GROUP BY machine, app, hour;

CREATE VIEW IF NOT EXISTS a11yd.gaps AS
  SELECT machine, epoch, JSONExtractUInt(line, 'from') AS from_seq,
    JSONExtractUInt(line, 'to') AS to_seq, JSONExtractString(line, 'reason') AS reason
  FROM a11yd.lines FINAL WHERE is_gap;
