"""Slot sharing groups: kept for programs that name them; there are no slots here, every operator gets the threads it asks for."""

from __future__ import annotations

import re
from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["MemorySize", "SlotSharingGroup"]

_UNITS = {"": 0, "b": 0, "k": 1, "kb": 1, "m": 2, "mb": 2, "g": 3, "gb": 3, "t": 4, "tb": 4}


class MemorySize:
    """An amount of memory, in bytes."""

    def __init__(self, j_memory_size: Any = None, bytes_size: int | None = None) -> None:
        if isinstance(j_memory_size, MemorySize):
            bytes_size = j_memory_size.get_bytes()
        if bytes_size is None:
            raise ValueError("MemorySize takes bytes_size: the number of bytes")
        if bytes_size < 0:
            raise ValueError(f"bytes must be >= 0, not {bytes_size}")
        self._bytes = bytes_size

    @staticmethod
    def of_mebi_bytes(mebi_bytes: int) -> MemorySize:
        """So many times 2**20 bytes."""
        return MemorySize(bytes_size=mebi_bytes << 20)

    @staticmethod
    def _parse(text: str) -> MemorySize:
        match = re.fullmatch(r"\s*(\d+)\s*([a-z]*)\s*", text.lower())
        if match is None or match[2] not in _UNITS:
            raise ValueError(f"Memory size {text!r} is not a number of bytes with a unit such as kb, mb or gb")
        return MemorySize(bytes_size=int(match[1]) << (10 * _UNITS[match[2]]))

    def get_bytes(self) -> int:
        """In bytes."""
        return self._bytes

    def get_kibi_bytes(self) -> int:
        """In KiB, rounded down."""
        return self._bytes >> 10

    def get_mebi_bytes(self) -> int:
        """In MiB, rounded down."""
        return self._bytes >> 20

    def get_gibi_bytes(self) -> int:
        """In GiB, rounded down."""
        return self._bytes >> 30

    def get_tebi_bytes(self) -> int:
        """In TiB, rounded down."""
        return self._bytes >> 40

    def get_java_memory_size(self) -> MemorySize:
        """The size itself: there is no Java side."""
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemorySize) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __lt__(self, other: MemorySize) -> bool:
        return self._bytes < other._bytes

    def __le__(self, other: MemorySize) -> bool:
        return self._bytes <= other._bytes

    def __str__(self) -> str:
        return f"{self._bytes} bytes"

    def __repr__(self) -> str:
        return f"MemorySize({self._bytes})"


class _Builder:
    """Builds a SlotSharingGroup."""

    def __init__(self, name: str) -> None:
        self._group = SlotSharingGroup(name)

    def set_cpu_cores(self, cpu_cores: float) -> _Builder:
        """How many cores."""
        if cpu_cores <= 0:
            raise ValueError(f"The cpu cores should be positive, not {cpu_cores}")
        self._group._cpu_cores = float(cpu_cores)
        return self

    def set_task_heap_memory(self, task_heap_memory: MemorySize | str) -> _Builder:
        """Memory on the heap."""
        size = _size(task_heap_memory)
        if size.get_bytes() <= 0:
            raise ValueError("The task heap memory should be positive.")
        self._group._task_heap = size
        return self

    def set_task_heap_memory_mb(self, task_heap_memory_mb: int) -> _Builder:
        return self.set_task_heap_memory(MemorySize.of_mebi_bytes(task_heap_memory_mb))

    def set_task_off_heap_memory(self, task_off_heap_memory: MemorySize | str) -> _Builder:
        """Memory off the heap."""
        self._group._task_off_heap = _size(task_off_heap_memory)
        return self

    def set_task_off_heap_memory_mb(self, task_off_heap_memory_mb: int) -> _Builder:
        return self.set_task_off_heap_memory(MemorySize.of_mebi_bytes(task_off_heap_memory_mb))

    def set_managed_memory(self, managed_memory: MemorySize | str) -> _Builder:
        """Memory for state and Python."""
        self._group._managed = _size(managed_memory)
        return self

    def set_managed_memory_mb(self, managed_memory_mb: int) -> _Builder:
        return self.set_managed_memory(MemorySize.of_mebi_bytes(managed_memory_mb))

    def set_external_resource(self, name: str, value: float) -> _Builder:
        """So much of a named resource."""
        self._group._external[name] = float(value)
        return self

    def build(self) -> SlotSharingGroup:
        """The group. Raises where memory is given and cores or heap are not, as in Flink."""
        group = self._group
        given = group._cpu_cores is not None, group._task_heap is not None
        others = bool(group._external) or group._managed is not None or group._task_off_heap is not None
        if all(given) or not (any(given) or others):
            return group
        raise ValueError("The cpu cores and task heap memory are required when specifying the resource of a slot sharing group.")


def _size(value: MemorySize | str) -> MemorySize:
    return MemorySize._parse(value) if isinstance(value, str) else value


class SlotSharingGroup:
    """A name for operators that share slots, and the resources of a slot."""

    Builder = _Builder

    def __init__(self, j_slot_sharing_group: Any) -> None:
        self._name = str(j_slot_sharing_group)
        self._cpu_cores: float | None = None
        self._task_heap: MemorySize | None = None
        self._task_off_heap: MemorySize | None = None
        self._managed: MemorySize | None = None
        self._external: dict[str, float] = {}

    def get_name(self) -> str:
        """Its name."""
        return self._name

    def get_managed_memory(self) -> MemorySize | None:
        """What was set; nothing where only CPU was; None where no resources were."""
        return self._managed if self._managed is not None or self._cpu_cores is None else MemorySize(bytes_size=0)

    def get_task_heap_memory(self) -> MemorySize | None:
        """What was set, or None."""
        return self._task_heap

    def get_task_off_heap_memory(self) -> MemorySize | None:
        """What was set; nothing where only CPU was; None where no resources were."""
        return self._task_off_heap if self._task_off_heap is not None or self._cpu_cores is None else MemorySize(bytes_size=0)

    def get_cpu_cores(self) -> float | None:
        """How many, or None."""
        return self._cpu_cores

    def get_external_resources(self) -> dict[str, float]:
        """Amounts by name."""
        return dict(self._external)

    def get_java_slot_sharing_group(self) -> SlotSharingGroup:
        """The group itself: there is no Java side."""
        return self

    @staticmethod
    def builder(name: str) -> _Builder:
        """Starts a group of that name."""
        return _Builder(name)

    def _parts(self) -> tuple[Any, ...]:
        sizes = self.get_task_heap_memory(), self.get_task_off_heap_memory(), self.get_managed_memory()
        return self._name, self._cpu_cores, sizes, tuple(sorted(self._external.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SlotSharingGroup) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"SlotSharingGroup({self._name!r})"


use_flink_names(globals())
