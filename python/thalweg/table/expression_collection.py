"""Expression methods on arrays, maps, rows, bitmaps and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.table.expression_numeric import unary
from thalweg.table.expression_symbols import (
    JsonExistsOnError,
    JsonQueryOnEmptyOrError,
    JsonQueryWrapper,
    JsonType,
    JsonValueOnEmptyOrError,
)
from thalweg.table.expression_tree import ExpressionBase, symbol

if TYPE_CHECKING:
    from thalweg.table.expression import Expression
    from thalweg.table.types import DataType


class CollectionExpressions(ExpressionBase):
    """Arrays, maps and rows."""

    __slots__ = ()

    cardinality = unary("CARDINALITY", "The number of elements of an array or map.")
    element = unary("ELEMENT", "The only element of an array.")
    flatten = unary("$FLATTEN", "The fields of a row as columns.")
    map_keys = unary("MAP_KEYS", "The keys of a map.")
    map_values = unary("MAP_VALUES", "The values of a map.")
    map_entries = unary("MAP_ENTRIES", "The entries of a map as rows.")

    def get(self, name_or_index: str | int) -> Expression:
        """A field of a row, by name or by position from 0."""
        return self._call(".", name_or_index)

    def at(self, index: Any) -> Expression:
        """An element of an array (from 1), the value of a map's key, or a part of a variant."""
        return self._call("[]", index)

    def array_append(self, addition: Any) -> Expression:
        """The array with one more element at its end."""
        return self._call("ARRAY_APPEND", addition)

    def array_contains(self, needle: Any) -> Expression:
        """Whether the array has the element."""
        return self._call("ARRAY_CONTAINS", needle)

    def array_distinct(self) -> Expression:
        """The array without repeated elements."""
        return self._call("ARRAY_DISTINCT")

    def array_position(self, needle: Any) -> Expression:
        """Where the element first stands, from 1; 0 where it does not."""
        return self._call("ARRAY_POSITION", needle)

    def array_prepend(self, addition: Any) -> Expression:
        """The array with one more element at its start."""
        return self._call("ARRAY_PREPEND", addition)

    def array_remove(self, needle: Any) -> Expression:
        """The array without the element."""
        return self._call("ARRAY_REMOVE", needle)

    def array_reverse(self) -> Expression:
        """The array backwards."""
        return self._call("ARRAY_REVERSE")

    def array_slice(self, start_offset: Any, end_offset: Any = None) -> Expression:
        """The elements from `start_offset` to `end_offset`, both included, from 1."""
        return self._call("ARRAY_SLICE", start_offset, *(() if end_offset is None else (end_offset,)))

    def array_sort(self, ascending_order: Any = None, null_first: Any = None) -> Expression:
        """The array in order."""
        if ascending_order is None and null_first is None:
            return self._call("ARRAY_SORT")
        ascending = True if ascending_order is None else ascending_order
        return self._call("ARRAY_SORT", ascending, *(() if null_first is None else (null_first,)))

    def array_union(self, array: Any) -> Expression:
        """The elements of both arrays, each once."""
        return self._call("ARRAY_UNION", array)

    def array_concat(self, *arrays: Any) -> Expression:
        """All arrays, one after the other."""
        return self._call("ARRAY_CONCAT", *arrays)

    def array_max(self) -> Expression:
        """The greatest element."""
        return self._call("ARRAY_MAX")

    def array_join(self, delimiter: Any, null_replacement: Any = None) -> Expression:
        """The elements as one text."""
        return self._call("ARRAY_JOIN", delimiter, *(() if null_replacement is None else (null_replacement,)))

    def array_min(self) -> Expression:
        """The smallest element."""
        return self._call("ARRAY_MIN")

    def array_except(self, array: Any) -> Expression:
        """The elements that are not in `array`."""
        return self._call("ARRAY_EXCEPT", array)

    def array_intersect(self, array: Any) -> Expression:
        """The elements that both arrays have."""
        return self._call("ARRAY_INTERSECT", array)

    def map_union(self, *maps: Any) -> Expression:
        """The entries of all maps; later ones win."""
        return self._call("MAP_UNION", *maps)

    def object_update(self, *kv: Any) -> Expression:
        """The structured object with other values for the named fields."""
        return self._call("OBJECT_UPDATE", *kv)


