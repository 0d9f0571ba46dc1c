"""Writes docs/reference/python_api.tsv: every public name of Flink's Python API, and what it does here.

usage: tools/api_ledger.py [--names FILE] [TESTS...]

Columns: module, kind, name, parameters ('=' marks an optional one), status, evidence. The status is

    works      a test that calls the name, or derives from it, passes: the evidence is the test
    present    the name and its parameters are there, and no test calls it yet
    accepted   it may be called and has no effect; the evidence is the first line of its documentation
    refused    it raises an error that names it; the evidence likewise

The first four columns are taken from the page itself, or from FILE. What is accepted and what is refused says so in the first words of
its documentation ("Accepted", "Refused"), or its class does ("refused when it is used"). Tests are run with every name watched: a call is
noted, and counts once its test has passed. Without TESTS all of tests/python are run; with them, evidence in other files is kept.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import importlib
import inspect
import json
import pathlib
import pkgutil
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "python_api.tsv"
TESTS = ROOT / "tests" / "python"
HEADER = "# module\tkind\tname\tparameters\tstatus\tevidence (written by tools/api_ledger.py)\n"
FILE_SECONDS = 120
UNCONNECTED = {f"datastream.connectors.{name}" for name in ("cassandra", "elasticsearch", "jdbc", "kinesis", "pulsar", "rabbitmq")} | {
    "datastream.formats.orc",
    "datastream.formats.parquet",
}
"""Modules of services and formats that there are none of: their classes can be made, and are refused when a program uses one."""

NO_FUNCTION = ("Expression.object_update",)
"""Expressions whose function the engine does not have: it says so when the query is read, naming the function (TW-2004)."""


class Name(NamedTuple):
    """A public name of Flink's."""

    module: str
    kind: str
    name: str
    parameters: str


