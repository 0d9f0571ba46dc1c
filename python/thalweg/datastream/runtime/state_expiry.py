"""When a key's state is looked through for what has expired."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from thalweg.datastream.runtime.keyed_state import StateStore

if TYPE_CHECKING:
    from thalweg._native import StreamContext

__all__ = ["StateExpiry"]

_EXPIRY = "_expiry"
"""In a key's dict: the time of its timer for this, in milliseconds."""


class StateExpiry:
    """Drops a key's expired state within a second after it expires, whether or not it is read; `row` tells the row at hand."""

    def __init__(self, context: StreamContext, row: Callable[[], int]) -> None:
        self._context = context
        self._row = row
        self.store = StateStore(context.now, self._expire_at)

    def is_due(self, time: int) -> bool:
        """Whether the current key's processing-time timer of this time is for its state, not one of the user's."""
        return self.store.current.get(_EXPIRY) == time

    def drop(self) -> None:
        """Drops what has expired of the current key, and sets the next timer where something may expire yet."""
        del self.store.current[_EXPIRY]
        self.store.drop_expired()
        left = self.store.shortest_ttl()
        if left is not None:
            self._expire_at(self._context.now() + left)

    def _expire_at(self, time: int) -> None:
        state = self.store.current
        if _EXPIRY in state:
            return
        time = (time // 1000 + 1) * 1000
        while not self._context.add_processing_timer(self._row(), time):
            # A timer of the user's.
            time += 1
        state[_EXPIRY] = time
