"""Options that name chat models."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import Command, Decorator, timeout_option
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.arena.chat_client import ChatModel

KEY_VARIABLE = "SALET_API_KEY"


@dataclass(frozen=True)
class ModelChoice:
    """The options of a model; `open()` creates the model."""

    url: str
    name: str
    key_variable: str
    temperature: float | None
    max_tokens: int | None
    timeout: float
    retries: int
    max_illegal: int
    show_answers: bool

    def open(self) -> ChatModel:
        """Create the model, with the key from the environment."""
        from salet.arena.chat_client import ChatModel

        return ChatModel(
            self.url,
            self.name,
            key=os.environ.get(self.key_variable, "").strip() or None,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            timeout=self.timeout,
            retries=self.retries,
            max_illegal=self.max_illegal,
            show_answers=self.show_answers,
        )


def model_options(command: Command) -> Command:
    """Add --model, --name and what goes with them to a command, which receives a list of
    ModelChoice called `models`."""
    options: list[Decorator] = [
        click.option("--model", "urls", multiple=True, metavar="URL",
                     help="A chat endpoint such as http://localhost:8000/v1; repeat for more."),
        click.option("--name", "names", multiple=True, metavar="MODEL",
                     help="The model's name there, one for each --model."),
        click.option("--key-env", "key_variable", default=KEY_VARIABLE, show_default=True,
                     metavar="VAR", help="The environment variable with the endpoint's key."),
        click.option("--temperature", type=click.FloatRange(0), metavar="T",
                     show_default="the endpoint's own", help="Sent to the model."),
        click.option("--max-tokens", type=click.IntRange(1), metavar="N",
                     show_default="the endpoint's own", help="Longest reply of the model."),
        timeout_option("--request-timeout", 300.0, "Time limit of a model's reply."),
        click.option("--retries", type=click.IntRange(0), default=4, show_default=True,
                     metavar="N", help="Number of times a failed request is repeated."),
        click.option("--max-illegal", type=click.IntRange(1), default=3, show_default=True,
                     metavar="N", help="Number of illegal guesses that lose a game."),
        click.option("--show-answers", is_flag=True,
                     help="Show models the list of answers, as programs have it."),
    ]  # fmt: skip

    @functools.wraps(command)
    def run(**values: Any) -> Any:
        urls, names = values.pop("urls"), values.pop("names")
        shared = {name: values.pop(name) for name in ("key_variable", "temperature", "max_tokens")}
        shared |= {name: values.pop(name) for name in ("retries", "max_illegal", "show_answers")}
        shared["timeout"] = values.pop("request_timeout")
        if len(urls) != len(names):
            raise InputError(
                f"{len(urls)} --model and {len(names)} --name; give one name for each endpoint"
            )
        models = [
            ModelChoice(url=url, name=name, **shared) for url, name in zip(urls, names, strict=True)
        ]
        return command(models=models, **values)

    decorated: Command = run
    for option in reversed(options):
        decorated = option(decorated)
    return decorated
