"""Results of checking certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from salet.cli.render.console import format_seconds, line
from salet.cli.render.games import rules

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.verification.certificate_check import CertificateVerdict


def certificate_verdict(result: CertificateVerdict) -> list[RenderableType]:
    """What a certificate proves."""
    if result.optimal:
        found = f"total {result.upper} is optimal, certified"
    elif result.upper is not None:
        found = f"certified: {result.claim}; the plan takes {result.upper}"
    else:
        found = f"certified: {result.claim}"
    return [
        line(rules(result)),
        line((found, "bold")),
        line(f"{result.facts} facts checked in {format_seconds(result.seconds)}"),
        line(f"sha256 {result.sha256}"),
    ]
