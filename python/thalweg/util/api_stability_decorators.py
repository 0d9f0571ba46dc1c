"""Marks how stable a name is: a note in its documentation."""

from __future__ import annotations

from typing import Any, TypeVar

from thalweg._flink_names import use_flink_names

__all__ = ["Deprecated", "Experimental", "Internal", "Public", "PublicEvolving"]

_Named = TypeVar("_Named")


class BaseAPIStabilityDecorator:
    """Adds a directive to the documentation of what it decorates."""

    def __call__(self, func_or_cls: _Named) -> _Named:
        func_or_cls.__doc__ = f"{func_or_cls.__doc__ or ''}\n\n{self.get_directive(func_or_cls)}"
        return func_or_cls

    def get_directive(self, func_or_cls: Any) -> str:
        """The directive, as reStructuredText."""
        raise NotImplementedError


class Deprecated(BaseAPIStabilityDecorator):
    """Will go; `since` which version, and why or what to use."""

    def __init__(self, since: str, detail: str | None = None) -> None:
        self.since = since
        self.detail = detail

    def get_directive(self, func_or_cls: Any) -> str:
        return f".. deprecated:: {self.since}" + (f"\n   {self.detail}" if self.detail else "")


class Experimental(BaseAPIStabilityDecorator):
    """May change in any version."""

    def get_directive(self, func_or_cls: Any) -> str:
        return ".. caution:: This is marked as experimental: it may change or go in any version."


class Internal(BaseAPIStabilityDecorator):
    """Not for programs."""

    def get_directive(self, func_or_cls: Any) -> str:
        return ".. caution:: This is marked as internal: it may change or go in any version."


class PublicEvolving(BaseAPIStabilityDecorator):
    """May change from one minor version to the next."""

    def get_directive(self, func_or_cls: Any) -> str:
        return ".. note:: This is marked as evolving: it may change from one minor version to the next."


class Public(BaseAPIStabilityDecorator):
    """Stays as it is within a major version."""

    def get_directive(self, func_or_cls: Any) -> str:
        return ".. note:: This is marked as public: it stays as it is within a major version."


use_flink_names(globals())
