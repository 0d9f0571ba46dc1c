"""Where Flink's files are: there are none, so it is the package's own folder unless FLINK_HOME says another."""

from __future__ import annotations

import os

from thalweg._flink_names import use_flink_names


def _find_flink_home() -> str:
    """FLINK_HOME, which is set where it was not."""
    return os.environ.setdefault("FLINK_HOME", os.path.dirname(os.path.abspath(__file__)))


def _find_flink_source_root() -> str:
    """The same folder: there are no sources of Flink's."""
    return _find_flink_home()


use_flink_names(globals())
