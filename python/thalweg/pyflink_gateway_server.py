"""Flink's starter of a Java process. Its tools that read configuration work; those that are about Java say that there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["read_from_config"]

Environment = MutableMapping[str, str]


def _no_java(name: str) -> NotImplementedError:
    return NotImplementedError(f"pyflink_gateway_server.{name}: Thalweg has no JVM; programs run in this Python")


def on_windows() -> bool:
    """Whether this is Windows."""
    return sys.platform.startswith("win")


def _parse(lines: list[str]) -> dict[str, Any]:
    """A mapping of mappings, by indentation: what config.yaml and flink-conf.yaml hold."""
    root: dict[str, Any] = {}
    levels: list[tuple[int, dict[str, Any]]] = [(-1, root)]
    for line in lines:
        text = line.split(" #")[0].rstrip()
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        key, colon, value = text.strip().partition(":")
        if not colon:
            continue
        indent = len(text) - len(text.lstrip())
        while levels[-1][0] >= indent:
            levels.pop()
        if value.strip():
            levels[-1][1][key.strip()] = value.strip().strip("'\"")
        else:
            inner: dict[str, Any] = {}
            levels[-1][1][key.strip()] = inner
            levels.append((indent, inner))
    return root


def read_from_config(key: str, default_value: str, flink_conf_directory: str) -> str:
    """A key of config.yaml (or the older flink-conf.yaml) in a folder, or `default_value`."""
    for name in ("config.yaml", "flink-conf.yaml"):
        path = os.path.join(flink_conf_directory, name)
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return str(flatten_config(_parse(file.read().splitlines())).get(key, default_value))
    return default_value


def flatten_config(config: dict[str, Any], parent_key: str = "") -> dict[str, Any]:
    """{"a": {"b": 1}} as {"a.b": 1}."""
    flat: dict[str, Any] = {}
    for key, value in config.items():
        full = f"{parent_key}.{key}" if parent_key else str(key)
        if isinstance(value, dict):
            flat.update(flatten_config(value, full))
        else:
            flat[full] = value
    return flat


def find_java_executable() -> str:
    """Refused: there is no Java."""
    raise _no_java("find_java_executable")


def prepare_environment_variables(env: Environment) -> None:
    """Accepted: nothing has to be prepared."""
    del env


def get_log_dir(env: Environment) -> str:
    """The folder in FLINK_LOG_DIR, or `log` below that in FLINK_HOME or here."""
    return env.get("FLINK_LOG_DIR") or os.path.join(env.get("FLINK_HOME", os.getcwd()), "log")


def construct_log_settings(env: Environment) -> list[str]:
    """None: they are for a JVM."""
    del env
    return []


def get_jvm_opts(env: Environment) -> list[str]:
    """None: there is no JVM."""
    del env
    return []


def construct_flink_classpath(env: Environment) -> str:
    """Refused: there are no jars."""
    raise _no_java("construct_flink_classpath")


def construct_hadoop_classpath(env: Environment) -> str:
    """Refused: there are no jars."""
    raise _no_java("construct_hadoop_classpath")


def construct_test_classpath(env: Environment) -> str:
    """Refused: there are no jars."""
    raise _no_java("construct_test_classpath")


def construct_program_args(args: list[str]) -> Any:
    """Refused: there is no Java program."""
    raise _no_java("construct_program_args")


def launch_gateway_server_process(env: Environment, args: list[str]) -> Any:
    """Refused: there is no Java process."""
    raise _no_java("launch_gateway_server_process")


use_flink_names(globals())
