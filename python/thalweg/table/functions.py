"""The built-in aggregates written in Python, for programs that build on them. SQL and the Table API have faster ones in the engine."""

from __future__ import annotations

import decimal
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.types import Row
from thalweg.table.udf import AggregateFunction

__all__ = [
    "AvgAggFunction", "Count1AggFunction", "CountAggFunction", "DecimalSum0AggFunction", "FirstValueAggFunction",
    "FirstValueWithRetractAggFunction", "FloatSum0AggFunction", "IntSum0AggFunction", "LastValueAggFunction",
    "LastValueWithRetractAggFunction", "ListAggFunction", "ListAggWithRetractAggFunction", "ListAggWsWithRetractAggFunction",
    "MaxAggFunction", "MaxWithRetractAggFunction", "MinAggFunction", "MinWithRetractAggFunction", "Sum0AggFunction", "SumAggFunction",
    "SumWithRetractAggFunction", "WelfordM2AggFunction",
]  # fmt: skip

_SEPARATOR = ","


class AvgAggFunction(AggregateFunction):
    """The mean; of integers cut to an integer. Accumulator: [sum, count]."""

    def create_accumulator(self) -> list[Any]:
        return [0, 0]

    def get_value(self, accumulator: list[Any]) -> Any:
        total, count = accumulator
        if count == 0:
            return None
        return int(total / count) if isinstance(total, int) else total / count

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] += args[0]
            accumulator[1] += 1

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] -= args[0]
            accumulator[1] -= 1

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            accumulator[0] += other[0]
            accumulator[1] += other[1]


class _Counting(AggregateFunction):
    """Accumulator: [count]."""

    def create_accumulator(self) -> list[Any]:
        return [0]

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[0]

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            accumulator[0] += other[0]


class Count1AggFunction(_Counting):
    """The number of rows."""

    def get_value(self, accumulator: list[Any]) -> Any:
        return super().get_value(accumulator)

    def create_accumulator(self) -> list[Any]:
        return super().create_accumulator()

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        accumulator[0] += 1

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        accumulator[0] -= 1


class CountAggFunction(_Counting):
    """The number of values that are not None."""

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] += 1

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] -= 1


class _OneValue(AggregateFunction):
    """Accumulator: [value] or []."""

    def create_accumulator(self) -> list[Any]:
        return []

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[0] if accumulator else None

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        raise NotImplementedError("This function does not support retraction: use the one with retraction.")


class FirstValueAggFunction(_OneValue):
    """The first value that is not None."""

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None and not accumulator:
            accumulator.append(args[0])

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            if other:
                self.accumulate(accumulator, other[0])


class LastValueAggFunction(_OneValue):
    """The last value that is not None."""

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[:] = [args[0]]

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            if other:
                self.accumulate(accumulator, other[0])


class _Values(AggregateFunction):
    """Accumulator: the values in order of arrival."""

    def create_accumulator(self) -> list[Any]:
        return []

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator.append(args[0])

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] in accumulator:
            accumulator.remove(args[0])

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            accumulator.extend(other)


class FirstValueWithRetractAggFunction(_Values):
    """The first value that is not None and still there."""

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[0] if accumulator else None


class LastValueWithRetractAggFunction(_Values):
    """The last value that is not None and still there."""

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[-1] if accumulator else None

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        for i in range(len(accumulator) - 1, -1, -1):
            if accumulator[i] == args[0]:
                del accumulator[i]
                return


class ListAggFunction(AggregateFunction):
    """The values joined by the second argument, or a comma. Accumulator: [separator, values...]."""

    def create_accumulator(self) -> list[Any]:
        return [_SEPARATOR]

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[0].join(str(value) for value in accumulator[1:]) if len(accumulator) > 1 else None

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            if len(args) > 1:
                accumulator[0] = args[1]
            accumulator.append(args[0])

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        raise NotImplementedError("This function does not support retraction: use the one with retraction.")


class ListAggWithRetractAggFunction(_Values):
    """The values joined by commas."""

    def get_value(self, accumulator: list[Any]) -> Any:
        return _SEPARATOR.join(str(value) for value in accumulator) if accumulator else None


class ListAggWsWithRetractAggFunction(AggregateFunction):
    """The values joined by the second argument. Accumulator: [separator, values...]."""

    def create_accumulator(self) -> list[Any]:
        return [_SEPARATOR]

    def get_value(self, accumulator: list[Any]) -> Any:
        return str(accumulator[0]).join(str(value) for value in accumulator[1:]) if len(accumulator) > 1 else None

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] = args[1]
            accumulator.append(args[0])

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] in accumulator[1:]:
            accumulator.pop(accumulator.index(args[0], 1))

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            if len(other) > 1:
                accumulator[0] = other[0]
                accumulator.extend(other[1:])


class MaxAggFunction(_OneValue):
    """The greatest value."""

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None and (not accumulator or args[0] > accumulator[0]):
            accumulator[:] = [args[0]]

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            if other:
                self.accumulate(accumulator, other[0])


class MinAggFunction(_OneValue):
    """The smallest value."""

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None and (not accumulator or args[0] < accumulator[0]):
            accumulator[:] = [args[0]]

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            if other:
                self.accumulate(accumulator, other[0])


