"""TRL: rows of tasks as a dataset. The environment itself is `TextEnv`, as it is.

trainer = GRPOTrainer(
    model=…, train_dataset=task_dataset("nyt"), environment_factory=TextEnv, …
)
"""

from __future__ import annotations

from typing import Any

from salet.env.text.tasks import task_rows
from salet.errors import MissingExtraError

try:
    from datasets import Dataset
except ModuleNotFoundError:
    raise MissingExtraError("a dataset for TRL", "trl") from None


def task_dataset(tasks: str, split: str = "train", **more: Any) -> Dataset:
    """Every answer of a split as a row: an empty prompt, to which `reset` adds the rules, and the
    arguments of `reset`. `more` is added to every row, such as `reward="guesses"`."""
    prompt = [{"role": "user", "content": ""}]
    return Dataset.from_list([{"prompt": prompt, **row} for row in task_rows(tasks, split, **more)])
