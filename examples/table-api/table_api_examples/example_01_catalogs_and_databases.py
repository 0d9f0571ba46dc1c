"""Tables lie in databases, databases in catalogs. How to look around, and how names without a catalog are found."""

from __future__ import annotations

from table_api_examples.session import environment


def run() -> None:
    env = environment()
    print("catalogs:", env.list_catalogs())

    # A full name always works.
    env.from_path("examples.marketplace.clicks").print_schema()

    # After this, names without a catalog are looked for in `examples`, and those of one part in `marketplace`.
    env.use_catalog("examples")
    env.use_database("marketplace")
    print("here:", env.get_current_catalog(), env.get_current_database())
    print("tables:", env.list_tables())
    env.from_path("orders").print_schema()
    env.from_path("marketplace.orders").print_schema()


if __name__ == "__main__":
    run()
