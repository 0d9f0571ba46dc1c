"""Python values in tables and back: which type they get, and how to give another."""

from __future__ import annotations

import datetime
from decimal import Decimal

from pyflink.table import DataTypes
from pyflink.table.expressions import array, lit, map_, null_of, row

from table_api_examples.session import environment


def run() -> None:
    env = environment()

    # Types follow from the values ...
    env.from_elements([("a", 1, 1.5, True, Decimal("9.99"), datetime.date(2024, 2, 29))], ["s", "i", "d", "b", "m", "day"]).print_schema()

    # ... or are given.
    data_type = DataTypes.ROW([DataTypes.FIELD("id", DataTypes.SMALLINT()), DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.STRING()))])
    typed = env.from_elements([(1, ["new", "blue"]), (2, None)], data_type)
    typed.print_schema()
    typed.execute().print()

    # Literals are expressions with types of their own.
    values = env.from_elements([row(lit(1), null_of(DataTypes.STRING()), array(1, 2, 3), map_("k", 7), lit(30).seconds)])
    values.print_schema()

    # Rows come back as Python values.
    with typed.execute().collect() as rows:
        for found in rows:
            print(found[0], found[1])


if __name__ == "__main__":
    run()
