"""Modules: sets of functions."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.util.notices import unsupported

__all__ = ["HiveModule", "Module", "ModuleEntry"]


class Module:
    """A set of functions."""

    def __init__(self, j_module: Any) -> None:
        self._j_module = j_module


class HiveModule(Module):
    """Refused: Hive's functions are not there."""

    def __init__(self, hive_version: str | None = None) -> None:
        raise unsupported("HiveModule")


class ModuleEntry:
    """A module and whether its functions are found."""

    def __init__(self, name: str, used: bool, j_module_entry: Any = None) -> None:
        del j_module_entry
        self._name = name
        self._used = used

    def name(self) -> str:
        return self._name

    def used(self) -> bool:
        return self._used

    def __repr__(self) -> str:
        return f"ModuleEntry({self._name}, {self._used})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModuleEntry) and (self._name, self._used) == (other._name, other._used)

    def __hash__(self) -> int:
        return hash((self._name, self._used))


use_flink_names(globals())
