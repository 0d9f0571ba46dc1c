"""Where a compiled plan is: in a file, or in hand as text or bytes."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["BytesContentPlanReference", "FilePlanReference", "JsonContentPlanReference", "PlanReference"]


class PlanReference:
    """Where a compiled plan is."""

    def __init__(self, j_plan_reference: Any) -> None:
        self._place = j_plan_reference

    @staticmethod
    def from_file(path: str) -> FilePlanReference:
        """A file that `CompiledPlan.write_to_file` wrote."""
        return FilePlanReference(path)

    @staticmethod
    def from_json_string(json_string: str) -> JsonContentPlanReference:
        """The text of `CompiledPlan.as_json_string`."""
        return JsonContentPlanReference(json_string)

    @staticmethod
    def from_smile_bytes(smile_bytes: bytes) -> BytesContentPlanReference:
        """The bytes of `CompiledPlan.as_smile_bytes`."""
        return BytesContentPlanReference(bytes(smile_bytes))

    def _text(self) -> str:
        """The plan's JSON."""
        return str(self._place)

    def __str__(self) -> str:
        return f"{type(self).__name__}({self._place!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._place == getattr(other, "_place", None)

    def __hash__(self) -> int:
        return hash(str(self._place))


class FilePlanReference(PlanReference):
    """A plan in a file."""

    def get_file(self) -> str:
        return str(self._place)

    def _text(self) -> str:
        with open(self.get_file(), encoding="utf-8") as file:
            return file.read()


class JsonContentPlanReference(PlanReference):
    """A plan as text."""

    def get_content(self) -> str:
        return str(self._place)


class BytesContentPlanReference(PlanReference):
    """A plan as bytes."""

    def get_content(self) -> bytes:
        content: bytes = self._place
        return content

    def _text(self) -> str:
        import zlib

        return zlib.decompress(self.get_content()).decode()


use_flink_names(globals())
