"""Pipelines: a query with its sink. One, or several that read their input once."""

from __future__ import annotations

from pyflink.table.confluent import ConfluentTools
from pyflink.table.expressions import col

from table_api_examples.session import environment


def run() -> None:
    env = environment()
    env.execute_sql("CREATE TABLE agents (click_id STRING, user_agent STRING)")
    env.execute_sql("CREATE TABLE long_views (click_id STRING, view_time INT)")
    clicks = env.from_path("examples.marketplace.clicks")

    # One job for both tables. It does not end by itself, so it goes on while the program reads what it writes.
    pipelines = env.create_statement_set()
    pipelines.add(clicks.select(col("click_id"), col("user_agent")).insert_into("agents"))
    pipelines.add_insert("long_views", clicks.filter(col("view_time") > 100).select(col("click_id"), col("view_time")))
    job = pipelines.execute()

    ConfluentTools.print_changelog_limit(env.from_path("agents"), 3)
    ConfluentTools.print_changelog_limit(env.from_path("long_views"), 3)

    client = job.get_job_client()
    assert client is not None
    client.cancel().result()
    for name in ("agents", "long_views"):
        env.drop_table(name)


if __name__ == "__main__":
    run()
