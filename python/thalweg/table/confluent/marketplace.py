"""The catalog `examples`: a made-up marketplace whose clicks, orders, customers and products never end and are the same each time.

Every value follows from the number of its row, and so does the row's time: a query over the first rows gives the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalweg._native import Session

CATALOG = "examples"
DATABASE = "marketplace"
_MODE = "execution.runtime-mode"
_ROWS_PER_SECOND = 500
_FIRST_MS = 1_704_067_200_000  # 2024-01-01 00:00:00 UTC

_AGENTS = ("Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (Macintosh)", "Mozilla/5.0 (Windows NT 10.0)", "Opera/9.80", "curl/8.5.0")
_FIRST_NAMES = ("Ada", "Bela", "Carla", "Deniz", "Emeka", "Freya", "Goran", "Hana", "Ines", "Jonas", "Keiko")
_LAST_NAMES = ("Acker", "Bauer", "Costa", "Diallo", "Eriksen", "Fischer", "Garcia", "Haas", "Ito", "Jansen", "Kowalski", "Lindt", "Moreau")
_STREETS = ("Mill Lane", "Harbour Street", "Station Road", "Church Walk", "Elm Avenue", "River Quay", "Market Square")
_CITIES = ("Basel", "Bergen", "Coimbra", "Graz", "Lyon", "Malmo", "Porto", "Turku", "Utrecht")
_GOODS = ("Kettle", "Lamp", "Chair", "Backpack", "Drill", "Blanket", "Camera", "Bicycle Bell", "Teapot", "Notebook", "Umbrella", "Radio")
_MATERIALS = ("Steel", "Oak", "Linen", "Copper", "Cork")
_BRANDS = ("Alder", "Birke", "Cedro", "Dorn", "Esche")
_VENDORS = ("Northwind Traders", "Riverside Goods", "Hilltop Supply", "Old Town Wares")
_DEPARTMENTS = ("Kitchen", "Living", "Outdoor", "Tools", "Office", "Sport")

# Multipliers without a common factor with the sizes of the lists: neighbours differ, and every combination comes.
_HASHES = {"a": (7_919, 17), "b": (6_151, 401), "c": (4_297, 83), "d": (3_571, 1_009), "e": (2_741, 5)}


def _hash(name: str, size: int, of: str = "n") -> str:
    factor, offset = _HASHES[name]
    return f"CAST(MOD({of} * {factor} + {offset}, {size}) AS INT)"


def _pick(name: str, texts: tuple[str, ...], of: str = "n") -> str:
    listed = ", ".join("'" + text.replace("'", "''") + "'" for text in texts)
    return f"ELT({_hash(name, len(texts), of)} + 1, {listed})"


def _generator(name: str, step_ms: int) -> str:
    """The numbers 0, 1, 2, ... with their times."""
    return f"""CREATE TABLE `{CATALOG}`.`generators`.`{name}` (
      n BIGINT,
      `$rowtime` AS TO_TIMESTAMP_LTZ({_FIRST_MS} + n * {step_ms}, 3),
      WATERMARK FOR `$rowtime` AS `$rowtime`
    ) WITH ('connector' = 'datagen', 'rows-per-second' = '{_ROWS_PER_SECOND}',
      'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '9000000000000000')"""


def _view(name: str, columns: dict[str, str]) -> str:
    """Rows that are only added."""
    listed = ", ".join(f"{text} AS `{column}`" for column, text in columns.items())
    return f"CREATE VIEW `{CATALOG}`.`{DATABASE}`.`{name}` AS SELECT {listed}, `$rowtime` FROM `{CATALOG}`.`generators`.`{name}`"


def _keyed_view(name: str, key: str, number: str, columns: dict[str, str]) -> str:
    """Rows that are updated by key. `k` is the number of the key: what follows from it stays, what follows from `n` changes."""
    latest = ", ".join(f"LAST_VALUE(`{column}`) AS `{column}`" for column in columns if column != key)
    listed = ", ".join(f"{text} AS `{column}`" for column, text in columns.items())
    return (
        f"CREATE VIEW `{CATALOG}`.`{DATABASE}`.`{name}` AS SELECT `{key}`, {latest} "
        f"FROM (SELECT {listed} FROM (SELECT n, {number} AS k FROM `{CATALOG}`.`generators`.`{name}`)) GROUP BY `{key}`"
    )


def _statements() -> list[str]:
    first, last = _pick("a", _FIRST_NAMES, "k"), _pick("b", _LAST_NAMES, "k")
    return [
        f"CREATE CATALOG `{CATALOG}` WITH ('type' = 'generic_in_memory', 'default-database' = '{DATABASE}')",
        f"CREATE DATABASE IF NOT EXISTS `{CATALOG}`.`{DATABASE}`",
        f"CREATE DATABASE IF NOT EXISTS `{CATALOG}`.`generators`",
        _generator("clicks", 100),
        _generator("orders", 250),
        _generator("customers", 1_000),
        _generator("products", 1_000),
        _view(
            "clicks",
            {
                "click_id": "CAST(SUBSTRING(MD5(CONCAT('click', CAST(n AS STRING))), 1, 12) AS STRING)",
                "user_id": f"3000 + {_hash('a', 1000)}",
                "url": f"CONCAT('https://www.example.com/product/', CAST({_hash('b', 60)} AS STRING))",
                "user_agent": _pick("c", _AGENTS),
                "view_time": f"5 + {_hash('d', 120)}",
            },
        ),
        _view(
            "orders",
            {
                "order_id": "CAST(MD5(CONCAT('order', CAST(n AS STRING))) AS STRING)",
                "customer_id": f"3000 + {_hash('a', 250)}",
                "product_id": f"CAST(1000 + {_hash('b', 60)} AS STRING)",
                "price": f"CAST(1000 + {_hash('c', 9900)} AS DOUBLE) / 100",
            },
        ),
        _keyed_view(
            "customers",
            "customer_id",
            _hash("a", 250),
            {
                "customer_id": "3000 + k",
                "name": f"CONCAT({first}, ' ', {last})",
                "address": f"CONCAT(CAST(1 + {_hash('c', 99)} AS STRING), ' ', {_pick('d', _STREETS)})",
                "postcode": f"CAST(10000 + {_hash('e', 80000)} AS STRING)",
                "city": _pick("e", _CITIES),
                "email": f"LOWER(CONCAT({first}, '.', {last}, '@example.com'))",
            },
        ),
        _keyed_view(
            "products",
            "product_id",
            _hash("b", 60),
            {
                "product_id": "CAST(1000 + k AS STRING)",
                "name": f"CONCAT({_pick('a', _MATERIALS, 'k')}, ' ', {_pick('c', _GOODS, 'k')})",
                "brand": _pick("d", _BRANDS, "k"),
                "vendor": _pick("e", _VENDORS),
                "department": _pick("a", _DEPARTMENTS, "k"),
            },
        ),
    ]


def create_marketplace(session: Session) -> None:
    """Makes the catalog in a session. Its tables never end, so they are for streaming; batch mode says so where it reads one."""
    mode = session.get(_MODE)
    session.set(_MODE, "STREAMING")
    try:
        for statement in _statements():
            session.execute(statement)
    finally:
        if mode is None:
            session.reset(_MODE)
        else:
            session.set(_MODE, mode)
