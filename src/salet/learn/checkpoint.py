"""Where a run stands, on disk: a run that is killed goes on as if nothing had happened."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from salet.env.rewards import reward_named
from salet.errors import DataError, InputError
from salet.learn.config import DqnConfig, config_from
from salet.learn.directory import (
    CHECKPOINT_FILE,
    WEIGHTS_FILE,
    digest,
    make,
    moments,
    read_checkpoint,
    refuse_other,
    refuse_other_words,
    restore_moments,
    restore_network,
    under,
)
from salet.learn.files import CHECKPOINT, KIND, Arrays, Weights, write
from salet.learn.learner import Learner, Progress
from salet.learn.lists import Lists, language_of, lists_of


def start(config: DqnConfig, directory: Path) -> Learner:
    """The beginning of a run, in an empty directory; later stages are checked, too."""
    stages = [config.stage(number) for number in range(config.stage_count)]
    for stage in stages:
        reward_named(stage.reward)
    lists = lists_of(stages[0])
    learner = Learner.begin(config, Progress(), lists, _first_weights(config))
    make(directory)
    return learner


def _first_weights(config: DqnConfig) -> Weights:
    """Random weights, or those to start from."""
    fresh = _fresh(config)
    if not config.start:
        return fresh
    given = Weights.load(Path(config.start))
    shape, wanted = given.network.shape, fresh.network.shape
    for name, here, there in zip(wanted._fields, wanted, shape, strict=True):
        if here != there:
            raise InputError(
                f"start = {config.start!r} has {name} = {there}, this configuration has {here}"
            )
    if (given.alphabet, given.vocabulary) != (fresh.alphabet, fresh.vocabulary):
        raise InputError(
            f"start = {config.start!r} has outputs for other letters or words than {config.game}"
        )
    return dataclasses.replace(given, config=config)


def _fresh(config: DqnConfig) -> Weights:
    """Random weights; the words of all stages decide what the outputs stand for."""
    whole = dataclasses.replace(config, stages=(), words=0)
    stages = [config.stage(number) for number in range(config.stage_count)]
    return Weights.fresh(language_of([lists_of(each) for each in (whole, *stages)]), config)


def next_stage(done: Learner, directory: Path) -> Learner:
    """The stage after, with the best weights of the one that is done."""
    before, progress = done.lists, done.progress
    lists = lists_of(done.whole.stage(progress.stage + 1))
    same = lists.validate.guesses == before.validate.guesses
    after = Progress(
        progress.stage + 1,
        done.rounds_done(),
        done.games_done(),
        progress.best if same and lists.validate.answers == before.validate.answers else None,
        progress.seconds,
    )
    learner = Learner.begin(done.whole, after, lists, Weights.load(directory / WEIGHTS_FILE))
    save_checkpoint(learner, directory)  # the file of the best weights is about to be overwritten
    return learner


def save_checkpoint(learner: Learner, directory: Path) -> None:
    """Write everything that the run depends on."""
    arrays: Arrays = {}
    for label, network in (("online", learner.online), ("target", learner.weights.network)):
        for name, tensor in network.state_dict().items():
            arrays[f"{label}.{name}"] = tensor.numpy()
    for name, array in moments(learner.optimizer).items():
        arrays[f"adam.{name}"] = array
    for name, array in learner.replay.arrays().items():
        arrays[f"replay.{name}"] = array
    arrays["losses"] = learner.losses
    header = {
        "kind": KIND,
        "words": _digest(learner.lists),
        "config": dataclasses.asdict(learner.whole),
        "progress": dataclasses.asdict(learner.progress),
        "round": learner.round,
        "generator": learner.generator.bit_generator.state,
        "stored": learner.replay.stored,
        "highest": learner.replay.highest,
    }
    write(directory / CHECKPOINT_FILE, CHECKPOINT, arrays, header)


def go_on(config: DqnConfig, directory: Path) -> Learner:
    """The run in the directory, as it was at its last checkpoint."""
    arrays, header = read_checkpoint(directory, KIND)
    try:
        saved = config_from(header["config"])
        refuse_other(config, saved, directory)
        progress = Progress(**header["progress"])
        if progress.best is not None:
            progress.best = (int(progress.best[0]), float(progress.best[1]))
        lists = lists_of(saved.stage(progress.stage))
        refuse_other_words(_digest(lists), header["words"], saved.game, directory)
        learner = Learner.begin(saved, progress, lists, _fresh(saved))
        _restore(learner, arrays, header)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"the checkpoint in {str(directory)!r} is damaged: {reason}") from None
    return learner


def _digest(lists: Lists) -> str:
    return digest(lists.train, lists.validate, lists.test)


def _restore(learner: Learner, arrays: Arrays, header: dict[str, Any]) -> None:
    for label, network in (("online.", learner.online), ("target.", learner.weights.network)):
        restore_network(network, under(arrays, label))
    restore_moments(learner.optimizer, under(arrays, "adam."))
    stored, highest = int(header["stored"]), float(header["highest"])
    learner.replay.restore(under(arrays, "replay."), stored, highest)
    learner.losses = np.array(arrays["losses"], np.float64)
    learner.generator.bit_generator.state = header["generator"]
    learner.round = int(header["round"])
