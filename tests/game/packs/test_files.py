"""Word files that people bring."""

from __future__ import annotations

import pytest

from salet.errors import InputError
from salet.game.packs import files
from salet.game.packs.files import read_word_file


@pytest.fixture
def path(tmp_path):
    return tmp_path / "words.txt"


def refusal(path) -> str:
    with pytest.raises(InputError) as caught:
        read_word_file(path)
    message = str(caught.value)
    assert str(path) in message  # quotes the input
    assert "\n" not in message  # in one line
    return message


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"crane\nslate\n", ["crane", "slate"]),
        (b"slate\ncrane", ["slate", "crane"]),  # no final LF; the order stays
        (b"\n crane \n\n\tslate\n\n", ["crane", "slate"]),
        (b"Crane\nSLATE\n", ["Crane", "SLATE"]),
        ("straße\ngrüßen\n".encode(), ["straße", "grüßen"]),
        ("नमस्ते\nहिन्दीभा\n".encode(), ["नमस्ते", "हिन्दीभा"]),
        ("🇩🇪🇫🇷\n🇦🇹🇩🇪\n".encode(), ["🇩🇪🇫🇷", "🇦🇹🇩🇪"]),
        ("👩\u200d🚀🙂\n🙂🙂\n".encode(), ["👩\u200d🚀🙂", "🙂🙂"]),
        (b"1123\n4456\n", ["1123", "4456"]),
        (b"12+35=47\n3*8-4=20\n", ["12+35=47", "3*8-4=20"]),
    ],
)
def test_good_files(path, raw, words):
    path.write_bytes(raw)
    assert read_word_file(path) == words


def test_missing(path):
    assert refusal(path) == f"no file {str(path)!r}; give a file with one word per line"


def test_directory(tmp_path):
    assert "is a directory" in refusal(tmp_path)


def test_below_a_file(path):
    path.write_text("crane\n")
    assert "cannot read" in refusal(path / "below")


@pytest.mark.parametrize("raw", [b"", b"\n", b"  \n\t\n"])
def test_empty(path, raw):
    path.write_bytes(raw)
    assert "is empty; write one word per line" in refusal(path)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
        (b"crane\0slate", "binary"),
        ("crane\n".encode("utf-16"), "binary"),
        (b"\xef\xbb\xbfcrane\n", "byte order mark; save it as UTF-8 without BOM"),
        (b"crane\r\nslate\r\n", "line 1 ends with CR LF; save it with LF"),
        (b"crane\nslate\r\n", "line 2 ends with CR LF"),
        (b"crane\rslate\r", "line 1"),
        (b"crane\ngr\xfc\xdfe\n", "line 2 is not UTF-8"),
        (b"crane\n\xff\xfe\n", "line 2 is not UTF-8"),
    ],
)
def test_no_text(path, raw, says):
    path.write_bytes(raw)
    assert says in refusal(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("crane\nslates\n", "line 2 'slates' has 6 letters, but 'crane' has 5"),
        ("\n\ncrane\n\ncat\n", "line 5 'cat' has 3 letters"),
        ("größe\ngroß\n", "line 2 'groß' has 4 letters, but 'größe' has 5"),
        ("a\nb\n", "line 1 'a' has 1 letter; words have 2 to 16"),
        ("a" * 17 + "\n", "has 17 letters; words have 2 to 16"),
        ("crane\nslate\ncrane\n", "line 3 'crane' is already on line 1; list every word once"),
        ("crane\nCRANE\n", "line 2 'CRANE' is already on line 1"),
        ("été\ne\u0301te\u0301\n", "is already on line 1"),
        ("crane slate\n", "line 1 'crane slate': ' ' is not a letter"),
        ("crane,\n", "',' is not a letter"),
        ("don't\n", '"\'" is not a letter'),
        ("crane\n#note\n", "line 2 '#note': '#' is not a letter"),
        ("cr\u0007ne\n", "is not a letter"),
        ("cra\u00a0e\n", "is not a letter"),
        ("crane\n\ufeffslat\n", "is not a letter"),
        ("cr\u200bne\n", "is not a letter"),
        ("cr\u0085ne\n", "is not a letter"),
        ("crane\u2028slate\n", "is not a letter"),
    ],
)
def test_bad_words(path, text, says):
    path.write_text(text, "utf-8")
    assert says in refusal(path)


def test_too_large(path, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 1 << 20)
    path.write_bytes(b"crane\n" * 200_000)
    assert "is larger than 1 MB; that is not a word list" in refusal(path)
