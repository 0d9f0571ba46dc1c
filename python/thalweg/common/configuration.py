"""Configuration: Flink's keys and their values, as text."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["Configuration"]


def to_text(value: Any) -> str:
    """A value as a configuration file would spell it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


class Configuration:
    """Key/value pairs. Nothing is checked here; whoever uses a key checks its value."""

    def __init__(self, other: Configuration | None = None, j_configuration: Any = None) -> None:
        """A copy of `other`; or with `j_configuration`, what `get_j_env_configuration` gives, another view of the same pairs."""
        self._values: dict[str, Any] = {}
        if isinstance(j_configuration, dict):
            self._values.update(j_configuration)
        elif j_configuration is not None:
            self._values = j_configuration._configuration._values
        elif other is not None:
            self._values.update(other._values)

    @classmethod
    def from_dict(cls, map: dict[str, Any]) -> Configuration:  # noqa: A002 (Flink's parameter)
        """A configuration of these pairs."""
        result = cls()
        result._values.update(map)
        return result

    def get_string(self, key: str, default_value: str | None) -> str | None:
        """The value as text, or `default_value` where the key is not set."""
        value = self._values.get(key)
        return default_value if value is None else to_text(value)

    def set_string(self, key: str, value: str) -> Configuration:
        """Sets a text."""
        return self._put(key, value)

    @staticmethod
    def parse_list_value(value: str) -> list[str]:
        """The elements of a list in a configuration: `a;b`, `[a, b]`, or lines that begin with `- `."""
        if not value:
            return []
        text = value.strip()
        if text.startswith("- "):
            return [line.strip()[2:].strip().strip("'\"") for line in text.splitlines() if line.strip().startswith("- ")]
        if text.startswith("[") and text.endswith("]"):
            return [part.strip().strip("'\"") for part in text[1:-1].split(",") if part.strip()]
        return [part.strip() for part in text.split(";") if part.strip()]

    def get_integer(self, key: str, default_value: int | None) -> int | None:
        """The value as int, or `default_value` where the key is not set. Raises ValueError where it is no number."""
        value = self._values.get(key)
        return default_value if value is None else int(value)

    def set_integer(self, key: str, value: int) -> Configuration:
        """Sets a number."""
        return self._put(key, value)

    def get_boolean(self, key: str, default_value: bool | None) -> bool | None:
        """The value as bool, or `default_value` where the key is not set."""
        value = self._values.get(key)
        if value is None:
            return default_value
        return value if isinstance(value, bool) else str(value).strip().lower() == "true"

    def set_boolean(self, key: str, value: bool) -> Configuration:
        """Sets true or false."""
        return self._put(key, value)

    def get_float(self, key: str, default_value: float | None) -> float | None:
        """The value as float, or `default_value` where the key is not set. Raises ValueError where it is no number."""
        value = self._values.get(key)
        return default_value if value is None else float(value)

    def set_float(self, key: str, value: float) -> Configuration:
        """Sets a number."""
        return self._put(key, value)

    def get_bytearray(self, key: str, default_value: bytearray | None) -> bytearray | None:
        """The bytes, or `default_value` where the key is not set."""
        value = self._values.get(key)
        return default_value if value is None else bytearray(value)

    def set_bytearray(self, key: str, value: bytearray) -> Configuration:
        """Sets bytes."""
        return self._put(key, value)

    def key_set(self) -> set[str]:
        """The keys that are set."""
        return set(self._values)

    def add_all_to_dict(self, target_dict: dict[str, Any]) -> None:
        """Copies all pairs into `target_dict`, the values as they were set."""
        target_dict.update(self._values)

    def add_all(self, other: Configuration, prefix: str | None = None) -> Configuration:
        """Adds the pairs of `other`, each key after `prefix`."""
        for key, value in other._values.items():
            self._put((prefix or "") + key, value)
        return self

    def contains_key(self, key: str) -> bool:
        """Whether the key is set."""
        return key in self._values

    def to_dict(self) -> dict[str, str]:
        """All keys with their values as texts."""
        return {key: to_text(value) for key, value in self._values.items()}

    def remove_config(self, key: str) -> bool:
        """Removes a key; whether it was there."""
        return self._values.pop(key, None) is not None

    def _put(self, key: str, value: Any) -> Configuration:
        self._values[key] = value
        return self

    def __deepcopy__(self, memo: object) -> Configuration:
        return Configuration(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.to_dict().items())))

    def __str__(self) -> str:
        return "{" + ", ".join(f"{key}={value}" for key, value in self.to_dict().items()) + "}"


use_flink_names(globals())
