"""The smallest table programs: one with Table objects, one with SQL."""

from __future__ import annotations

from pyflink.table.expressions import row

from table_api_examples.session import environment


def run() -> None:
    env = environment()

    # A table of one row. A bounded query ends by itself, and print() returns then.
    env.from_elements([row("Hello world!")]).execute().print()

    # The same in SQL. Both are planned alike, and can be mixed.
    env.sql_query("SELECT 'Hello world!'").execute().print()


if __name__ == "__main__":
    run()
