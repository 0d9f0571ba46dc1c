"""thalweg.toml: configuration and aliases beside a program.

::

    [config]
    "parallelism.default" = 4

    [aliases]
    "broker:9092" = "localhost:9097"
    "schema-registry:8081" = "localhost:8097"
"""

from __future__ import annotations

import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_config_file(path: str) -> tuple[dict[str, str], dict[str, str]]:
    """(configuration, aliases) of a file; dotted tables of [config] are joined to keys."""
    with open(path, "rb") as file:
        try:
            content = tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{path}: {error}") from None
    config: dict[str, str] = {}
    _flatten("", content.get("config", {}), config)
    aliases = {str(key): str(value) for key, value in content.get("aliases", {}).items()}
    return config, aliases


def _flatten(prefix: str, values: dict[str, Any], into: dict[str, str]) -> None:
    for key, value in values.items():
        if isinstance(value, dict):
            _flatten(f"{prefix}{key}.", value, into)
        else:
            into[prefix + key] = str(value).lower() if isinstance(value, bool) else str(value)
