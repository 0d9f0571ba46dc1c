"""Gives the public objects of a module the module path that Flink has for them (`pyflink...`)."""

from typing import Any


def use_flink_names(module: dict[str, Any], home: str | None = None) -> None:
    """To be called with `globals()` at the end of a module: messages, help() and pickles then name Flink's paths.

    `home` is Flink's module where one module of Flink's is several here; it must give these objects too.
    """
    own = module["__name__"]
    flink = home or "pyflink" + own.removeprefix("thalweg")
    for value in list(module.values()):
        if getattr(value, "__module__", None) == own and (isinstance(value, type) or hasattr(value, "__code__")):
            value.__module__ = flink
