"""Filters, projections, aggregates, windows: each method makes another Table, and nothing runs before `execute`."""

from __future__ import annotations

from pyflink.table.confluent import ConfluentTools
from pyflink.table.expressions import col, lit
from pyflink.table.window import Tumble

from table_api_examples.session import environment


def run() -> None:
    env = environment()
    orders = env.from_path("examples.marketplace.orders")

    dear = orders.filter(col("price") > 95).select(col("customer_id"), col("price"), (col("price") * 0.19).round(2).alias("tax"))
    ConfluentTools.print_changelog_limit(dear, 3)

    # Each new order changes the row of its customer: the old version is taken back (-U), the new one comes (+U).
    few = orders.filter(col("customer_id") < 3003)
    spent = few.group_by(col("customer_id")).select(col("customer_id"), col("price").sum.round(2).alias("spent"))
    ConfluentTools.print_changelog_limit(spent, 5)

    # A window's result comes once, when the watermark has passed its end. `$rowtime` is the time of each record.
    minutes = (
        orders.window(Tumble.over(lit(1).minutes).on(col("$rowtime")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("minute"), col("price").count.alias("orders"), col("price").avg.round(2).alias("mean"))
    )
    ConfluentTools.print_materialized_limit(minutes, 3)


if __name__ == "__main__":
    run()
