-- Average temperature of each sensor over the last ten minutes, every five minutes.
CREATE TABLE temperatures (
  sensor_id INT,
  temperature DOUBLE,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka',
  'topic' = 'temperatures',
  'properties.bootstrap.servers' = 'broker:9092',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'key.format' = 'raw',
  'key.fields' = 'sensor_id',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://schema-registry:8081',
  'value.fields-include' = 'EXCEPT_KEY'
);

-- The query below reads what is there when it starts, so the readings have to be.
SET 'table.dml-sync' = 'true';

INSERT INTO temperatures VALUES
  (7, 21.0, TO_TIMESTAMP('2026-03-01 10:01:00')),
  (7, 23.0, TO_TIMESTAMP('2026-03-01 10:06:00')),
  (8, 40.5, TO_TIMESTAMP('2026-03-01 10:06:30')),
  (7, 25.0, TO_TIMESTAMP('2026-03-01 10:12:00'));

SELECT sensor_id, window_start, window_end, AVG(temperature) AS average
FROM TABLE(HOP(TABLE temperatures, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES))
GROUP BY sensor_id, window_start, window_end;
