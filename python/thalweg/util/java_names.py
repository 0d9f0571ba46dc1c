"""Objects of Python's under the method names that they have in Java: `t_env._j_tenv.executeSql(...)`."""

from __future__ import annotations

import re
from typing import Any

_RENAMED = {"await": "wait", "from": "from_path", "as": "alias", "toString": "__str__", "equals": "__eq__", "hashCode": "__hash__"}


class JavaNames:
    """Another object, whose methods are called by Java's names; what they give is an object of this kind again."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self._wrapped, _RENAMED.get(name) or re.sub("([A-Z])", r"_\1", name).lower(), None)
        if not callable(method):
            kind = type(self._wrapped).__name__
            raise NotImplementedError(f"{kind}.{name}: Thalweg has no JVM; what Python's {kind} can do is here under Java's names")

        def call(*arguments: Any) -> Any:
            return _shown(method(*(_plain(argument) for argument in arguments)))

        return call

    def __str__(self) -> str:
        return str(self._wrapped)


def _plain(value: Any) -> Any:
    return value._wrapped if isinstance(value, JavaNames) else value


def _shown(value: Any) -> Any:
    return JavaNames(value) if type(value).__module__.partition(".")[0] in ("pyflink", "thalweg") else value
