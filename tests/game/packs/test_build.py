"""Building packs from dictionaries and word lists."""

from __future__ import annotations

import dataclasses
import hashlib
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from needs import needs
from salet.errors import InputError, MissingExtraError
from salet.game.packs.build import DIRECTORIES, build_pack, find_dictionary, words_of_list
from salet.game.packs.spelling import Spelling

AFF = "SET UTF-8\nSFX S Y 1\nSFX S 0 s .\nSFX E Y 1\nSFX E 0 e .\n"

Rank = Callable[[dict[str, float]], None]


@pytest.fixture
def frequencies(monkeypatch: pytest.MonkeyPatch) -> Rank:
    """A wordfreq that knows German, French and Serbo-Croatian, and the given frequencies."""

    def give(known: dict[str, float]) -> None:
        languages = {"de": "large", "fr": "large", "sh": "small"}

        def word_frequency(word: str, language: str) -> float:
            assert language in languages  # for others the real one takes the nearest it has
            return known.get(word, 0.0)

        module = ModuleType("wordfreq")
        module.word_frequency = word_frequency  # type: ignore[attr-defined]
        module.available_languages = lambda: languages  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "wordfreq", module)
        monkeypatch.setattr("importlib.metadata.version", lambda _: "3.1.1")

    return give


def dictionary(folder: Path, name: str, dic: str, aff: str = AFF) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.aff").write_text(aff, "utf-8")
    path = folder / f"{name}.dic"
    path.write_text("\n".join([str(len(dic.split())), *dic.split()]) + "\n", "utf-8")
    return path


def word_list(folder: Path, text: str | bytes) -> Path:
    path = folder / "words.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# finding dictionaries


def test_a_language_finds_its_dictionary(tmp_path: Path) -> None:
    for name in ("fr", "fr_CA", "de_AT", "de_DE", "de_DE_frami", "sv_SE", "pt_BR", "pt_PT"):
        dictionary(tmp_path, name, "x")
    (tmp_path / "sv_FI.dic").symlink_to("sv_SE.dic")
    found = {code: find_dictionary(code, [tmp_path]).name for code in ("fr", "de", "pt", "pt-br")}
    assert found == {"fr": "fr.dic", "de": "de_DE.dic", "pt": "pt_PT.dic", "pt-br": "pt_BR.dic"}
    assert find_dictionary("sv", [tmp_path]).resolve().name == "sv_SE.dic"
    assert find_dictionary("de_DE_frami", [tmp_path]).name == "de_DE_frami.dic"


def test_the_first_directory_wins(tmp_path: Path) -> None:
    first = dictionary(tmp_path / "one", "fr", "x")
    dictionary(tmp_path / "two", "fr", "x")
    assert find_dictionary("fr", [tmp_path / "none", tmp_path / "one", tmp_path / "two"]) == first


def test_several_dictionaries_for_one_language_are_refused(tmp_path: Path) -> None:
    dictionary(tmp_path, "en_GB", "x")
    dictionary(tmp_path, "en_US", "y")
    with pytest.raises(InputError, match=r"several .* 'en'; name one of 'en_GB', 'en_US'"):
        find_dictionary("en", [tmp_path])


