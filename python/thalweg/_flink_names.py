"""Gives the public objects of a module the module path that Flink has for them (`pyflink...`)."""

from typing import Any


def use_flink_names(module: dict[str, Any]) -> None:
    """To be called with `globals()` at the end of a module: messages, help() and pickles then name Flink's paths."""
    own = module["__name__"]
    flink = "pyflink" + own.removeprefix("thalweg")
    for value in list(module.values()):
        if getattr(value, "__module__", None) == own and (isinstance(value, type) or hasattr(value, "__code__")):
            value.__module__ = flink
