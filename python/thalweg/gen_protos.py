"""Flink's generator of Protobuf files for its Python workers. Functions run in the process here: there is nothing to generate."""

from __future__ import annotations

from thalweg._flink_names import use_flink_names

__all__ = ["generate_proto_files"]


def generate_proto_files(force: bool = True, output_dir: str | None = None) -> None:
    """Accepted: nothing is generated."""
    del force, output_dir


use_flink_names(globals())
