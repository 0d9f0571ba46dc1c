"""Hosts of functions without state: map, flat_map, filter, key selectors, partitioners, two-input maps."""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any

from thalweg.datastream.runtime.conversion import value_converter
from thalweg.datastream.runtime.function_copy import method_of
from thalweg.datastream.runtime.host import FunctionHost, Host, identity, iterated
from thalweg.datastream.runtime.sharing import IMMUTABLE, detached

if TYPE_CHECKING:
    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["CoFlatMapHost", "CoMapHost", "FilterHost", "FlatMapHost", "KeyHost", "MapHost", "PartitionHost", "PassHost"]


class PassHost(Host):
    """Sends every record on."""

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        self.context.emit(records)


def _detaching(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """For methods of objects, which may keep what they return."""

    def call(record: Any) -> Any:
        result = function(record)
        return result if type(result) in IMMUTABLE else detached(result)

    return call


class MapHost(FunctionHost):
    """One result for each record."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        super().__init__(function, output_type)
        self._map = method_of(self.function, "map")
        if not isinstance(self.function, (FunctionType, BuiltinFunctionType, type)):
            self._map = _detaching(self._map)

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        results: list[Any] = []
        try:
            # Keeps what came before a failure.
            results.extend(map(self._map, records))
        except BaseException:
            record = records[len(results)]  # noqa: F841 (shown with the failure)
            raise
        finally:
            self.context.emit(self.convert(results))


class FilterHost(FunctionHost):
    """The records for which the function is true."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        super().__init__(function, output_type)
        self._filter = method_of(self.function, "filter")

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        chosen: list[Any] = []
        rows: list[int] = []
        keeps = self._filter
        try:
            for row, record in enumerate(records):
                if keeps(record):
                    chosen.append(record)
                    rows.append(row)
        finally:
            self.context.emit(chosen, rows)


class FlatMapHost(FunctionHost):
    """Any number of results for each record."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        super().__init__(function, output_type)
        self._methods = [method_of(self.function, "flat_map")]

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        emitter = Emitter(self)
        flat_map = self._methods[input_number]
        try:
            for row, record in enumerate(records):
                results = flat_map(record)
                if results is not None:
                    emitter.extend(row, results)
        finally:
            emitter.send()


class Emitter:
    """Gathers results with the rows that they came from, and sends them before they grow too many."""

    LIMIT = 4096

    def __init__(self, host: FunctionHost) -> None:
        self._host = host
        self._results: list[Any] = []
        self._rows: list[int] = []

    def extend(self, row: int, results: Any) -> None:
        """Appends the results of one row; a generator is followed as it gives them."""
        mine, rows = self._results, self._rows
        if type(results) is list:
            mine.extend(results)
            rows.extend([row] * len(results))
        else:
            for result in iterated(results):
                mine.append(result)
                rows.append(row)
                if len(mine) >= self.LIMIT:
                    self.send()
        if len(mine) >= self.LIMIT:
            self.send()

    def send(self) -> None:
        """Sends what there is."""
        if self._results:
            results, rows = self._results[:], self._rows[:]
            self._results.clear()
            self._rows.clear()
            self._host.context.emit(self._host.convert(results), rows)


class CoMapHost(FunctionHost):
    """map1 and map2; None sends nothing."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        super().__init__(function, output_type)
        self._methods = [self.function.map1, self.function.map2]

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        results: list[Any] = []
        rows: list[int] = []
        map_one = self._methods[input_number]
        try:
            for row, record in enumerate(records):
                result = map_one(record)
                if result is not None:
                    results.append(result)
                    rows.append(row)
        finally:
            self.context.emit(self.convert(results), rows)


class CoFlatMapHost(FlatMapHost):
    """flat_map1 and flat_map2."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        FunctionHost.__init__(self, function, output_type)
        self._methods = [self.function.flat_map1, self.function.flat_map2]


class KeyHost(FunctionHost):
    """Sends each record with its key, of the declared type where there is one."""

    def __init__(self, function: Any, key_type: TypeInformation | None) -> None:
        super().__init__(function, None)
        self._select = method_of(self.function, "get_key")
        self._to_key = value_converter(key_type)

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        found: list[Any] = []
        try:
            found.extend(map(self._select, records))
            if self._to_key is not None:
                found = list(map(self._to_key, found))
        except BaseException:
            record = records[min(len(found), len(records) - 1)]  # noqa: F841 (shown with the failure)
            raise
        finally:
            self.context.emit(records[: len(found)], None, found)


class PartitionHost(FunctionHost):
    """Sends each record with the subtask that a partitioner chooses for its key."""

    def __init__(self, partitioner: Any, key_selector: Any, partitions: int) -> None:
        super().__init__(partitioner, None)
        self._partition = method_of(self.function, "partition")
        self._select = method_of(key_selector, "get_key")
        self._key_selector = key_selector
        self._partitions = partitions

    def open(self, context: StreamContext) -> None:
        super().open(context)
        open_selector = getattr(self._key_selector, "open", None)
        if open_selector is not None:
            open_selector(self.runtime_context())

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        chosen: list[int] = []
        try:
            for record in records:
                chosen.append(self._partition(self._select(record), self._partitions))
        finally:
            self.context.emit(records[: len(chosen)], None, chosen)


class ReshapeHost(Host):
    """Gives records another declared type."""

    def __init__(self, convert: Any) -> None:
        self._convert = convert or identity

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        self.context.emit(self._convert(records))
