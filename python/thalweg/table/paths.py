"""Names of catalog objects: `catalog.database.object`, any part in back quotes."""

from __future__ import annotations

import re

_PART = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")


def split_path(path: str) -> list[str]:
    """The parts of a path."""
    return [(quoted.replace("``", "`") if quoted else plain.strip()) for quoted, plain in _PART.findall(path)]


def qualify(path: str, current: tuple[str, str]) -> list[str]:
    """Catalog, database and object, the first two from `current` where they are not given."""
    parts = split_path(path)
    return [*current, *parts][-3:] if len(parts) < 3 else parts


def quote_path(path: str) -> str:
    """The path with each part in back quotes."""
    return ".".join("`" + part.replace("`", "``") + "`" for part in split_path(path))
