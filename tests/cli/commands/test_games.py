"""`salet games` as users and scripts meet it."""

from __future__ import annotations


def test_every_pack_is_listed_with_its_checksum(salet) -> None:
    ran = salet("games")
    fields = salet("games", "--json").json
    assert list(fields) == ["games", "aliases"]
    rows = {row["name"]: row for row in fields["games"]}
    assert (rows["original"]["answers"], rows["original"]["guesses"]) == (2315, 12972)
    for name, row in rows.items():
        assert name in ran.out
        assert row["answers_sha256"][:8] in ran.out


def test_the_default_is_marked(salet) -> None:
    marked = [line for line in salet("games").out.splitlines() if "(default)" in line]
    assert len(marked) == 1 and marked[0].startswith("nyt-2023-07 (default)")
