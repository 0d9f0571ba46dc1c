"""One pipeline, tried on a few rows of one's own and then started on the real input.

The pipeline is a function of its input table, so that a test can hand it another one.
"""

from __future__ import annotations

import sys

from pyflink.table import Row, Table
from pyflink.table.confluent import ConfluentTools
from pyflink.table.expressions import col, row

from table_api_examples.session import environment


def vendors_per_brand(products: Table) -> Table:
    """How many vendors sell a brand."""
    return (
        products.select(col("vendor"), col("brand"))
        .distinct()
        .group_by(col("brand"))
        .select(col("brand"), col("vendor").count.alias("vendors"))
    )


def run(arguments: list[str] | None = None) -> None:
    arguments = sys.argv[1:] if arguments is None else arguments
    env = environment()

    # Try it: a bounded table of known rows, and the result that it must give.
    known = env.from_elements([row("Alder", "North"), row("Alder", "River"), row("Birke", "North")]).alias("brand", "vendor")
    found = ConfluentTools.collect_materialized(vendors_per_brand(known))
    expected = [Row("Alder", 2), Row("Birke", 1)]
    if sorted(found, key=str) != sorted(expected, key=str):
        raise SystemExit(f"{found} is not {expected}")
    print("the pipeline does what it should")

    # Start it: `--deploy` writes into a table of its own and leaves the job running until Ctrl-C.
    env.execute_sql("CREATE TABLE vendors_per_brand (brand STRING, vendors BIGINT, PRIMARY KEY (brand) NOT ENFORCED)")
    result = vendors_per_brand(env.from_path("examples.marketplace.products")).execute_insert("vendors_per_brand")
    print("started", ConfluentTools.get_statement_name(result).rpartition("-")[2])
    if "--deploy" in arguments:
        result.wait()
    ConfluentTools.print_materialized_limit(env.from_path("vendors_per_brand"), 5)
    ConfluentTools.stop_statement(result)


if __name__ == "__main__":
    run()
