"""The built-in aggregates that are written in Python: what is added, taken back and merged."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyflink.table import functions as f

LIST = ["a", None, "b", "a"]
NUMBERS = [3, None, 1, 2]


@pytest.mark.parametrize(
    ("function", "added", "result", "taken", "rest"),
    [
        (f.AvgAggFunction(), NUMBERS, 2, [3], 1),
        (f.Count1AggFunction(), NUMBERS, 4, [3], 3),
        (f.CountAggFunction(), NUMBERS, 3, [None, 3], 2),
        (f.IntSum0AggFunction(), NUMBERS, 6, [1], 5),
        (f.FloatSum0AggFunction(), [1.5, None], 1.5, [1.5], 0.0),
        (f.DecimalSum0AggFunction(), [Decimal("1.5")], Decimal("1.5"), [Decimal("0.5")], Decimal(1)),
        (f.SumWithRetractAggFunction(), NUMBERS, 6, [3, 1, 2], None),
        (f.FirstValueWithRetractAggFunction(), ["x", "y", "z"], "x", ["x"], "y"),
        (f.LastValueWithRetractAggFunction(), ["x", "y", "z"], "z", ["z"], "y"),
        (f.MaxWithRetractAggFunction(), NUMBERS, 3, [3], 2),
        (f.MinWithRetractAggFunction(), NUMBERS, 1, [1], 2),
        (f.ListAggWithRetractAggFunction(), LIST, "a,b,a", ["b"], "a,a"),
    ],
)
def test_aggregates_that_take_back(function: Any, added: list[Any], result: Any, taken: list[Any], rest: Any) -> None:
    accumulator = function.create_accumulator()
    for value in added:
        function.accumulate(accumulator, value)
    assert function.get_value(accumulator) == result
    for value in taken:
        function.retract(accumulator, value)
    assert function.get_value(accumulator) == rest


@pytest.mark.parametrize(
    ("function", "added", "result"),
    [
        (f.FirstValueAggFunction(), ["x", "y"], "x"),
        (f.LastValueAggFunction(), ["x", "y"], "y"),
        (f.MaxAggFunction(), NUMBERS, 3),
        (f.MinAggFunction(), NUMBERS, 1),
        (f.SumAggFunction(), NUMBERS, 6),
        (f.ListAggFunction(), LIST, "a,b,a"),
    ],
)
def test_aggregates_that_only_add(function: Any, added: list[Any], result: Any) -> None:
    accumulator = function.create_accumulator()
    assert function.get_value(accumulator) is None
    for value in added:
        function.accumulate(accumulator, value)
    assert function.get_value(accumulator) == result
    with pytest.raises(NotImplementedError, match=r"(?i)retract"):
        function.retract(accumulator, added[0])


def test_lists_with_separators() -> None:
    function = f.ListAggWsWithRetractAggFunction()
    accumulator = function.create_accumulator()
    for value in ("a", "b", "c"):
        function.accumulate(accumulator, value, "-")
    assert function.get_value(accumulator) == "a-b-c"
    function.retract(accumulator, "b", "-")
    assert function.get_value(accumulator) == "a-c"


@pytest.mark.parametrize(
    ("function", "parts", "result"),
    [
        (f.AvgAggFunction(), ([1, 2], [6]), 3),
        (f.CountAggFunction(), ([1, 2], [6]), 3),
        (f.Count1AggFunction(), ([1, 2], [6]), 3),
        (f.IntSum0AggFunction(), ([1, 2], [6]), 9),
        (f.SumAggFunction(), ([1, 2], [6]), 9),
        (f.SumWithRetractAggFunction(), ([1, 2], [6]), 9),
        (f.MaxAggFunction(), ([1, 2], [6]), 6),
        (f.MinAggFunction(), ([1, 2], [6]), 1),
        (f.MaxWithRetractAggFunction(), ([1, 2], [6]), 6),
        (f.MinWithRetractAggFunction(), ([1, 2], [6]), 1),
    ],
)
def test_accumulators_merge(function: Any, parts: tuple[list[int], list[int]], result: int) -> None:
    accumulators = []
    for part in parts:
        accumulators.append(function.create_accumulator())
        for value in part:
            function.accumulate(accumulators[-1], value)
    function.merge(accumulators[0], accumulators[1:])
    assert function.get_value(accumulators[0]) == result


def test_extremes_are_looked_for_anew() -> None:
    for function, update, result in (
        (f.MaxWithRetractAggFunction(), f.MaxWithRetractAggFunction.update_max, 5),
        (f.MinWithRetractAggFunction(), f.MinWithRetractAggFunction.update_min, 2),
    ):
        accumulator = function.create_accumulator()
        for value in (5, 2):
            function.accumulate(accumulator, value)
        update(accumulator)
        assert function.get_value(accumulator) == result


def test_squares_of_differences() -> None:
    """Welford's sum, which variances are made of."""
    function = f.WelfordM2AggFunction()
    left, right = function.create_accumulator(), function.create_accumulator()
    for value in (1.0, 2.0, 4.0):
        function.accumulate(left, value)
    assert function.get_value(left) == pytest.approx(14 / 3)
    function.retract(left, 4.0)
    assert function.get_value(left) == pytest.approx(0.5)
    function.accumulate(right, 4.0)
    function.merge(left, [right])
    assert function.get_value(left) == pytest.approx(14 / 3)


@pytest.mark.parametrize(
    ("function", "separator", "merged"),
    [
        (f.FirstValueAggFunction(), (), "x"),
        (f.FirstValueWithRetractAggFunction(), (), "x"),
        (f.LastValueAggFunction(), (), "y"),
        (f.LastValueWithRetractAggFunction(), (), "y"),
        (f.ListAggWithRetractAggFunction(), (), "x,y"),
        (f.ListAggWsWithRetractAggFunction(), ("|",), "x|y"),
    ],
)
def test_aggregates_that_are_merged_in_order(function: Any, separator: tuple[str, ...], merged: str) -> None:
    first, second = function.create_accumulator(), function.create_accumulator()
    function.accumulate(first, "x", *separator)
    function.accumulate(second, "y", *separator)
    function.merge(first, [second])
    assert function.get_value(first) == merged
