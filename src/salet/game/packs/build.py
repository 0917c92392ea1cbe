"""Word packs for any language, from a hunspell dictionary or a plain list of words.

The dictionary decides which words are valid, their frequency which of them are answers.
`build_pack` returns the words and their origin; it writes nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from salet.errors import InputError, MissingExtraError
from salet.game.packs.hunspell import expand
from salet.game.packs.spelling import CAPITALISE_NOUNS, Spelling

ANSWERS = 2315
"""Default number of answers in a pack: as many as in the original game."""

DIRECTORIES = tuple(
    Path(folder)
    for folder in (
        *filter(None, os.environ.get("DICPATH", "").split(os.pathsep)),
        "/usr/share/hunspell",
        "/usr/local/share/hunspell",
        "/usr/share/myspell/dicts",
    )
)
"""Where dictionaries are searched: in $DICPATH as hunspell does, then in Debian's directories."""

RANKED_AS = {"bs": "sh", "cnr": "sh", "hr": "sh", "sr": "sh", "no": "nb", "tl": "fil"}
"""Languages that wordfreq lists under another code. (By itself it would also rank Basque as
Spanish and Lao as English. Languages that are neither in wordfreq nor here count as unknown.)"""

Spellings = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class BuiltPack:
    """The words of a new pack and their origin."""

    answers: tuple[str, ...]
    """sorted answers, all of which are guesses too"""
    guesses: tuple[str, ...]
    """all valid words, sorted"""
    source: str
    """files that were read, with their sha256"""
    transformation: str
    """how the words were derived from the files"""
    ranking: str
    """how the answers were chosen"""


def build_pack(
    length: int,
    *,
    language: str | None = None,
    source: Path | None = None,
    fold_accents: bool = False,
    answers: int = ANSWERS,
    rank: bool = True,
    directories: Sequence[Path] = DIRECTORIES,
) -> BuiltPack:
    """Build a pack of words of one length.

    Args:
        length: letters in a word, after folding.
        language: a code such as "de" or "pt_BR". It selects the dictionary and the frequencies,
            and decides whether nouns are capitalised. It is only optional with a source; then all
            words are answers.
        source: a .dic with its .aff beside it, or a UTF-8 text file with one word per line,
            instead of an installed dictionary.
        fold_accents: write é as e, ß as ss and so on; see `spelling.fold`.
        answers: number of answers, the most frequent words; fewer if fewer have a frequency.
        rank: if false, or if wordfreq does not know the language, all words are answers.
        directories: where installed dictionaries are searched.
    """
    if answers < 1:
        raise InputError(f"{answers} answers: a pack needs at least 1")
    if source is None:
        if language is None:
            raise InputError("neither a language nor a file is given; give a language such as 'de'")
        source = find_dictionary(language, directories)
    base = None if language is None else _codes(language)[0]
    spelling = Spelling(length, fold_accents, base in CAPITALISE_NOUNS)
    if source.suffix in (".dic", ".aff"):
        files = [source.with_suffix(".dic"), source.with_suffix(".aff")]
        words = expand(files[0], files[1], spelling)
    else:
        files = [source]
        words = words_of_list(source, spelling)
    if not words:
        raise InputError(f"{str(source)!r} has no word of {length} letters; try another length")
    chosen, ranking = _answers(words, language if rank else None, answers)
    return BuiltPack(
        answers=tuple(chosen),
        guesses=tuple(words),
        source=" and ".join(f"{file} (sha256 {_digest(file)})" for file in files),
        transformation=_transformation(len(files) > 1, spelling),
        ranking=ranking if rank else f"not ranked: all {len(words)} words are answers",
    )


