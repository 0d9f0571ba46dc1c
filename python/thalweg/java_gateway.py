"""What programs reach Java with in Flink. There is no JVM here: names can be asked for, calling one says so."""

from __future__ import annotations

import importlib
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.types import Row

__all__ = ["get_gateway"]


class _JavaRow:
    """org.apache.flink.types.Row, as far as programs fill one by hand."""

    def __init__(self, arity: int) -> None:
        self._values: list[Any] = [None] * arity

    def setField(self, position: int, value: Any) -> None:
        self._values[position] = value

    def getField(self, position: int) -> Any:
        return self._values[position]

    def getArity(self) -> int:
        return len(self._values)

    def __getitem__(self, position: int) -> Any:
        return self._values[position]

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (_JavaRow, Row)) and self._values == [other[i] for i in range(len(other))]

    def equals(self, other: Any) -> bool:
        return self.__eq__(other)

    __hash__ = None  # type: ignore[assignment]


def _in_memory_catalog(name: str, default_database: str = "default") -> Any:
    """A catalog of no environment, as `pyflink.table.catalog.Catalog` takes it."""
    from thalweg._session import new_session
    from thalweg.table.catalog import CatalogHandle
    from thalweg.table.nested_types import quote

    session = new_session({})
    session.execute(f"CREATE CATALOG {quote(name)} WITH ('type' = 'generic_in_memory', 'default-database' = '{default_database}')")
    return CatalogHandle(session, name, default_database)


_KNOWN: dict[str, Any] = {
    "GenericInMemoryCatalog": _in_memory_catalog,
    "org.apache.flink.table.catalog.GenericInMemoryCatalog": _in_memory_catalog,
    "org.apache.flink.types.Row": _JavaRow,
    "org.apache.flink.connector.testutils.formats.DummyInitializationContext": object,
}


class _JavaName:
    """A name of Java's, such as `gateway.jvm.java.util.ArrayList`. It leads to further names; most cannot be called."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> _JavaName:
        if name.startswith("__"):
            raise AttributeError(name)
        return _JavaName(f"{self._path}.{name}" if self._path else name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._path in _KNOWN:
            return _KNOWN[self._path](*args, **kwargs)
        raise NotImplementedError(f"{self._path}: Thalweg has no JVM, so Java cannot be called; use Python's own means")

    def __repr__(self) -> str:
        return f"JavaName({self._path})"


class Gateway:
    """The way to Java that is not there."""

    def __init__(self) -> None:
        self.jvm = _JavaName("")
        self.entry_point = _JavaName("entry_point")

    def new_array(self, java_class: Any, *dimensions: int) -> list[Any]:
        """A list of that length."""
        del java_class
        return [None] * (dimensions[0] if dimensions else 0)

    def close(self) -> None:
        """Nothing to close."""

    def shutdown(self) -> None:
        """Nothing to shut down."""


_GATEWAY = Gateway()


def is_launch_gateway_disabled() -> bool:
    """True: no process is ever started."""
    return True


def get_gateway() -> Gateway:
    """The gateway."""
    return _GATEWAY


def launch_gateway() -> Gateway:
    """The gateway; no process is started."""
    return _GATEWAY


def import_flink_view(gateway: Gateway) -> None:
    """Accepted: there is no view to import names into."""
    del gateway


class PythonFunctionFactory:
    """Finds Python functions by name."""

    def getPythonFunction(self, moduleName: str, objectName: str) -> Any:  # noqa: N803 - Flink's names
        """The object of that name."""
        return getattr(importlib.import_module(moduleName), objectName)


class Watchdog:
    """What a Java process would look after Python by."""

    def ping(self) -> bool:
        """True: this process lives."""
        return True


use_flink_names(globals())
