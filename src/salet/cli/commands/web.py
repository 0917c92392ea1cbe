"""`salet web`: the page in the browser."""

from __future__ import annotations

import click

from salet.cli.options import examples, json_option
from salet.cli.render.console import console, emit


@click.command(
    epilog=examples("salet web", "salet web --port 9000 --no-browser", "salet web --lan")
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H",
              help="The address to listen on.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), metavar="N",
              help="The port; 0 takes any free one  [the first free one from 8420].")  # fmt: skip
@click.option("--lan", is_flag=True,
              help="Serve the home network, behind a random token; prints a QR code.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@json_option
def command(host: str, port: int | None, lan: bool, no_browser: bool, as_json: bool) -> None:
    """Play, get help, analyse games and explore plans in the browser.

    Needs no connection to anywhere: everything is served from this machine. Ctrl-C ends.
    """
    from salet.web.server import check_extra, listen, qr_code, serve

    check_extra()
    place = listen(host, port, lan)
    out = console()

    def ready() -> None:
        if as_json:
            emit({"address": place.address, "token": place.settings.token})
        else:
            out.print(f"salet is at [bold]{place.address}[/]  (Ctrl-C ends)", soft_wrap=True)
            if lan:
                click.echo(qr_code(place.address))
        if not no_browser:
            import webbrowser

            webbrowser.open(place.address)

    serve(place, ready)
