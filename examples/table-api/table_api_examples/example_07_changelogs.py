"""Changes and the table that they make: two views of the same query."""

from __future__ import annotations

from pyflink.table.confluent import ConfluentTools
from pyflink.table.expressions import col, row

from table_api_examples.session import environment


def run() -> None:
    env = environment()
    words = env.from_elements([row("tea"), row("milk"), row("tea"), row("tea")]).alias("word")
    counts = words.group_by(col("word")).select(col("word"), col("word").count.alias("n"))

    # Every change, in order: a count that changes is taken back (-U) and sent anew (+U).
    ConfluentTools.print_changelog(counts)

    # What is left when all changes are applied.
    ConfluentTools.print_materialized(counts)

    # A table with a key sends changes too: customers who come again have moved.
    customers = env.from_path("examples.marketplace.customers").select(col("customer_id"), col("city"))
    changes = ConfluentTools.collect_changelog_limit(customers, 260)
    print("kinds of changes:", sorted({str(change.get_row_kind()) for change in changes}))


if __name__ == "__main__":
    run()
