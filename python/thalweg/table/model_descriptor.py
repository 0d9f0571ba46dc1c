"""Models described in Python."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.schema import Schema

__all__ = ["ModelDescriptor"]


class ModelDescriptor:
    """A model: provider, options, input and output columns. It can be registered; ML_PREDICT refuses to run it."""

    def __init__(self, j_model_descriptor: dict[str, Any]) -> None:
        self._parts = dict(j_model_descriptor)

    @staticmethod
    def for_provider(provider: str) -> ModelDescriptor.Builder:
        """A builder for a model of this provider."""
        return ModelDescriptor.Builder().option("provider", provider)

    def get_options(self) -> dict[str, str]:
        return dict(self._parts["options"])

    def get_input_schema(self) -> Schema | None:
        return self._parts.get("input")

    def get_output_schema(self) -> Schema | None:
        return self._parts.get("output")

    def get_comment(self) -> str | None:
        return self._parts.get("comment")

    def __str__(self) -> str:
        return f"ModelDescriptor({self._parts})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelDescriptor) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(str(self))

    class Builder:
        """Collects a model's parts."""

        def __init__(self) -> None:
            self._model: dict[str, Any] = {"options": {}}

        def input_schema(self, schema: Schema) -> ModelDescriptor.Builder:
            """The columns that it takes."""
            self._model["input"] = schema
            return self

        def output_schema(self, schema: Schema) -> ModelDescriptor.Builder:
            """The columns that it gives."""
            self._model["output"] = schema
            return self

        def option(self, key: Any, value: Any) -> ModelDescriptor.Builder:
            """An option of the provider."""
            name = key if isinstance(key, str) else str(key.key())
            self._model["options"][name] = str(value).lower() if isinstance(value, bool) else str(value)
            return self

        def comment(self, comment: str) -> ModelDescriptor.Builder:
            """The model's comment."""
            self._model["comment"] = comment
            return self

        def build(self) -> ModelDescriptor:
            return ModelDescriptor({**self._model, "options": dict(self._model["options"])})


use_flink_names(globals())
