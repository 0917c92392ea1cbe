"""What the routes share: games and plans that are ready, and the pool. All of it caches."""

from __future__ import annotations

import threading

from salet.errors import InputError
from salet.search.shipped import shipped_names, shipped_plan
from salet.web.catalogue import Catalogue
from salet.web.explore import Walk
from salet.web.pool import Pool
from salet.web.remembered import Remembered
from salet.web.settings import Settings


class Services:
    """One for each application."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.catalogue = Catalogue(settings)
        self.pool = Pool(settings)
        self.remembered = Remembered()
        self._lock = threading.Lock()
        self._walks: dict[tuple[str, str], Walk] = {}
        """as many as there are shipped plans, at most"""

    def prepare(self) -> None:
        """Open what most will ask for; whoever asks meanwhile waits no longer than without."""
        for name in self.settings.prepared:
            self.catalogue.coach(name, "normal").warm_up()

    def walk(self, name: str, mode: str) -> Walk:
        """The shipped plan of a game, ready to walk."""
        game = self.catalogue.game(name, mode)
        key = (game.name, game.mode)
        with self._lock:
            if key not in self._walks:
                plan = shipped_plan(game)
                if plan is None:
                    there = ", ".join(" ".join(pair) for pair in shipped_names())
                    raise InputError(
                        f"no plan is shipped for {name!r}, {mode} mode; there are {there}"
                    )
                self._walks[key] = Walk(plan)
            return self._walks[key]