def find_dictionary(language: str, directories: Sequence[Path] = DIRECTORIES) -> Path:
    """The .dic of a language: for "de" de.dic or de_DE.dic, else the only de_*.dic."""
    codes = _codes(language)
    wanted = "_".join(codes)
    names = [wanted, f"{wanted}_{wanted.upper()}"] if len(codes) == 1 else [wanted]
    for name in names:
        for folder in directories:
            if (dic := folder / f"{name}.dic").is_file():
                return dic
    found = sorted(dic for folder in directories for dic in folder.glob(f"{wanted}_*.dic"))
    if len({dic.resolve() for dic in found}) == 1:
        return found[0]
    if found:
        choices = ", ".join(sorted({repr(dic.stem) for dic in found}))
        raise InputError(f"several dictionaries for {language!r}; name one of {choices}")
    searched = ", ".join(str(folder) for folder in directories) or "no directory"
    raise InputError(
        f"no hunspell dictionary for {language!r} in {searched}; install one, on Debian with "
        f"`apt-get install hunspell-{'-'.join(codes).lower()}`, or give the path of a .dic or a "
        "word list"
    )


def words_of_list(path: Path, spelling: Spelling) -> Spellings:
    """The words of a text file with one word per line.

    The rules are those for dictionaries, except that the case of a list all in capitals is ignored.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"cannot read {str(path)!r}: {error.strerror}; "
            "give a hunspell .dic or a text file with one word per line"
        ) from None
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path} line {number}: byte {error.object[error.start]:#04x} is not UTF-8; "
            "a word list is a UTF-8 text file with one word per line"
        ) from None
    if "\0" in text:
        raise InputError(f"{str(path)!r} is a binary file; give UTF-8 text with one word per line")
    if text == text.upper():
        text = text.lower()
    spellings: dict[str, set[str]] = {}
    for line in text.split("\n"):
        form = line.strip()
        word, spelled = spelling.word(form), spelling.spelled(form)
        if word is not None and spelled is not None:
            spellings.setdefault(word, set()).add(spelled)
    return {word: tuple(sorted(spellings[word])) for word in sorted(spellings)}


def _answers(words: Spellings, language: str | None, count: int) -> tuple[list[str], str]:
    """The most frequent words, and a description of how they were chosen."""
    frequencies = None if language is None else _frequencies(words, language)
    if frequencies is None:
        reason = f"wordfreq does not know {language!r}" if language else "no language is given"
        return list(words), f"not ranked, {reason}: all {len(words)} words are answers"
    used = [word for word in words if frequencies[word] > 0]
    if not used:
        return list(words), f"wordfreq has none of the words: all {len(words)} are answers"
    best = sorted(used, key=lambda word: (-frequencies[word], word))[:count]
    from importlib.metadata import version

    return sorted(best), (
        f"the {len(best)} most frequent of {len(used)} words with a frequency in wordfreq "
        f"{version('wordfreq')} for {language!r}; equally frequent ones alphabetically"
    )


def _frequencies(words: Spellings, language: str) -> dict[str, float] | None:
    """The frequency of each word over all its spellings; None if wordfreq lacks the language."""
    try:
        from wordfreq import available_languages, word_frequency
    except ImportError:
        raise MissingExtraError("ranking answers by frequency", "languages") from None
    base = _codes(language)[0]
    code = RANKED_AS.get(base, base)
    if code not in available_languages():
        return None
    try:
        return {
            word: sum(float(word_frequency(spelled, code)) for spelled in spellings)
            for word, spellings in words.items()
        }
    except ImportError as error:  # Chinese, Japanese and Korean need further packages
        raise InputError(
            f"wordfreq cannot rank {language!r}: {error}; `pip install 'wordfreq[cjk]'` may help, "
            "or build without ranking"
        ) from None


def _codes(language: str) -> list[str]:
    """The parts of a language code in the case of dictionary names: pt-br is pt, BR."""
    base, *rest = language.replace("-", "_").split("_")
    if not (base.isascii() and base.isalpha() and 2 <= len(base) <= 3):
        raise InputError(f"{language!r} is not a language code; write it like 'de' or 'pt_BR'")
    return [base.lower(), *(part.upper() if len(part) == 2 else part for part in rest)]


def _transformation(expanded: bool, spelling: Spelling) -> str:
    kind = "affixes expanded, compounds not formed" if expanded else "a list of words"
    case = "forms all in lower case or with one capital at the start, since nouns have one"
    if not spelling.nouns_capitalised:
        case = "forms all in lower case (no proper nouns, no abbreviations)"
    accents = "accents folded" if spelling.fold_accents else "accents kept"
    return f"{kind}; {case}; letters only; {accents}; {spelling.length} letters; NFC, lower case"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
