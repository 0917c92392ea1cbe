"""Packs: the shipped ones with their sources, and the user's own."""

from __future__ import annotations

import hashlib
import io
import os
import tomllib

import pytest

from salet.errors import DataError, InputError, UnknownNameError
from salet.game.packs import store
from salet.game.packs.store import Pack

SHIPPED = store.shipped_names()
PARTS = [(name, part) for name in SHIPPED for part in ("answers", "guesses")]

# the published checksums of the lists
REQUIRED = {
    ("original", "answers"): (2315, "f40e4797"),
    ("original", "guesses"): (12972, "feacc549"),
    ("nyt-2022-02", "answers"): (2309, "c495f6cb"),
    ("nyt-2022-02", "guesses"): (12947, "48f16611"),
    ("nyt-2022-03", "answers"): (2309, "c495f6cb"),
    ("nyt-2022-03", "guesses"): (12972, "feacc549"),
    ("nyt-2022-08", "answers"): (2309, "c495f6cb"),
    ("nyt-2022-08", "guesses"): (14855, "ba86911a"),
    ("nyt-2023-07", "answers"): (3158, "3e443482"),
    ("nyt-2023-07", "guesses"): (14855, "ba86911a"),
}


def sha256_of(words) -> str:
    """The checksum as SOURCES.toml defines it, computed independently."""
    text = "".join(f"{word}\n" for word in sorted(words))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def folder(name, top):
    return top / "src/salet/game/packs" / name


def test_shipped_packs(top):
    expected = {"original", "nyt-2022-02", "nyt-2022-03", "nyt-2022-08", "nyt-2023-07", "romanian"}
    assert expected <= set(SHIPPED)
    for path in (top / "src/salet/game/packs").glob("*/SOURCES.toml"):
        assert path.parent.name in SHIPPED


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_counts_and_checksums_are_correct(name, part, top):
    source = tomllib.loads((folder(name, top) / "SOURCES.toml").read_text("utf-8"))[part]
    words = getattr(store.load(name), part)
    assert len(words) == source["count"]
    assert len(set(words)) == len(words)
    assert sha256_of(words) == source["sha256"] == store.checksum(words)


@pytest.mark.parametrize(("name", "part"), REQUIRED)
def test_the_lists_are_the_published_ones(name, part):
    count, start = REQUIRED[name, part]
    words = getattr(store.load(name), part)
    assert len(words) == count
    assert sha256_of(words).startswith(start)


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_sources_name_package_version_licence_and_file(name, part, top):
    source = tomllib.loads((folder(name, top) / "SOURCES.toml").read_text("utf-8"))[part]
    for field in ("registry", "package", "version", "licence", "inner_file", "transformation"):
        assert source[field].strip()
    licence = top / "licenses" / source["licence_file"]
    assert licence.is_file()
    assert len(licence.read_text("utf-8")) > 500


@pytest.mark.parametrize("name", SHIPPED)
def test_answers_are_guesses_and_sorted(name):
    pack = store.load(name)
    assert set(pack.answers) <= set(pack.guesses)
    assert list(pack.answers) == sorted(pack.answers)
    assert list(pack.guesses) == sorted(pack.guesses)
    assert pack.summary


def test_every_shipped_list_belongs_to_a_pack(top):
    named = {store.load(name).sources[part]["file"] for name, part in PARTS}
    lists = {path.name for path in (top / "src/salet/game/packs/lists").glob("*.txt")}
    assert lists == {name for name in named if name.endswith(".txt") and name in lists}
    assert lists <= named


