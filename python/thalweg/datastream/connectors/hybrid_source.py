"""Sources one after another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.connectors.base import Source
from thalweg.datastream.connectors.description import SourceDescription

__all__ = ["HybridSource", "HybridSourceBuilder"]


class HybridSource(Source):
    """Reads several sources in turn, such as files and then the topic that goes on where they end. All but the last must end.

    ::

        HybridSource.builder(file_source).add_source(kafka_source).build()
    """

    def __init__(self, j_hybrid_source: Any) -> None:
        super().__init__(j_hybrid_source)
        self._sources: list[Source] = list(j_hybrid_source)

    @staticmethod
    def builder(first_source: Source) -> HybridSourceBuilder:
        """Starts with the source that is read first."""
        return HybridSourceBuilder([first_source])

    def _description(self) -> SourceDescription:
        parts = tuple(source._description() for source in self._sources)
        for number, part in enumerate(parts[:-1]):
            if not part.bounded:
                raise ValueError(f"HybridSource: source {number + 1} never ends, so the one after it would never be read")
        if any((part.record, part.produced_type) != (parts[0].record, parts[0].produced_type) for part in parts):
            raise ValueError("HybridSource: the sources give records of different types")
        return replace(parts[0], parts=parts, in_turn=True, bounded=parts[-1].bounded)


class HybridSourceBuilder:
    """Builds a HybridSource."""

    def __init__(self, j_hybrid_source_builder: Any) -> None:
        self._sources: list[Source] = list(j_hybrid_source_builder)

    def add_source(self, source: Source) -> HybridSourceBuilder:
        """Adds the source that is read next."""
        self._sources.append(source)
        return self

    def build(self) -> HybridSource:
        """The source."""
        return HybridSource(self._sources)


use_flink_names(globals())
