"""docs/reference/python_api.tsv: every public name of Flink's Python API is here with its parameters, and says what it does."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pathlib
import types
from typing import Any, NamedTuple

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "python_api.tsv"


class Entry(NamedTuple):
    """A row of the page."""

    module: str
    kind: str
    name: str
    parameters: str
    status: str
    evidence: str


@functools.cache
def entries() -> list[Entry]:
    return [Entry(*line.split("\t")) for line in PAGE.read_text().splitlines() if not line.startswith("#")]


def found(entry: Entry) -> Any:
    """The thing that has the name."""
    thing = importlib.import_module(f"pyflink.{entry.module}".rstrip("."))
    for part in entry.name.split("."):
        thing = inspect.getattr_static(thing, part) if inspect.isclass(thing) and part in vars(thing) else getattr(thing, part)
    return thing


def lacking(entry: Entry) -> str | None:
    """What is wrong with a name, or None."""
    try:
        thing = found(entry)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault of the name
        return f"{entry.module}.{entry.name}: {type(error).__name__}: {error}"
    if entry.kind not in ("function", "method", "staticmethod", "classmethod") or not entry.parameters:
        return None
    if isinstance(thing, types.WrapperDescriptorType):  # an operator of a native class: its parameters have no names
        return None
    have = inspect.signature(getattr(thing, "__func__", thing)).parameters
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in have.values()):
        return None
    wanted = [part.strip() for part in entry.parameters.split(",") if not part.strip().startswith("*")]
    for part in wanted:
        parameter = have.get(part.rstrip("="))
        if parameter is None:
            return f"{entry.module}.{entry.name}: no parameter {part}"
        if part.endswith("=") and parameter.default is inspect.Parameter.empty:
            return f"{entry.module}.{entry.name}: parameter {part} has no default"
    return None


@functools.cache
def names_in(path: pathlib.Path) -> frozenset[str]:
    """The tests in a file: functions, and methods as Class::name."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return frozenset(names)


@pytest.mark.parametrize("area", sorted({entry.module.split(".")[0] for entry in entries()}))
def test_every_name_is_there_with_its_parameters(area: str) -> None:
    faults = [fault for entry in entries() if entry.module.split(".")[0] == area and (fault := lacking(entry)) is not None]
    assert faults == []


def test_every_name_says_what_it_does() -> None:
    assert {entry.status for entry in entries()} <= {"works", "present", "accepted", "refused"}
    for entry in entries():
        if entry.status == "works":
            path, _, test = entry.evidence.partition("::")
            assert test in names_in(ROOT / path), f"{entry.module}.{entry.name}: there is no test {entry.evidence}"
        elif entry.status in ("accepted", "refused"):
            assert entry.evidence, f"{entry.module}.{entry.name} does not say why"


@pytest.mark.parametrize(("area", "share"), [("table", 0.9), ("datastream", 0.9), ("common", 0.9), ("metrics", 1.0)])
def test_most_names_work(area: str, share: float) -> None:
    """Of those that have anything to do here: services without a connector are not counted."""
    counted = [entry for entry in entries() if entry.module.split(".")[0] == area and entry.status in ("works", "present")]
    works = sum(entry.status == "works" for entry in counted)
    assert works >= share * len(counted), f"{works} of {len(counted)}"


def test_refusals_name_what_they_refuse() -> None:
    """Functions that are refused outright say so when they are called."""
    for entry in entries():
        thing = found(entry)
        if entry.status == "refused" and entry.kind == "function" and entry.evidence.startswith("Refused"):
            arguments = [None for parameter in inspect.signature(thing).parameters.values() if parameter.default is parameter.empty]
            with pytest.raises(NotImplementedError, match=entry.name):
                thing(*arguments)