def test_a_missing_dictionary_names_the_package(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        find_dictionary("pt_BR", [tmp_path])
    message = str(caught.value)
    assert "'pt_BR'" in message
    assert str(tmp_path) in message
    assert "`apt-get install hunspell-pt-br`" in message


@pytest.mark.parametrize("language", ["", "german", "../de", "d", "d*"])
def test_malformed_language_codes_are_refused(tmp_path: Path, language: str) -> None:
    with pytest.raises(InputError, match="is not a language code; write it like 'de'"):
        build_pack(5, language=language, directories=[tmp_path])


# building


def test_a_pack_of_a_dictionary(tmp_path: Path, frequencies: Rank) -> None:
    frequencies({"bonne": 3e-5, "ronde": 1e-5, "tarte": 1e-5, "abaca": 1e-9})
    dic = dictionary(tmp_path, "fr", "bonn/E rond/E tart/E abac Paris abaca abats")
    before = sorted(tmp_path.iterdir())
    pack = build_pack(5, language="fr", answers=2, directories=[tmp_path])
    assert pack.guesses == ("abaca", "abats", "bonne", "ronde", "tarte")
    assert pack.answers == ("bonne", "ronde")  # the tie is decided alphabetically
    assert pack.ranking.startswith("the 2 most frequent of 4 words with a frequency in wordfreq")
    for file in (dic, dic.with_suffix(".aff")):
        assert f"{file} (sha256 {hashlib.sha256(file.read_bytes()).hexdigest()})" in pack.source
    assert "compounds not formed" in pack.transformation
    assert sorted(tmp_path.iterdir()) == before  # writes nothing
    with pytest.raises(dataclasses.FrozenInstanceError):
        pack.answers = ()  # type: ignore[misc]


def test_fewer_answers_if_fewer_are_in_use(tmp_path: Path, frequencies: Rank) -> None:
    frequencies({"abats": 1e-6})
    dictionary(tmp_path, "fr", "abaca abats")
    assert build_pack(5, language="fr", directories=[tmp_path]).answers == ("abats",)


def test_nobody_uses_any_of_the_words(tmp_path: Path, frequencies: Rank) -> None:
    frequencies({})
    dictionary(tmp_path, "fr", "abaca abats")
    pack = build_pack(5, language="fr", directories=[tmp_path])
    assert pack.answers == pack.guesses == ("abaca", "abats")
    assert "all 2 are answers" in pack.ranking


def test_folded_words_are_as_frequent_as_their_spellings_together(
    tmp_path: Path, frequencies: Rank
) -> None:
    frequencies({"passe": 2e-6, "passé": 2e-6, "tarte": 3e-6})
    dictionary(tmp_path, "fr", "passe passé tarte")
    pack = build_pack(5, language="fr", fold_accents=True, answers=1, directories=[tmp_path])
    assert pack.guesses == ("passe", "tarte")
    assert pack.answers == ("passe",)
    assert "accents folded" in pack.transformation


def test_german_nouns_count(tmp_path: Path, frequencies: Rank) -> None:
    frequencies({"tisch": 1e-5, "runde": 1e-6})
    dictionary(tmp_path, "de_DE", "Tisch rund/E")
    pack = build_pack(5, language="de", directories=[tmp_path])
    assert pack.guesses == ("runde", "tisch")
    pack = build_pack(5, language="de_CH", source=tmp_path / "de_DE.dic")
    assert pack.guesses == ("runde", "tisch")


def test_a_language_that_wordfreq_does_not_know(tmp_path: Path, frequencies: Rank) -> None:
    frequencies({})
    dictionary(tmp_path, "eu", "abade abadi")
    pack = build_pack(5, language="eu", answers=1, directories=[tmp_path])
    assert pack.answers == pack.guesses == ("abade", "abadi")
    assert pack.ranking == "not ranked, wordfreq does not know 'eu': all 2 words are answers"


@pytest.mark.parametrize("language", ["hr", "sr-Latn-RS", "bs_BA"])
def test_a_language_under_another_code(tmp_path: Path, frequencies: Rank, language: str) -> None:
    frequencies({"žvaka": 1e-6})
    path = word_list(tmp_path, "žvaka\nžvači\n")
    assert build_pack(5, language=language, source=path).answers == ("žvaka",)


@pytest.mark.parametrize("language", ["eu", "lo", "nn"])
def test_no_language_is_ranked_as_its_neighbour(tmp_path: Path, language: str) -> None:
    needs(find_spec("wordfreq"), "wordfreq (pip install 'salet[languages]')")
    path = word_list(tmp_path, "bueno\nabade\nother\n")
    pack = build_pack(5, language=language, source=path, answers=1)
    assert pack.answers == pack.guesses
    assert f"wordfreq does not know '{language}'" in pack.ranking


@pytest.mark.parametrize("options", [{"language": "fr", "rank": False}, {}])
def test_without_ranking_wordfreq_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    dic = dictionary(tmp_path, "fr", "abaca abats")
    pack = build_pack(5, source=dic, **options)  # type: ignore[arg-type]
    assert pack.answers == pack.guesses == ("abaca", "abats")
    assert pack.ranking.startswith("not ranked")


def test_a_missing_wordfreq_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    dictionary(tmp_path, "fr", "abaca abats")
    with pytest.raises(MissingExtraError, match=r"pip install 'salet\[languages\]'"):
        build_pack(5, language="fr", directories=[tmp_path])


def test_either_file_of_a_dictionary_names_it(tmp_path: Path) -> None:
    dic = dictionary(tmp_path, "own", "abaca")
    assert build_pack(5, source=dic.with_suffix(".aff")).guesses == ("abaca",)
    dic.with_suffix(".aff").unlink()
    with pytest.raises(InputError, match=r"cannot read .*own\.aff.*NAME\.dic and NAME\.aff"):
        build_pack(5, source=dic)


def test_nothing_to_build_from() -> None:
    with pytest.raises(InputError, match="neither a language nor a file is given"):
        build_pack(5)


def test_no_word_of_that_length(tmp_path: Path) -> None:
    dic = dictionary(tmp_path, "own", "abaca")
    with pytest.raises(InputError, match=r"own\.dic' has no word of 6 letters"):
        build_pack(6, source=dic)


def test_an_impossible_number_of_answers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="0 answers: a pack needs at least 1"):
        build_pack(5, source=tmp_path / "x.dic", answers=0)


