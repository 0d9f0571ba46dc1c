"""Which kinds of changes a changelog has."""

from __future__ import annotations

from thalweg._flink_names import use_flink_names

__all__ = ["ChangelogMode"]


class ChangelogMode:
    """A set of row kinds."""

    def __init__(self, j_changelog_mode: tuple[str, ...]) -> None:
        self._kinds = j_changelog_mode

    @staticmethod
    def insert_only() -> ChangelogMode:
        """Rows are only added."""
        return ChangelogMode(("+I",))

    @staticmethod
    def upsert() -> ChangelogMode:
        """Rows are added, replaced by key, and deleted."""
        return ChangelogMode(("+I", "+U", "-D"))

    @staticmethod
    def all() -> ChangelogMode:
        """All kinds."""
        return ChangelogMode(("+I", "-U", "+U", "-D"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChangelogMode) and self._kinds == other._kinds

    def __hash__(self) -> int:
        return hash(self._kinds)


use_flink_names(globals())
