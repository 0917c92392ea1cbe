"""Parsing the two files of a hunspell dictionary, with errors that name file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from salet.errors import InputError
from salet.game.packs.affixes import AffixRule, read_affixes, read_stems


def aff(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "x.aff"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def dic(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "x.dic"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_rule(tmp_path: Path) -> None:
    affixes = read_affixes(aff(tmp_path, "SET UTF-8\nSFX A Y 1\nSFX A y ies/BC [^aeiou]y # why\n"))
    assert affixes.suffixes == [AffixRule("A", True, "y", "ies", frozenset("BC"), "[^aeiou]y")]
    assert affixes.prefixes == []


def test_zero_means_empty_and_no_condition_always_holds(tmp_path: Path) -> None:
    affixes = read_affixes(aff(tmp_path, "PFX A N 2\nPFX A 0 un\nPFX A x 0/B .\n"))
    assert affixes.prefixes == [
        AffixRule("A", False, "", "un", frozenset(), "."),
        AffixRule("A", False, "x", "", frozenset("B"), "."),
    ]


@pytest.mark.parametrize(
    ("kind", "text", "flags"),
    [
        ("", "Aé", {"A", "Ã", "©"}),  # one byte each
        ("FLAG long\n", "AaBb", {"Aa", "Bb"}),
        ("FLAG num\n", "7,0012", {"7", "12"}),
        ("FLAG UTF-8\n", "Aé", {"A", "é"}),
    ],
)
def test_flag_types(tmp_path: Path, kind: str, text: str, flags: set[str]) -> None:
    affixes = read_affixes(aff(tmp_path, f"SET UTF-8\n{kind}"))
    assert list(read_stems(dic(tmp_path, f"1\nword/{text}\n"), affixes)) == [("word", flags)]


def test_bytes_outside_the_encoding_can_be_flags(tmp_path: Path) -> None:
    affixes = read_affixes(aff(tmp_path, b"SET UTF-8\n# caf\xe9\nSFX \xff Y 1\nSFX \xff 0 s .\n"))
    assert list(read_stems(dic(tmp_path, b"1\nword/\xff\n"), affixes)) == [("word", {"ÿ"})]
    assert affixes.suffixes[0].flag == "ÿ"


def test_aliases(tmp_path: Path) -> None:
    affixes = read_affixes(aff(tmp_path, "SFX A Y 1\nSFX A 0 s/2 .\nAF 2\nAF AB # 1\nAF C\n"))
    assert affixes.suffixes[0].continuation == {"C"}
    path = dic(tmp_path, "2\none/1\ntwo/2\n")
    assert list(read_stems(path, affixes)) == [("one", {"A", "B"}), ("two", {"C"})]


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("UTF-8", "größe".encode()),
        ("ISO8859-1", "größe".encode("latin-1")),
        ("microsoft-cp1252", "größe".encode("cp1252")),
        ("ISO8859-15", "größe".encode("iso8859-15")),
    ],
)
def test_encodings(tmp_path: Path, name: str, raw: bytes) -> None:
    affixes = read_affixes(aff(tmp_path, f"SET {name}\n"))
    assert list(read_stems(dic(tmp_path, b"1\n" + raw + b"\n"), affixes)) == [("größe", set())]


def test_byte_order_marks_and_windows_line_endings(tmp_path: Path) -> None:
    bom = b"\xef\xbb\xbf"
    affixes = read_affixes(aff(tmp_path, bom + b"SET UTF-8\r\nNEEDAFFIX N\r\n"))
    assert affixes.marks == {"NEEDAFFIX": "N"}
    path = dic(tmp_path, bom + "1\r\nélan/A\r\n".encode())
    assert list(read_stems(path, affixes)) == [("élan", {"A"})]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("word", ("word", "")),
        ("word/", ("word", "")),
        ("word/AB po:noun is:plural", ("word", "AB")),
        ("word\told morphology", ("word", "")),
        ("ad hoc/A", ("ad hoc", "A")),
        ("and\\/or/A", ("and/or", "A")),
        ("/A", ("/A", "")),
    ],
)
def test_entries(tmp_path: Path, line: str, entry: tuple[str, str]) -> None:
    affixes = read_affixes(aff(tmp_path, "SET UTF-8\n"))
    stem, flags = entry
    assert list(read_stems(dic(tmp_path, f"1\n{line}\n\n"), affixes)) == [(stem, frozenset(flags))]


def test_ignored_characters_are_removed(tmp_path: Path) -> None:
    affixes = read_affixes(aff(tmp_path, "SET UTF-8\nIGNORE ·]\nSFX A Y 1\nSFX A 0 s·s [a]\n"))
    assert affixes.suffixes == [AffixRule("A", True, "", "ss", frozenset(), "[a]")]
    assert list(read_stems(dic(tmp_path, "1\na·b\n"), affixes)) == [("ab", set())]


def test_a_slash_in_an_entry_that_is_not_a_word_needs_no_flags(tmp_path: Path) -> None:
    affixes = read_affixes(aff(tmp_path, "SET UTF-8\nFLAG num\n"))
    assert list(read_stems(dic(tmp_path, '2\n"A/S"\nbil\n'), affixes)) == [("bil", set())]


@pytest.mark.parametrize(
    ("text", "line", "right"),
    [
        (b"SET klingon\n", "'SET klingon'", "SET UTF-8"),
        (b"FLAG wide\n", "line 1: 'FLAG wide'", "long, num or UTF-8"),
        (b"#\nNEEDAFFIX\n", "line 2: 'NEEDAFFIX' alone", "'NEEDAFFIX x'"),
        (b"COMPLEXPREFIXES\n", "line 1: COMPLEXPREFIXES", "plain word list"),
        (b"SFX A Y\n", "line 1: 'SFX A Y'", "'SFX A Y 2'"),
        (b"PFX A Y x\n", "line 1: 'PFX A Y x'", "'PFX A Y 2'"),
        (b"SFX A 0 s .\n", "line 1: 'SFX A 0 s .'", "'SFX A Y 2'"),
        (b"SFX A Y 2\nSFX A 0 s .\n", "at its end", "1 of 2 rules of 'SFX A'"),
        (b"SFX A Y 2\nSFX A 0 s .\n\nSFX B 0 s .\n", "line 4: 'SFX B 0 s .'", "'SFX A 0 s .'"),
        (b"SFX A Y 1\nSFX A 0\n", "line 2: 'SFX A 0'", "'SFX A 0 s .'"),
        (b"SFX A Y 1\nSFX A 0 s [ab\n", "line 2: condition '[ab'", "'[^aeiou]y'"),
        (b"SET UTF-8\nSFX A Y 1\nSFX A 0 \xff .\n", r"line 3: b'\xff' is not utf-8", "SET"),
        (b"FLAG num\nSFX A Y 1\nSFX A 0 s .\n", "line 2: flags 'A'", "numbers"),
        (b"FLAG long\nNEEDAFFIX Aab\n", "line 2: flags 'Aab'", "two characters"),
        (b"AF 1\nAF A\nSFX A Y 1\nSFX A 0 s/2 .\n", "line 4: no flag alias '2'", "1 to 1"),
    ],
)
def test_a_damaged_aff_names_file_and_line(
    tmp_path: Path, text: bytes, line: str, right: str
) -> None:
    path = aff(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_affixes(path)
    message = str(caught.value)
    assert str(path) in message
    assert line in message
    assert right in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "line", "right"),
    [
        (b"", "line 1: ''", "number of its entries"),
        (b"word\n", "line 1: 'word'", "number of its entries"),
        (b"1\nw\xffrd\n", r"line 2: b'w\xffrd' is not utf-8", "SET"),
        (b"2\nword/1\nbad/x\n", "line 3: flags 'x'", "numbers"),
    ],
)
def test_a_damaged_dic_names_file_and_line(
    tmp_path: Path, text: bytes, line: str, right: str
) -> None:
    affixes = read_affixes(aff(tmp_path, "SET UTF-8\nFLAG num\n"))
    path = dic(tmp_path, text)
    with pytest.raises(InputError) as caught:
        list(read_stems(path, affixes))
    message = str(caught.value)
    assert str(path) in message
    assert line in message
    assert right in message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none\.aff.*NAME\.dic and NAME\.aff"):
        read_affixes(tmp_path / "none.aff")
