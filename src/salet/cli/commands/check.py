"""`salet check CERTIFICATE`: check the proof of a lower bound."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from salet.cli.options import (
    DEFAULT_GAME,
    GameChoice,
    examples,
    game_options,
    json_option,
    threads_option,
    weights_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import counted_progress

if TYPE_CHECKING:
    from salet.verification.certificate_check import CertificateVerdict


@click.command(
    epilog=examples(
        "salet check salet.cert",
        "salet check proof.cert --plan original-normal --threads 2",
        "salet check proof.cert --json",
    )
)
@click.argument("certificate", type=click.Path(path_type=Path))
@click.option("--plan", metavar="PLAN",
              help="A plan (a file, or the name of a shipped one) that reaches the bound: together "
                   "they prove that its total is optimal.")  # fmt: skip
@weights_option
@threads_option
@json_option
@game_options(f"the certificate's own, or {DEFAULT_GAME}")
def command(
    choice: GameChoice,
    certificate: Path,
    plan: str | None,
    weights: str | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Check CERTIFICATE, the proof of a lower bound, with code that shares nothing with the search.

    `salet prove` and `salet solve` write certificates (--certificate FILE). Every fact must follow
    from those before it; an error names the first that does not. docs/certificates.md explains
    what is checked.
    """
    result = _check(choice, certificate, plan, weights, threads)
    if as_json:
        emit(result.to_dict())
    else:
        from salet.cli.render.verification import certificate_verdict

        show(*certificate_verdict(result))


def _check(
    choice: GameChoice,
    certificate: Path,
    plan: str | None,
    weights: str | None,
    threads: int | None,
) -> CertificateVerdict:
    from salet.cli.commands.verify import named_in, plan_path
    from salet.game.weights import weighted
    from salet.verification.certificate_check import check_certificate
    from salet.verification.certificate_format import read_header

    header = read_header(certificate)
    if threads is None:  # few facts are checked sooner than another process starts
        threads = min(os.cpu_count() or 1, 1 + header["facts"] // 1000)
    game = named_in(header, choice).open()
    if weights is not None:
        game = weighted(game, weights)
    with counted_progress("checking facts") as progress:
        return check_certificate(
            certificate,
            game,
            plan=None if plan is None else plan_path(plan),
            threads=threads,
            progress=progress,
        )
