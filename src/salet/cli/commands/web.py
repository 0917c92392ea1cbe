"""`salet web`: the page in the browser."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from salet.cli.options import examples, json_option
from salet.cli.render.console import console, emit


@click.command(
    epilog=examples(
        "salet web",
        "salet web --port 9000 --no-browser",
        "salet web --lan",
        "salet web --export public --address https://example.org/salet/",
    )
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H",
              help="The address to listen on.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), metavar="N",
              show_default="the first free one from 8420",
              help="The port; 0 takes any free one.")  # fmt: skip
@click.option("--lan", is_flag=True,
              help="Serve the home network, for a phone; prints a QR code.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@click.option("--export", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write the site to a folder, for any web host, or to open there.")  # fmt: skip
@click.option("--address", metavar="URL",
              help="Where others find the site; invitations name it.")  # fmt: skip
@json_option
def command(
    host: str,
    port: int | None,
    lan: bool,
    no_browser: bool,
    folder: Path | None,
    address: str | None,
    as_json: bool,
) -> None:
    """Play, get help, analyse games and explore plans in the browser.

    The page is static files that contain the engine; this command only serves them, with your own
    packs. No data leaves this machine. Ctrl-C stops the server.
    """
    if folder is not None:
        _export(folder, address, as_json)
    else:
        _serve(host, port, lan, no_browser, address, as_json)


def _export(folder: Path, address: str | None, as_json: bool) -> None:
    from salet.site.files import export

    paths = export(folder, address)
    page = str(folder / "index.html")
    if as_json:
        emit({"folder": str(folder), "page": page, "files": len(paths)})
    else:
        console().print(
            f"{len(paths)} files; open [bold]{page}[/], or copy the folder to any web host"
        )


def _serve(
    host: str, port: int | None, lan: bool, no_browser: bool, address: str | None, as_json: bool
) -> None:
    from salet.site.files import site_files
    from salet.site.server import SiteServer, listen, qr_code

    listener = listen(host, port, lan)
    with (
        contextlib.suppress(KeyboardInterrupt),
        SiteServer(listener, site_files(address=address)) as server,
    ):
        if as_json:
            emit({"address": listener.address})
        else:
            out = console()
            out.print(f"salet is at [bold]{listener.address}[/]  (Ctrl-C ends)", soft_wrap=True)
            if lan:
                click.echo(qr_code(listener.address) or "For a QR code: pip install 'salet[qr]'")
        if not no_browser:
            import webbrowser

            webbrowser.open(listener.address)
        server.serve_forever()
