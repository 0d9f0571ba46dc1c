"""Typed configuration options."""

from __future__ import annotations

from typing import Generic, TypeVar

from thalweg._flink_names import use_flink_names

__all__ = ["ConfigOption", "ConfigOptions"]

T = TypeVar("T")


class ConfigOption(Generic[T]):
    """A key of the configuration, with its default value."""

    def __init__(self, j_config_option: str, default: T | None = None) -> None:
        self._key = j_config_option
        self._default = default

    def key(self) -> str:
        """Its name."""
        return self._key

    def default_value(self) -> T | None:
        """What it is where it is not set; None where it has no such value."""
        return self._default

    def has_default_value(self) -> bool:
        """Whether it has a value where it is not set."""
        return self._default is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConfigOption) and (self._key, self._default) == (other._key, other._default)

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return f"Key: '{self._key}' , default: {self._default} (fallback keys: [])"


class ConfigOptions:
    """Starts the definition of an option: `ConfigOptions.key("a").int_type().default_value(1)`."""

    def __init__(self, j_config_options: object) -> None:
        del j_config_options

    @staticmethod
    def key(key: str) -> ConfigOptions.OptionBuilder:
        """Starts an option of this name."""
        return ConfigOptions.OptionBuilder(key)

    class OptionBuilder:
        """Chooses the type of an option."""

        def __init__(self, j_option_builder: str) -> None:
            self._key = j_option_builder

        def boolean_type(self) -> ConfigOptions.TypedConfigOptionBuilder[bool]:
            return ConfigOptions.TypedConfigOptionBuilder(self._key)

        def int_type(self) -> ConfigOptions.TypedConfigOptionBuilder[int]:
            return ConfigOptions.TypedConfigOptionBuilder(self._key)

        def long_type(self) -> ConfigOptions.TypedConfigOptionBuilder[int]:
            return ConfigOptions.TypedConfigOptionBuilder(self._key)

        def float_type(self) -> ConfigOptions.TypedConfigOptionBuilder[float]:
            return ConfigOptions.TypedConfigOptionBuilder(self._key)

        def double_type(self) -> ConfigOptions.TypedConfigOptionBuilder[float]:
            return ConfigOptions.TypedConfigOptionBuilder(self._key)

        def string_type(self) -> ConfigOptions.TypedConfigOptionBuilder[str]:
            return ConfigOptions.TypedConfigOptionBuilder(self._key)

    class TypedConfigOptionBuilder(Generic[T]):
        """Gives the default value, or says that there is none."""

        def __init__(self, j_typed_config_option_builder: str) -> None:
            self._key = j_typed_config_option_builder

        def default_value(self, value: T) -> ConfigOption[T]:
            return ConfigOption(self._key, value)

        def no_default_value(self) -> ConfigOption[T]:
            return ConfigOption(self._key)


use_flink_names(globals())
