"""Starts engine sessions with what comes from outside the program: the command line, the environment, thalweg.toml."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalweg._native import Session

ALIASES = "THALWEG_ALIASES"
"""`host:port=host:port` pairs, separated by commas."""
OVERRIDES = "THALWEG_CONFIG"
"""`key=value` lines that win over the program's own defaults (thalweg run -D key=value, -s PATH)."""


def parse_aliases(pairs: list[str]) -> dict[str, str]:
    """`broker:9092=localhost:9097` pairs as a dict; a wrong one is a ValueError that says what to write."""
    aliases = {}
    for pair in pairs:
        name, equals, address = pair.partition("=")
        if not equals or not name.strip() or not address.strip():
            raise ValueError(f"not an alias: {pair!r}; write NAME:PORT=HOST:PORT, for example broker:9092=localhost:9097")
        aliases[name.strip()] = address.strip()
    return aliases


def state_folder() -> str:
    """Where Thalweg keeps what outlives a process: the shell's history, what `thalweg up` started."""
    return os.path.join(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state"), "thalweg")


def _aliases_of_services() -> dict[str, str]:
    """While `thalweg up` runs, the names that tutorials use reach it."""
    path = os.path.join(state_folder(), "services.json")
    if not os.path.exists(path):
        return {}
    from thalweg.cli.services import running_services

    services = running_services()
    if services is None:
        return {}
    registry = str(services["registry"]).partition("://")[2]
    return {"broker:9092": str(services["broker"]), "kafka:9092": str(services["broker"]), "schema-registry:8081": registry}


def outside_settings() -> tuple[dict[str, str], dict[str, str]]:
    """(configuration, aliases): thalweg.toml in the working folder, then the environment on top."""
    config: dict[str, str] = {}
    aliases = _aliases_of_services()
    path = os.environ.get("THALWEG_CONFIG_FILE", "thalweg.toml")
    if os.path.exists(path):
        from thalweg.config_file import read_config_file

        config, more = read_config_file(path)
        aliases.update(more)
    text = os.environ.get(ALIASES)
    if text:
        aliases.update(parse_aliases([pair for pair in text.split(",") if pair.strip()]))
    for line in os.environ.get(OVERRIDES, "").splitlines():
        key, equals, value = line.partition("=")
        if equals:
            config[key.strip()] = value.strip()
    return config, aliases


def new_session(config: dict[str, str], hand_driven: bool = False) -> Session:
    """A session; `config` is the program's, which wins over the file but not over the command line."""
    from thalweg import _native

    outside, aliases = outside_settings()
    if hand_driven:
        return _native.Session({**outside, **config}, aliases, hand_driven=True)
    return _native.Session({**outside, **config}, aliases)
