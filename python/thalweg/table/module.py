"""Modules: sets of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.util.exceptions import ValidationException
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg._native import Session

__all__ = ["HiveModule", "Module", "ModuleEntry"]

CORE = "core"


class Module:
    """A set of functions. A module of one's own is a class derived from this one with `functions`."""

    def __init__(self, j_module: Any = None) -> None:
        self._j_module = j_module

    def functions(self) -> dict[str, Any]:
        """The functions by name, each made by `udf`, `udtf`, `udaf` or `udtaf`."""
        raise unsupported(f"{type(self).__name__}.functions: the class does not define it; it")


class HiveModule(Module):
    """Refused: Hive's functions are not there."""

    def __init__(self, hive_version: str | None = None) -> None:
        """Refused, whatever the version."""
        super().__init__(None)
        raise unsupported("HiveModule: Hive's functions are not there; write those you need with udf(...) in a Module. It")


class ModuleEntry:
    """A module and whether its functions are found."""

    def __init__(self, name: str, used: bool, j_module_entry: Any = None) -> None:
        del j_module_entry
        self._name = name
        self._used = used

    def name(self) -> str:
        return self._name

    def used(self) -> bool:
        return self._used

    def __repr__(self) -> str:
        return f"ModuleEntry({self._name}, {self._used})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModuleEntry) and (self._name, self._used) == (other._name, other._used)

    def __hash__(self) -> int:
        return hash((self._name, self._used))


class LoadedModules:
    """The modules of one environment and the order in which their functions are found. The core module is always used."""

    def __init__(self) -> None:
        self._modules: dict[str, Module] = {}
        self._used = [CORE]
        self._registered: set[str] = set()

    def load(self, session: Session, name: str, module: Module) -> None:
        """Loads a module and uses it, after the others."""
        if name == CORE or name in self._modules:
            raise ValidationException(f"A module with name '{name}' already exists")
        module.functions()  # a class without functions is refused here
        self._modules[name] = module
        self._used.append(name)
        self._register(session)

    def unload(self, session: Session, name: str) -> None:
        """Takes a module away."""
        if name == CORE:
            raise unsupported("unloading the core module")
        if name not in self._modules:
            raise ValidationException(f"No module with name '{name}' exists")
        del self._modules[name]
        if name in self._used:
            self._used.remove(name)
        self._register(session)

    def use(self, session: Session, names: tuple[str, ...]) -> None:
        """The modules whose functions are found, in this order."""
        for name in names:
            if name != CORE and name not in self._modules:
                raise ValidationException(f"No module with name '{name}' exists")
        if len(set(names)) != len(names):
            raise ValidationException(f"Module '{max(names, key=names.count)}' appears more than once")
        if CORE not in names:
            raise unsupported("using modules without the core module")
        self._used = list(names)
        self._register(session)

    def used(self) -> list[str]:
        return list(self._used)

    def entries(self) -> list[ModuleEntry]:
        """Those in use first."""
        unused = [name for name in self._modules if name not in self._used]
        return [ModuleEntry(name, True) for name in self._used] + [ModuleEntry(name, False) for name in unused]

    def _register(self, session: Session) -> None:
        """Functions of the modules in use become functions of the session; the first that has a name gives it."""
        from thalweg.table.udf import native_function

        for name in self._registered:
            session.drop("SYSTEM FUNCTION", name, True)
        self._registered = set()
        core = {name.upper() for name in session.list("functions")}
        for module in self._used:
            for name, function in ({} if module == CORE else self._modules[module].functions()).items():
                hidden = name.upper() in core and self._used.index(CORE) < self._used.index(module)
                if name not in self._registered and not hidden:
                    session.create_function(name, native_function(function, name), True, True)
                    self._registered.add(name)


use_flink_names(globals())