# plain lists


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("crane\nslate\nParis\nit's\ncranes\n\ncrane\n", ["crane", "slate"]),
        ("slate\r\ncrane", ["crane", "slate"]),
        ("\ufeffcrane\nslate\n", ["crane", "slate"]),
        ("CRANE\nSLATE\n", ["crane", "slate"]),  # no case to tell names by
        ("CRANE\nslate\n", ["slate"]),
    ],
)
def test_words_of_a_list(tmp_path: Path, text: str, words: list[str]) -> None:
    assert list(words_of_list(word_list(tmp_path, text), Spelling(5))) == words


def test_a_pack_of_a_list(tmp_path: Path, frequencies: Rank) -> None:
    frequencies({"tisch": 1e-5})
    path = word_list(tmp_path, "Tisch\nfisch\n")
    pack = build_pack(5, language="de", source=path)
    assert (pack.answers, pack.guesses) == (("tisch",), ("fisch", "tisch"))
    assert "a list of words" in pack.transformation


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"crane\nsl\xe4te\n", "line 2: byte 0xe4 is not UTF-8"),
        (b"crane\0", "is a binary file"),
    ],
)
def test_a_list_that_is_no_text(tmp_path: Path, raw: bytes, said: str) -> None:
    path = word_list(tmp_path, raw)
    with pytest.raises(InputError) as caught:
        build_pack(5, source=path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


def test_a_list_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none\.txt.*one word per line"):
        build_pack(5, source=tmp_path / "none.txt")
    with pytest.raises(InputError, match="cannot read"):
        build_pack(5, source=tmp_path)


# the real thing


@pytest.mark.parametrize(
    ("language", "length", "folded", "common"),
    [
        ("de", 6, False, ["können", "strich", "größer"]),
        ("fr", 5, True, ["elles", "meres", "coeur"]),
        ("ro", 5, True, ["acest", "toate", "casei"]),
        ("it", 5, False, ["primo", "dieci", "vuole"]),
    ],
)
def test_installed_languages(language: str, length: int, folded: bool, common: list[str]) -> None:
    package = "hunspell-de-de" if language == "de" else f"hunspell-{language}"
    installed = any(list(folder.glob(f"{language}*.dic")) for folder in DIRECTORIES)
    needs(installed, f"hunspell dictionary for {language!r} (Debian package {package})")
    needs(find_spec("wordfreq"), "wordfreq (pip install 'salet[languages]')")
    pack = build_pack(length, language=language, fold_accents=folded)
    assert len(pack.answers) == 2315
    assert len(pack.guesses) > 6000
    assert set(pack.answers) < set(pack.guesses)
    assert list(pack.guesses) == sorted(set(pack.guesses))
    assert set(common) <= set(pack.answers)