class BitmapExpressions(ExpressionBase):
    """Bitmaps of integers."""

    __slots__ = ()

    def bitmap_and(self, bitmap2: Any) -> Expression:
        """What both bitmaps have."""
        return self._call("BITMAP_AND", bitmap2)

    def bitmap_andnot(self, bitmap2: Any) -> Expression:
        """What the first has and the second has not."""
        return self._call("BITMAP_ANDNOT", bitmap2)

    def bitmap_and_agg(self) -> Expression:
        """Aggregate: what all bitmaps have."""
        return self._call("BITMAP_AND_AGG")

    def bitmap_and_cardinality_agg(self) -> Expression:
        """Aggregate: how many all bitmaps have."""
        return self._call("BITMAP_AND_CARDINALITY_AGG")

    def bitmap_build(self) -> Expression:
        """The bitmap of an array."""
        return self._call("BITMAP_BUILD")

    def bitmap_build_agg(self) -> Expression:
        """Aggregate: the bitmap of the values."""
        return self._call("BITMAP_BUILD_AGG")

    def bitmap_build_cardinality_agg(self) -> Expression:
        """Aggregate: the number of distinct values."""
        return self._call("BITMAP_BUILD_CARDINALITY_AGG")

    def bitmap_cardinality(self) -> Expression:
        """How many the bitmap has."""
        return self._call("BITMAP_CARDINALITY")

    def bitmap_from_bytes(self) -> Expression:
        """A bitmap read from bytes."""
        return self._call("BITMAP_FROM_BYTES")

    def bitmap_or(self, bitmap2: Any) -> Expression:
        """What either bitmap has."""
        return self._call("BITMAP_OR", bitmap2)

    def bitmap_or_agg(self) -> Expression:
        """Aggregate: what any bitmap has."""
        return self._call("BITMAP_OR_AGG")

    def bitmap_or_cardinality_agg(self) -> Expression:
        """Aggregate: how many any bitmap has."""
        return self._call("BITMAP_OR_CARDINALITY_AGG")

    def bitmap_to_array(self) -> Expression:
        """The bitmap as an array."""
        return self._call("BITMAP_TO_ARRAY")

    def bitmap_to_bytes(self) -> Expression:
        """The bitmap as bytes."""
        return self._call("BITMAP_TO_BYTES")

    def bitmap_to_string(self) -> Expression:
        """The bitmap as text."""
        return self._call("BITMAP_TO_STRING")

    def bitmap_xor(self, bitmap2: Any) -> Expression:
        """What exactly one bitmap has."""
        return self._call("BITMAP_XOR", bitmap2)

    def bitmap_xor_agg(self) -> Expression:
        """Aggregate: what an odd number of bitmaps has."""
        return self._call("BITMAP_XOR_AGG")

    def bitmap_xor_cardinality_agg(self) -> Expression:
        """Aggregate: how many an odd number of bitmaps has."""
        return self._call("BITMAP_XOR_CARDINALITY_AGG")


class JsonExpressions(ExpressionBase):
    """JSON in text. Clauses are given as symbols after the plain arguments, for example ("symbol", "NULL ON EMPTY")."""

    __slots__ = ()

    def is_json(self, json_type: JsonType | None = None) -> Expression:
        """Whether the text is JSON (of a kind)."""
        return self._call("IS JSON " + (JsonType.VALUE if json_type is None else json_type).value)

    def json_exists(self, path: str, on_error: JsonExistsOnError | None = None) -> Expression:
        """Whether there is something at `path`."""
        clauses = () if on_error is None else (symbol(f"{on_error.value} ON ERROR"),)
        return self._call("JSON_EXISTS", path, *clauses)

    def json_value(
        self,
        path: str,
        returning_type: DataType | None = None,
        on_empty: JsonValueOnEmptyOrError = JsonValueOnEmptyOrError.NULL,
        default_on_empty: Any = None,
        on_error: JsonValueOnEmptyOrError = JsonValueOnEmptyOrError.NULL,
        default_on_error: Any = None,
    ) -> Expression:
        """The scalar at `path`."""
        clauses: list[Any] = []
        if returning_type is not None:
            from thalweg.table.type_text import to_type_text

            clauses.append(("type", to_type_text(returning_type)))
        for when, behaviour, default in (("EMPTY", on_empty, default_on_empty), ("ERROR", on_error, default_on_error)):
            clauses.append(symbol(f"{behaviour.value} ON {when}"))
            if behaviour is JsonValueOnEmptyOrError.DEFAULT:
                clauses.append(default)
        return self._call("JSON_VALUE", path, *clauses)

    def json_query(
        self,
        path: str,
        wrapping_behavior: JsonQueryWrapper = JsonQueryWrapper.WITHOUT_ARRAY,
        on_empty: JsonQueryOnEmptyOrError = JsonQueryOnEmptyOrError.NULL,
        on_error: JsonQueryOnEmptyOrError = JsonQueryOnEmptyOrError.NULL,
    ) -> Expression:
        """The JSON at `path`, as text."""
        return self._call(
            "JSON_QUERY",
            path,
            symbol(f"{wrapping_behavior.value} WRAPPER"),
            symbol(f"{on_empty.value} ON EMPTY"),
            symbol(f"{on_error.value} ON ERROR"),
        )

    def json_quote(self) -> Expression:
        """The text as a JSON string."""
        return self._call("JSON_QUOTE")

    def json_unquote(self) -> Expression:
        """The text of a JSON string."""
        return self._call("JSON_UNQUOTE")
