"""Names of a package that are imported when first used: a program pays only for the modules it touches."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def lazy_exports(package: str, modules: dict[str, list[str]]) -> Callable[[str], Any]:
    """The package's `__getattr__`: `modules` maps a submodule to the names it gives."""
    home = {name: module for module, names in modules.items() for name in names}

    def __getattr__(name: str) -> Any:
        module = home.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        full = f"{package}.{module}"
        if full not in sys.modules:
            __import__(full)
        value = getattr(sys.modules[full], name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__
