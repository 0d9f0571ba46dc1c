"""Functions that worker processes import by name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

from pyflink.common import Row
from pyflink.table import DataTypes
from pyflink.table.udf import AggregateFunction, FunctionContext, ScalarFunction, TableAggregateFunction, TableFunction


class Scale(ScalarFunction):
    def open(self, function_context: FunctionContext) -> None:
        self.factor = int(function_context.get_job_parameter("factor", "2"))

    def eval(self, *args: Any) -> Any:
        return None if args[0] is None else args[0] * self.factor


class Repeat(TableFunction):
    def eval(self, *args: Any) -> Iterator[Row]:
        for place in range(args[0] or 0):
            yield Row(place, "x" * place)


class Total(AggregateFunction):
    def create_accumulator(self) -> list[int]:
        return [0]

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        accumulator[0] += args[0] or 0

    def merge(self, accumulator: Any, accumulators: Any) -> None:
        for other in accumulators:
            accumulator[0] += other[0]

    def get_value(self, accumulator: Any) -> int:
        return int(accumulator[0])

    def get_result_type(self) -> Any:
        return DataTypes.BIGINT()

    def get_accumulator_type(self) -> Any:
        return DataTypes.ARRAY(DataTypes.BIGINT())


class Ends(TableAggregateFunction):
    def create_accumulator(self) -> list[Any]:
        return []

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        if args[0] is not None:
            accumulator.append(args[0])

    def emit_value(self, accumulator: Any) -> Iterator[Row]:
        if accumulator:
            yield Row("least", min(accumulator))
            yield Row("most", max(accumulator))

    def get_result_type(self) -> Any:
        return DataTypes.ROW([DataTypes.FIELD("what", DataTypes.STRING()), DataTypes.FIELD("v", DataTypes.BIGINT())])

    def get_accumulator_type(self) -> Any:
        return DataTypes.ARRAY(DataTypes.BIGINT())


def halved(series: Any) -> Any:
    return series / 2


def fails(number: int | None) -> int:
    raise ValueError(f"not {number}")


def process_id(_: Any) -> int:
    return os.getpid()


def crash(_: Any) -> int:
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def hang(_: Any) -> int:
    while True:
        time.sleep(60)
