"""The Nexmark programs, in Nexmark's own SQL (github.com/nexmark/nexmark, Apache-2.0), and its events as a JSON file."""

from __future__ import annotations

import pathlib
import shutil

from measure import measure
from programs import Program

EVENTS_PER_SECOND = 10_000

_COLUMNS = """
  event_type INT,
  person ROW<id BIGINT, name VARCHAR, emailAddress VARCHAR, creditCard VARCHAR, city VARCHAR, state VARCHAR,
             `dateTime` TIMESTAMP(3), extra VARCHAR>,
  auction ROW<id BIGINT, itemName VARCHAR, description VARCHAR, initialBid BIGINT, reserve BIGINT, `dateTime` TIMESTAMP(3),
              expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra VARCHAR>,
  bid ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR>"""

_TABLE = """CREATE TABLE datagen ({columns},
  `dateTime` AS CASE WHEN event_type = 0 THEN person.`dateTime` WHEN event_type = 1 THEN auction.`dateTime` ELSE bid.`dateTime` END,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH ({source});
CREATE VIEW bid AS SELECT bid.auction, bid.bidder, bid.price, bid.channel, bid.url, `dateTime`, bid.extra
FROM datagen WHERE event_type = 2"""


def _query(name: str, sink: str, query: str) -> Program:
    return Program(name, _TABLE.replace("{columns}", _COLUMNS), sink, query)


#: The events as they are, all columns.
SOURCE = Program("source", f"CREATE TABLE datagen ({_COLUMNS}) WITH ({{source}})", _COLUMNS, "SELECT * FROM datagen")

QUERIES = (
    _query(
        "q0",
        "auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3), extra VARCHAR",
        "SELECT auction, bidder, price, `dateTime`, extra FROM bid",
    ),
    _query(
        "q1",
        "auction BIGINT, bidder BIGINT, price DECIMAL(23, 3), `dateTime` TIMESTAMP(3), extra VARCHAR",
        "SELECT auction, bidder, 0.908 * price as price, `dateTime`, extra FROM bid",
    ),
    _query("q2", "auction BIGINT, price BIGINT", "SELECT auction, price FROM bid WHERE MOD(auction, 123) = 0"),
    _query(
        "q11",
        "bidder BIGINT, bid_count BIGINT, starttime TIMESTAMP(3), endtime TIMESTAMP(3)",
        """SELECT B.bidder, count(*) as bid_count, SESSION_START(B.`dateTime`, INTERVAL '10' SECOND) as starttime,
  SESSION_END(B.`dateTime`, INTERVAL '10' SECOND) as endtime
FROM bid B GROUP BY B.bidder, SESSION(B.`dateTime`, INTERVAL '10' SECOND)""",
    ),
    _query(
        "q17",
        "auction BIGINT, `day` VARCHAR, total_bids BIGINT, rank1_bids BIGINT, rank2_bids BIGINT, rank3_bids BIGINT, min_price BIGINT,"
        " max_price BIGINT, avg_price BIGINT, sum_price BIGINT",
        """SELECT auction, DATE_FORMAT(`dateTime`, 'yyyy-MM-dd') as `day`, count(*) AS total_bids,
  count(*) filter (where price < 10000) AS rank1_bids,
  count(*) filter (where price >= 10000 and price < 1000000) AS rank2_bids,
  count(*) filter (where price >= 1000000) AS rank3_bids,
  min(price) AS min_price, max(price) AS max_price, avg(price) AS avg_price, sum(price) AS sum_price
FROM bid GROUP BY auction, DATE_FORMAT(`dateTime`, 'yyyy-MM-dd')""",
    ),
)


def generated(events: int) -> str:
    """The options of our seeded source."""
    rate = f"'first-event.rate' = '{EVENTS_PER_SECOND}', 'next-event.rate' = '{EVENTS_PER_SECOND}'"
    return f"'connector' = 'nexmark', 'events.num' = '{events}', {rate}"


def write_events(thalweg: str, path: pathlib.Path, events: int) -> None:
    """The events of our seeded source as JSON lines in one file."""
    if path.exists():
        return
    folder = path.with_suffix(".parts")
    shutil.rmtree(folder, ignore_errors=True)
    script = path.with_suffix(".sql")
    script.write_text(
        f"CREATE TABLE source ({_COLUMNS}) WITH ({generated(events)});\n"
        f"CREATE TABLE target ({_COLUMNS}) WITH ('connector' = 'filesystem', 'path' = '{folder}', 'format' = 'json');\n"
        "INSERT INTO target SELECT * FROM source;\n"
    )
    measure([thalweg, "sql", "-f", str(script)])
    parts = sorted(part for part in folder.iterdir() if part.is_file())
    partial = path.with_suffix(".partial")
    with open(partial, "wb") as out:
        for part in parts:
            with open(part, "rb") as lines:
                shutil.copyfileobj(lines, out)
    shutil.rmtree(folder)
    partial.rename(path)
