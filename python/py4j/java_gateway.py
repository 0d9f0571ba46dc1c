"""Names of py4j's gateway that programs import. There is no JVM: no object is of these classes."""

from __future__ import annotations

from typing import Any

from thalweg.java_gateway import Gateway

__all__ = ["JavaClass", "JavaGateway", "JavaObject", "get_java_class", "get_method", "java_import"]

JavaGateway = Gateway


class JavaObject:
    """An object of Java's."""


class JavaClass:
    """A class of Java's."""


def get_java_class(java_class: Any) -> Any:
    """The class itself."""
    return java_class


def get_method(java_object: Any, method_name: str) -> Any:
    """A method by its name, for names that are words of Python's."""
    return getattr(java_object, method_name)


def java_import(jvm_view: Any, import_str: str) -> None:
    """Accepted: there are no classes to import."""
    del jvm_view, import_str
