"""Tables of one's own: in SQL, and with a descriptor. Without a connector a table is a topic of the platform's broker."""

from __future__ import annotations

from pyflink.table import DataTypes, Schema
from pyflink.table.confluent import ConfluentTableDescriptor
from pyflink.table.expressions import col, lit

from table_api_examples.session import environment


def run() -> None:
    env = environment()

    env.execute_sql("CREATE TABLE visits (visitor STRING, pages INT) DISTRIBUTED INTO 2 BUCKETS")

    # The same kind of table, described in Python; event time is the record's own, five seconds may be late.
    env.create_table(
        "orders_of_mine",
        ConfluentTableDescriptor.for_managed()
        .schema(
            Schema.new_builder()
            .column("customer", DataTypes.INT().not_null())
            .column("price", DataTypes.DOUBLE())
            .watermark("$rowtime", col("$rowtime").minus(lit(5).seconds))
            .build()
        )
        .distributed_into(2)
        .value_format("json")
        .build(),
    )

    # With a primary key a table holds the latest row of each key.
    env.execute_sql("CREATE TABLE totals (customer INT, spent DOUBLE, PRIMARY KEY (customer) NOT ENFORCED)")

    print("tables:", env.list_tables())
    env.from_path("orders_of_mine").print_schema()
    for name in ("visits", "orders_of_mine", "totals"):
        env.drop_table(name)


if __name__ == "__main__":
    run()