class MaxWithRetractAggFunction(AggregateFunction):
    """The greatest value that is still there. Accumulator: Row(greatest, {value: count})."""

    def create_accumulator(self) -> Any:
        return Row(None, {})

    def get_value(self, accumulator: Any) -> Any:
        return accumulator[0]

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        if args[0] is not None:
            _add(accumulator[1], args[0], 1)
            self.update_max(accumulator)

    def retract(self, accumulator: Any, *args: Any) -> None:
        if args[0] is not None:
            _add(accumulator[1], args[0], -1)
            self.update_max(accumulator)

    @staticmethod
    def update_max(acc: Any) -> None:
        """Finds the greatest value anew."""
        acc[0] = max((value for value, count in acc[1].items() if count > 0), default=None)

    def merge(self, acc: Any, accumulators: Any) -> None:
        for other in accumulators:
            for value, count in other[1].items():
                _add(acc[1], value, count)
        self.update_max(acc)


class MinWithRetractAggFunction(AggregateFunction):
    """The smallest value that is still there. Accumulator: Row(smallest, {value: count})."""

    def create_accumulator(self) -> Any:
        return Row(None, {})

    def get_value(self, accumulator: Any) -> Any:
        return accumulator[0]

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        if args[0] is not None:
            _add(accumulator[1], args[0], 1)
            self.update_min(accumulator)

    def retract(self, accumulator: Any, *args: Any) -> None:
        if args[0] is not None:
            _add(accumulator[1], args[0], -1)
            self.update_min(accumulator)

    @staticmethod
    def update_min(acc: Any) -> None:
        """Finds the smallest value anew."""
        acc[0] = min((value for value, count in acc[1].items() if count > 0), default=None)

    def merge(self, acc: Any, accumulators: Any) -> None:
        for other in accumulators:
            for value, count in other[1].items():
                _add(acc[1], value, count)
        self.update_min(acc)


def _add(counts: dict[Any, int], value: Any, by: int) -> None:
    count = counts.get(value, 0) + by
    if count == 0:
        counts.pop(value, None)
    else:
        counts[value] = count


class Sum0AggFunction(AggregateFunction):
    """The sum; 0 where there are no values. Accumulator: [sum]."""

    def create_accumulator(self) -> list[Any]:
        return [0]

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[0]

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] += args[0]

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] -= args[0]

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            accumulator[0] += other[0]


class IntSum0AggFunction(Sum0AggFunction):
    """The sum of integers."""

    def create_accumulator(self) -> list[Any]:
        return [0]


class FloatSum0AggFunction(Sum0AggFunction):
    """The sum of floats."""

    def create_accumulator(self) -> list[Any]:
        return [0.0]


class DecimalSum0AggFunction(Sum0AggFunction):
    """The sum of decimals."""

    def create_accumulator(self) -> list[Any]:
        return [decimal.Decimal("0")]


class SumAggFunction(AggregateFunction):
    """The sum; None where there are no values. Accumulator: [sum]."""

    def create_accumulator(self) -> list[Any]:
        return [None]

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[0]

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] = args[0] if accumulator[0] is None else accumulator[0] + args[0]

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        raise NotImplementedError("This function does not support retraction: use the one with retraction.")

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            self.accumulate(accumulator, other[0])


class SumWithRetractAggFunction(AggregateFunction):
    """The sum; None where there are no values. Accumulator: [sum, count]."""

    def create_accumulator(self) -> list[Any]:
        return [0, 0]

    def get_value(self, accumulator: list[Any]) -> Any:
        return None if accumulator[1] == 0 else accumulator[0]

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] += args[0]
            accumulator[1] += 1

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] -= args[0]
            accumulator[1] -= 1

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for other in accumulators:
            accumulator[0] += other[0]
            accumulator[1] += other[1]


class WelfordM2AggFunction(AggregateFunction):
    """The sum of squared distances from the mean, by Welford's method. Accumulator: [count, mean, M2]."""

    def create_accumulator(self) -> list[Any]:
        return [0, 0.0, 0.0]

    def get_value(self, accumulator: list[Any]) -> Any:
        return accumulator[2] if accumulator[0] > 0 else None

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] += 1
            delta = args[0] - accumulator[1]
            accumulator[1] += delta / accumulator[0]
            accumulator[2] += delta * (args[0] - accumulator[1])

    def retract(self, accumulator: list[Any], *args: Any) -> None:
        if args[0] is None:
            return
        accumulator[0] -= 1
        if accumulator[0] == 0:
            accumulator[1:] = [0.0, 0.0]
            return
        delta = args[0] - accumulator[1]
        accumulator[1] -= delta / accumulator[0]
        accumulator[2] -= delta * (args[0] - accumulator[1])

    def merge(self, accumulator: list[Any], accumulators: Any) -> None:
        for count, mean, m2 in accumulators:
            if count == 0:
                continue
            total = accumulator[0] + count
            delta = mean - accumulator[1]
            accumulator[2] += m2 + delta * delta * accumulator[0] * count / total
            accumulator[1] += delta * count / total
            accumulator[0] = total


use_flink_names(globals())
