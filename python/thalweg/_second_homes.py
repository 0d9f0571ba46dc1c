"""Names that Flink's modules give because they use them, though others define them: editors write such imports, and programs keep them.

`from pyflink.datastream.data_stream import MapFunction` is one. Every module of `pyflink` gives every public name, so none is listed.
"""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType
from typing import Any

__all__ = ["give_all_names"]

# Where public names are defined; of two with one name, that of the asking module's own package comes first.
_HOMES = [
    "common", "common.serialization", "common.time", "common.typeinfo", "common.watermark_strategy",
    "datastream", "datastream.connectors", "datastream.connectors.base", "datastream.connectors.dynamic_kafka",
    "datastream.connectors.file_system", "datastream.connectors.kafka", "datastream.connectors.pulsar",
    "datastream.formats.avro", "datastream.formats.csv", "datastream.formats.json",
    "datastream.functions", "datastream.output_tag", "datastream.state", "datastream.utils", "datastream.window",
    "table", "table.catalog", "table.data_view", "table.expressions", "table.model_descriptor",
    "table.resolved_expression", "table.types", "table.udf", "table.window",
    "java_gateway", "metrics", "serializers", "util.api_stability_decorators", "util.exceptions", "util.java_utils",
]  # fmt: skip


def give_all_names(module: ModuleType) -> None:
    """Lets the module look further for a name that it has not."""
    own = vars(module).get("__getattr__")
    package = module.__name__.split(".")[1]

    def __getattr__(name: str) -> Any:
        if own is not None:
            try:
                return own(name)
            except AttributeError:
                pass
        found = None if name.startswith("_") or _is_submodule(module, name) else _find(package, name)
        if found is None:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        value = vars(module)[name] = getattr(found, name)
        return value

    module.__getattr__ = __getattr__  # type: ignore[method-assign]


def _is_submodule(module: ModuleType, name: str) -> bool:
    """Whether it is for the import system, which asks first whether the package has the name."""
    return hasattr(module, "__path__") and importlib.util.find_spec(f"{module.__name__}.{name}") is not None


def _find(package: str, name: str) -> ModuleType | None:
    for home in sorted(_HOMES, key=lambda home: home.split(".")[0] != package):
        module = importlib.import_module(f"thalweg.{home}")
        if name in getattr(module, "__all__", ()) or _defines(module, name):
            return module
    return None


def _defines(module: ModuleType, name: str) -> bool:
    """Whether the name is the module's own, though it is none of those for all to use."""
    return getattr(vars(module).get(name), "__module__", None) in (module.__name__, "pyflink" + module.__name__.removeprefix("thalweg"))