def read_names(path: pathlib.Path) -> list[Name]:
    """The first four columns of a page."""
    lines = [line.split("\t") for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return [Name(*[*line, "", ""][:4]) for line in lines]


def module_of(name: Name) -> Any:
    """The module that has the name."""
    return importlib.import_module(f"pyflink.{name.module}".rstrip("."))


def import_everything() -> None:
    """Every module of the package, so that the classes which implement interfaces are there."""
    import thalweg

    for module in pkgutil.walk_packages(thalweg.__path__, "thalweg."):
        if not module.name.startswith(("thalweg.cli", "thalweg.__main__", "thalweg.pytest_plugin")):
            importlib.import_module(module.name)


def holder(name: Name) -> tuple[Any, str, Any]:
    """(what the name hangs on, its last part, the thing as it is stored there)"""
    *path, last = name.name.split(".")
    owner = module_of(name)
    for part in path:
        owner = getattr(owner, part)
    if inspect.isclass(owner):
        return owner, last, inspect.getattr_static(owner, last)
    return owner, last, getattr(owner, last)


def documentation(thing: Any) -> str:
    """The first line of a thing's documentation."""
    thing = getattr(thing, "__func__", getattr(thing, "fget", thing))
    return ((getattr(thing, "__doc__", None) or "").strip().splitlines() or [""])[0]


def fixed_status(name: Name) -> tuple[str, str] | None:
    """What documentation says about names that do nothing or are refused."""
    owner, _, thing = holder(name)
    first = documentation(thing)
    if first.startswith("Refused"):
        return "refused", first
    if first.startswith("Accepted"):
        return "accepted", first
    if name.module == "table.expression" and name.name.startswith(NO_FUNCTION):
        return "refused", "The engine has no such function: a query with it is refused by name (TW-2004)"
    if name.module in UNCONNECTED:
        return "refused", documentation(module_of(name))
    for about in (thing, owner):
        if inspect.isclass(about) and "refused when it is used" in documentation(about).lower():
            return "refused", documentation(about)
    if inspect.isclass(owner) and documentation(owner).startswith("Accepted"):
        return "accepted", documentation(owner)
    return None


class Watch:
    """Notes which names are called, by wrapping them: one thing may be wrapped several times, for itself and for what it implements."""

    def __init__(self, names: list[Name]) -> None:
        self.evidence: dict[Name, str] = {}
        self._called: dict[Name, str] = {}
        self._test = ""
        for name in names:
            if name.kind not in ("class", "export"):
                self._watch(name)
            elif name.kind == "class":
                self._watch_made(name)

    def _note(self, name: Name) -> None:
        if self._test and name not in self.evidence:
            self._called.setdefault(name, self._test)

    def _watch(self, name: Name) -> None:
        owner, last, thing = holder(name)
        self._patch(name, owner, last, thing)
        if inspect.isclass(owner):  # interfaces are called through the classes that implement them
            for heir in heirs(owner):
                if last in vars(heir):
                    self._patch(name, heir, last, vars(heir)[last])

    def _watch_made(self, name: Name) -> None:
        _, _, kind = holder(name)
        for owner in (kind, *heirs(kind)):
            if inspect.isclass(owner) and "__init__" in vars(owner):
                self._patch(name, owner, "__init__", vars(owner)["__init__"])

    def _patch(self, name: Name, owner: Any, last: str, thing: Any) -> None:
        wrapped = self._wrapped(name, thing)
        if wrapped is None:
            return
        with contextlib.suppress(AttributeError, TypeError):  # native classes stay as they are
            setattr(owner, last, wrapped)

    def _wrapped(self, name: Name, thing: Any) -> Any:
        if isinstance(thing, (staticmethod, classmethod)):
            return type(thing)(self._wrapper(name, thing.__func__))
        if isinstance(thing, property):
            return property(self._wrapper(name, thing.fget), thing.fset, thing.fdel, thing.__doc__) if thing.fget else None
        return self._wrapper(name, thing) if inspect.isfunction(thing) else None

    def _wrapper(self, name: Name, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self._note(name)
            return function(*args, **kwargs)

        return call

    # --- pytest
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """A test begins and ends."""
        self._test, self._called, self._failed = item.nodeid.split("[")[0], {}, False
        yield
        self._test = ""
        if not self._failed:
            self.evidence.update(self._called)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test failed, or was skipped."""
        self._failed = self._failed or report.outcome != "passed"


def heirs(kind: type) -> list[type]:
    """All classes below a class."""
    found: list[type] = []
    for heir in type.__subclasses__(kind):
        if heir not in found:
            found += [heir, *(one for one in heirs(heir) if one not in found)]
    return found


class Reading:
    """What test modules say: names they use, and methods of the classes they derive."""

    def __init__(self, passed: set[str]) -> None:
        self.used: dict[str, str] = {}  # name -> test
        self.derived: dict[tuple[str, str], str] = {}  # (base, method) -> test
        for path in sorted(TESTS.glob("test_*.py")):
            self._read(path, passed)

    def _read(self, path: pathlib.Path, passed: set[str]) -> None:
        tree = ast.parse(path.read_text())
        base = str(path.relative_to(ROOT))
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and f"{base}::{node.name}" in passed:
                self._note(node, classes, f"{base}::{node.name}", set())

    def _note(self, node: ast.AST, classes: dict[str, ast.ClassDef], test: str, seen: set[str]) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.ClassDef):
                for base in part.bases:
                    top = base.value if isinstance(base, ast.Subscript) else base
                    named = getattr(top, "id", getattr(top, "attr", ""))
                    for method in part.body:
                        if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)):
                            self.derived.setdefault((named, method.name), test)
                    self.used.setdefault(named, test)
            named = getattr(part, "id", getattr(part, "attr", "")) if isinstance(part, (ast.Name, ast.Attribute)) else ""
            if named:
                self.used.setdefault(named, test)
                if named in classes and named not in seen:
                    self._note(classes[named], classes, test, seen | {named})


def kept(run: set[str]) -> dict[Name, str]:
    """What the page says of tests in files that were not run, as far as they are still there."""
    if not PAGE.exists():
        return {}
    found = {}
    for line in PAGE.read_text().splitlines():
        *name, status, evidence = line.split("\t")
        path, _, test = evidence.partition("::")
        if status == "works" and path not in run and f"def {test.rpartition('::')[2]}(" in (ROOT / path).read_text():
            found[Name(*name)] = evidence
    return found


def judged(names: list[Name], evidence: dict[Name, str], reading: Reading) -> Iterator[tuple[str, ...]]:
    """The rows of the page."""
    by_class: dict[tuple[str, str], str] = {}
    for name, test in evidence.items():
        by_class.setdefault((name.module, name.name.split(".")[0]), test)
    for name in names:
        fixed = fixed_status(name)
        test = evidence.get(name) or by_reading(name, by_class, reading)
        if fixed is not None:
            yield (*name, *fixed)
        else:
            yield (*name, "works" if test else "present", test or "")


def by_reading(name: Name, by_class: dict[tuple[str, str], str], reading: Reading) -> str | None:
    """Evidence for what no call shows: classes that are used, exports, and methods that programs override."""
    if name.kind == "class":
        return by_class.get((name.module, name.name)) or reading.used.get(name.name)
    if name.kind == "export":  # the last column says where it is from
        home = name.parameters.removeprefix("pyflink.")
        return by_class.get((home, name.name)) or reading.used.get(name.name)
    owner, _, last = name.name.rpartition(".")
    if isinstance(holder(name)[2], (types.WrapperDescriptorType, types.MethodDescriptorType)):  # native: what makes the class work
        return by_class.get((name.module, owner)) or reading.used.get(owner)
    return reading.derived.get((owner, last))


class Passed:
    """Collects the tests that passed."""

    def __init__(self) -> None:
        self.tests: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has ended."""
        if report.when == "call" and report.passed:
            self.tests.add(report.nodeid.split("[")[0])


def collect(names: list[Name], test_file: str, into: pathlib.Path) -> int:
    """Runs one file of tests, watched; writes what was found."""
    watch, passed = Watch(names), Passed()
    code = pytest.main(["-q", "--no-header", "-p", "no:cacheprovider", test_file], plugins=[watch, passed])
    found = {"calls": [[*name, test] for name, test in watch.evidence.items()], "passed": sorted(passed.tests)}
    into.write_text(json.dumps(found))
    return int(code)


def collected(page: pathlib.Path, test_files: list[pathlib.Path]) -> tuple[dict[Name, str], set[str]]:
    """What the tests show, each file in a process of its own: of one that crashes or hangs nothing new is known."""
    evidence: dict[Name, str] = {}
    passed: set[str] = set()
    run: set[str] = set()
    for test_file in test_files:
        with tempfile.NamedTemporaryFile(suffix=".json") as into:
            command = [sys.executable, __file__, "--names", str(page), "--collect", into.name, str(test_file)]
            try:
                subprocess.run(command, check=False, timeout=FILE_SECONDS, cwd=ROOT, stdin=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                print(f"{test_file.name}: not done after {FILE_SECONDS} s", file=sys.stderr)
            text = pathlib.Path(into.name).read_text()
        if not text:
            print(f"{test_file.name}: no evidence", file=sys.stderr)
            continue
        found = json.loads(text)
        for *name, test in found["calls"]:
            evidence.setdefault(Name(*name), test)
        passed.update(found["passed"])
        run.add(str(test_file.resolve().relative_to(ROOT)))
    return kept(run) | evidence, passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", type=pathlib.Path, default=PAGE)
    parser.add_argument("--collect", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("tests", nargs="*", type=pathlib.Path)
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT / "python"), str(TESTS)]
    names = read_names(given.names)
    import_everything()
    if given.collect is not None:
        return collect(names, str(given.tests[0]), given.collect)
    evidence, passed = collected(given.names, given.tests or sorted(TESTS.glob("test_*.py")))
    rows = list(judged(names, evidence, Reading(passed)))
    PAGE.write_text(HEADER + "".join("\t".join(row) + "\n" for row in rows))
    for status in ("works", "present", "accepted", "refused"):
        print(f"{status:10}{sum(row[4] == status for row in rows):6}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
