"""Flink's own module paths over Thalweg: `pyflink.X` is the module `thalweg.X`, for every X.

A finder does it, so that there is one module object under two names and no file is read twice.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from thalweg._second_homes import give_all_names
from thalweg.version import __flink_version__ as __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["__version__"]


class _AliasFinder:
    """Finds `pyflink.X` as the module `thalweg.X`; finder and loader in one."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        del path, target
        package, _, rest = fullname.partition(".")
        if package != "pyflink" or rest == "version":
            return None
        try:
            module = importlib.import_module("thalweg." + rest)
            give_all_names(module)
        except ModuleNotFoundError as error:
            if error.name == "thalweg." + rest:
                return None
            raise
        return ModuleSpec(fullname, self, loader_state=(module, module.__spec__), is_package=hasattr(module, "__path__"))  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module: ModuleType = spec.loader_state[0]
        return module

    def exec_module(self, module: ModuleType) -> None:
        """The module ran under its own name; the import system's attributes go back to that name."""
        spec = sys.modules[module.__name__].__spec__
        if spec is not None and spec.loader_state is not None:
            module.__spec__ = spec.loader_state[1]


def _refuse_beside_flink() -> None:
    """apache-flink in the same folder has put its files among ours, or will: neither would work."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for name in os.listdir(folder):
        if name.startswith("apache_flink-") and name.endswith((".dist-info", ".egg-info")):
            version = name.split("-")[1].partition(".dist")[0]
            raise ImportError(
                f"apache-flink ({version}) and thalweg-pyflink are both installed in {folder}, and both own the name 'pyflink'. "
                "Uninstall one of them (pip uninstall thalweg-pyflink); `thalweg run app.py` needs neither."
            )


_refuse_beside_flink()
sys.meta_path.insert(0, _AliasFinder())  # type: ignore[arg-type]