def test_frequencies(top):
    """n-gram counts of 14561 words."""
    lines = (top / "src/salet/game/packs/lists/english-frequency.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    assert len(rows) == 14561
    assert len({word for word, _ in rows}) == 14561
    assert all(len(word) == 5 and float(count) >= 0 for word, count in rows)


def test_the_published_romanian_list_is_not_committed(top, shared):
    published = (shared / "data/romanian-11454.txt").read_bytes()
    assert not [
        path
        for path in (top / "src").rglob("*.txt")
        if path.stat().st_size == len(published) and path.read_bytes() == published
    ]


def test_checksum_ignores_the_order():
    assert store.checksum(["b", "a"]) == store.checksum(["a", "b"]) == sha256_of(["a", "b"])
    assert store.checksum(["ab"]) != store.checksum(["a", "b"])


# ---------------------------------------------------------------------------- the user's own

MINE = Pack(
    "mine", ("slate", "crane"), ("zebra", "crane", "slate"), "present", 7, 'my "own" \\ list'
)


def test_add_and_load(own_data):
    assert store.own_names() == []
    path = store.add(MINE)
    assert path.is_relative_to(own_data)
    assert store.own_names() == ["mine"]
    loaded = store.load("mine")
    assert (loaded.answers, loaded.guesses) == (MINE.answers, MINE.guesses)
    assert (loaded.rule, loaded.cap, loaded.summary) == ("present", 7, 'my "own" \\ list')
    stored = tomllib.loads((path / "SOURCES.toml").read_text("utf-8"))
    assert stored["answers"] == {"count": 2, "sha256": sha256_of(MINE.answers)}
    assert stored["guesses"] == {"count": 3, "sha256": sha256_of(MINE.guesses)}


def test_add_keeps_sources_and_no_cap(own_data):
    store.add(Pack("mine", ("ab",), ("ab",), sources={"from": 'a "paper"\n'}))
    loaded = store.load("mine")
    assert loaded.cap is None
    assert loaded.sources["from"] == 'a "paper" '


def test_add_overwrites_only_with_replace(own_data):
    store.add(MINE)
    other = Pack("mine", ("ab",), ("ab",))
    with pytest.raises(InputError, match="there already is a pack 'mine'"):
        store.add(other)
    assert store.load("mine").answers == MINE.answers
    store.add(other, replace=True)
    assert store.load("mine").answers == ("ab",)


def test_remove(own_data):
    path = store.add(MINE)
    store.remove("mine")
    assert store.own_names() == []
    assert not path.exists()
    with pytest.raises(UnknownNameError, match="'mine'"):
        store.load("mine")


@pytest.mark.parametrize("name", ["mine", "original", "../mine", ""])
def test_remove_refuses_unknown_packs(own_data, name):
    with pytest.raises(UnknownNameError, match=r"unknown pack of your own .*you have added none"):
        store.remove(name)


@pytest.mark.parametrize(
    "name",
    ["", "Mine", "my list", "../mine", "a/b", ".hidden", "-x", "x" * 41, "größe", "mine\n", "a:b"],
)
def test_bad_names(own_data, name):
    with pytest.raises(InputError) as caught:
        store.add(Pack(name, ("ab",), ("ab",)))
    assert repr(name) in str(caught.value)
    assert not own_data.exists()


@pytest.mark.parametrize("name", ["original", "nyt-2023-07", "nyt", "mastermind", "bulls-and-cows"])
def test_names_of_salet_are_reserved(own_data, name):
    with pytest.raises(InputError, match=f"{name!r} is reserved by salet"):
        store.add(Pack(name, ("ab",), ("ab",)))
    assert not own_data.exists()


@pytest.mark.parametrize("name", ["a", "0", "my-list_2.txt", "x" * 40])
def test_good_names(own_data, name):
    store.add(Pack(name, ("ab",), ("ab",)))
    assert store.own_names() == [name]


def test_answers_must_be_guesses(own_data):
    with pytest.raises(InputError, match="answer 'ab' is not a guess"):
        store.add(Pack("mine", ("ab",), ("cd",)))
    assert not own_data.exists()
    store.add(Pack("mine", ("AB",), ("ab",)))  # in any case


class Faults:
    """Lets some writing steps (opening, renaming) pass and fails the next one."""

    def __init__(self, patch, good, error):
        self.left, self.error, self.failed = good, error, False
        patch.setattr(io, "open", self.wrapped(io.open, self.opens_to_write))
        for name in ("replace", "rename"):
            patch.setattr(os, name, self.wrapped(getattr(os, name), lambda *_, **__: True))

    @staticmethod
    def opens_to_write(_, mode="r", *__, **___):
        return any(letter in mode for letter in "wxa+")

    def wrapped(self, real, counts):
        def step(*args, **named):
            if not self.failed and counts(*args, **named):
                if self.left == 0:
                    self.failed = True
                    raise self.error
                self.left -= 1
            return real(*args, **named)

        return step


@pytest.mark.parametrize("good", range(12))
@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (OSError(28, "No space left on device"), InputError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_no_pack_is_written_by_halves(own_data, monkeypatch, good, error, raised):
    """Whatever fails in the middle, there is no pack, and it can be added again."""
    with monkeypatch.context() as patch:
        faults = Faults(patch, good, error)
        try:
            store.add(MINE)
        except raised as caught:
            assert faults.failed
            assert raised is not InputError or "no space left" in str(caught)
        else:
            assert not faults.failed
            assert good >= 3  # three files take at least three steps
            return
    assert store.own_names() == []
    store.add(MINE)
    assert store.load("mine").answers == MINE.answers


@pytest.mark.parametrize("good", range(12))
def test_no_pack_is_replaced_by_halves(own_data, monkeypatch, good):
    """The old pack stays until the new one is complete."""
    store.add(MINE)
    other = Pack("mine", ("ab",), ("ab", "cd"), cap=3)
    with monkeypatch.context() as patch:
        faults = Faults(patch, good, OSError(28, "No space left on device"))
        try:
            store.add(other, replace=True)
        except InputError as caught:
            assert "cannot write pack 'mine'" in str(caught)
        expected = MINE if faults.failed else other
    loaded = store.load("mine")
    assert (loaded.answers, loaded.guesses, loaded.cap) == (
        (expected.answers, expected.guesses, expected.cap)
    )


def test_unwritable_data_directory(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SALET_DATA_DIR", str(tmp_path / "file" / "below"))
    assert store.own_names() == []
    with pytest.raises(InputError, match=r"cannot write pack 'mine' to '.*below"):
        store.add(MINE)


def test_a_damaged_pack_is_refused(own_data):
    path = store.add(MINE)
    (path / "SOURCES.toml").write_text("rule = ")
    with pytest.raises(DataError, match=r"pack 'mine' in .* is damaged .*; add it again"):
        store.load("mine")
    (path / "SOURCES.toml").unlink()
    with pytest.raises(DataError, match="damaged"):
        store.load("mine")


def test_unknown_pack(own_data):
    with pytest.raises(UnknownNameError, match=r"unknown pack 'orignal'; did you mean 'original'"):
        store.load("orignal")
