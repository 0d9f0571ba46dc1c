"""Tables that never end: how to look at some of their rows, and how to stop a statement."""

from __future__ import annotations

from pyflink.table.confluent import ConfluentTools

from table_api_examples.session import environment


def run() -> None:
    env = environment()
    clicks = env.from_path("examples.marketplace.clicks")

    # clicks.execute().print() would go on for ever. These stop the query after so many rows.
    ConfluentTools.print_changelog_limit(clicks, 5)
    first = ConfluentTools.collect_changelog_limit(clicks, 20)
    print(f"{len(first)} clicks by {len({row[1] for row in first})} users")

    # By hand: an iterator that is closed stops its query.
    result = env.execute_sql("SELECT user_agent FROM examples.marketplace.clicks")
    with result.collect() as rows:
        print("the first agent:", next(rows)[0])

    # Or by the statement's name, from anywhere in the program.
    result = env.execute_sql("SELECT * FROM examples.marketplace.orders")
    name = ConfluentTools.get_statement_name(result)
    ConfluentTools.stop_statement_by_name(env, name)
    print("stopped a statement of", name.split("-")[0], "kind")


if __name__ == "__main__":
    run()
