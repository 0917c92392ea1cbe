"""Final advice that was given before: a question that is asked again is answered at once."""

from __future__ import annotations

import threading
from collections import OrderedDict

from salet.coach.advice import Advice

MOST = 2000

Key = tuple[object, ...]


class Remembered:
    """Advice by question; what was not asked for longest is forgotten first."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Advice] = OrderedDict()

    def get(self, key: Key) -> Advice | None:
        """What was kept; None if nothing was."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, advice: Advice) -> None:
        """Keep it, and forget the oldest beyond the most."""
        with self._lock:
            self._kept[key] = advice
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
