"""Expand a hunspell dictionary to its words of one length.

A hunspell dictionary is a list of stems with flags (.dic) and a list of rules (.aff) for what each
flag adds to a stem. A word is a stem with at most one prefix and two suffixes:

- the stem's flags name its prefixes and suffixes; those with cross product may be combined;
- an affix may have flags of its own (its continuation class), which allow a second suffix, or
  allow a prefix to a suffix and a suffix to a prefix that the stem itself does not have;
- NEEDAFFIX makes a stem or an affix incomplete on its own, CIRCUMFIX ties a prefix to a suffix,
  ONLYINCOMPOUND and FORBIDDENWORD form no word, and a forbidden entry forbids its spelling.

All combinations are 34 million strings for Italian, of which a game needs those of one length. So
rules are grouped by the number of letters that they add to a stem, and only combinations of the
right length are tried.

*Compounds are not formed*: a word that hunspell accepts only as a compound of two stems (which
German forms freely) is not in the result unless the dictionary lists it.

Where hunspell's code is laxer than its manual (an ONLYINCOMPOUND or CIRCUMFIX affix as second
suffix), the manual is followed. So hunspell accepts every word of the result, with one known
exception: a word that can be formed from two stems, one of them forbidden or only for compounds, is
rejected if hunspell finds that one first. That affects 7 of the 144,649 Hungarian words of six
letters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from salet.game.packs.affixes import (
    Affixes,
    AffixRule,
    Flags,
    condition_steps,
    read_affixes,
    read_stems,
)
from salet.game.packs.spelling import Spelling


def expand(dic: Path, aff: Path, spelling: Spelling) -> dict[str, tuple[str, ...]]:
    """The words of a dictionary that have the spelling's length, sorted.

    Each word comes with the spellings of the dictionary (in lower case) that it stands for: one,
    unless accents are folded or the dictionary has the word in two cases.
    """
    spellings: defaultdict[str, set[str]] = defaultdict(set)
    for form in forms(dic, aff, spelling):
        word = spelling.word(form)
        spelled = spelling.spelled(form)
        if word is not None and spelled is not None:
            spellings[word].add(spelled)
    return {word: tuple(sorted(spellings[word])) for word in sorted(spellings)}


def forms(dic: Path, aff: Path, spelling: Spelling) -> set[str]:
    """The forms that hunspell accepts and that have the spelling's length, in their own case."""
    affixes = read_affixes(aff)
    expander = Expander(affixes, spelling)
    forbidden_mark = affixes.marks.get("FORBIDDENWORD")
    made: set[str] = set()
    forbidden: set[str] = set()
    for stem, flags in read_stems(dic, affixes):
        if forbidden_mark in flags:
            forbidden.add(stem)
        else:
            made.update(expander.forms(stem, flags))
    return made - forbidden


class Edit(NamedTuple):
    """Replace `strip` at the edge of a stem by each of `appends` if the condition holds."""

    strip: str
    condition: re.Pattern[str] | None
    span: int
    """number of characters at the edge of the stem that the condition tests"""
    appends: list[str]


@dataclass(eq=False, slots=True)
class Group:
    """The rules of one flag with the same gain and the same continuation class."""

    flag: str
    gain: int
    """number of letters that the stem gains"""
    crosses: bool
    """whether it combines with an affix at the other end"""
    continuation: Flags
    """flags of the word that it makes"""
    needs_affix: bool
    """whether it cannot be the only affix (NEEDAFFIX)"""
    is_circumfix: bool
    """whether it needs the other half of the circumfix at the other end (CIRCUMFIX)"""
    edits: list[Edit]


@dataclass(eq=False, slots=True)
class Allowed:
    """The affixes that a flag set allows."""

    suffixes: list[Group]
    prefixes: dict[int, list[Group]]
    """prefixes by gain"""
    leading: list[Group]
    """prefixes whose continuation class allows suffixes"""


class FirstSuffix(NamedTuple):
    """A first suffix with which a stem can reach the right length."""

    group: Group
    can_be_last: bool
    """whether it can do so as the only suffix"""
    seconds: list[Group]
    """second suffixes with which it can do so"""


class Expander:
    """Forms the words of one length from stems."""

    def __init__(self, affixes: Affixes, spelling: Spelling) -> None:
        self._width = spelling.width
        self._length = spelling.length
        self._marks = affixes.marks
        self._min_kept = 0 if affixes.full_strip else 1
        self._prefixes = self._grouped(affixes.prefixes, at_end=False)
        self._suffixes = self._grouped(affixes.suffixes, at_end=True)
        self._allowed_cache: dict[Flags, Allowed] = {}
        self._first_cache: dict[tuple[Flags, int, frozenset[int]], list[FirstSuffix]] = {}
        self._second_cache: dict[tuple[Flags, int, frozenset[int]], tuple[bool, list[Group]]] = {}

    def forms(self, stem: str, flags: Flags) -> Iterator[str]:
        """Yield the forms of one entry that have the right length."""
        if self._marked("ONLYINCOMPOUND", flags):
            return
        missing = self._length - self._width(stem)
        if missing == 0 and not self._marked("NEEDAFFIX", flags):
            yield stem
        allowed = self._allowed(flags)
        for prefix in allowed.prefixes.get(missing, ()):
            if not prefix.needs_affix and not prefix.is_circumfix:
                yield from self._prefixed(stem, prefix)
        for first in self._first_suffixes(flags, missing, frozenset(allowed.prefixes)):
            for form, rest, second in self._suffix_chains(stem, missing, first):
                if rest == 0 and self._complete(first.group, second):
                    yield form
                yield from self._crossed(form, rest, first.group, second, allowed.prefixes)
        for prefix in allowed.leading:
            added = prefix.continuation - flags
            for first in self._first_suffixes(added, missing, frozenset([prefix.gain])):
                for form, rest, second in self._suffix_chains(stem, missing, first):
                    if rest == prefix.gain and self._combine(prefix, first.group, second):
                        yield from self._prefixed(form, prefix)

    def _suffix_chains(
        self, stem: str, missing: int, first: FirstSuffix
    ) -> Iterator[tuple[str, int, Group | None]]:
        """Yield the stem with one or two suffixes, the letters still missing, the second suffix."""
        rest = missing - first.group.gain
        for form in self._suffixed(stem, first.group):
            if first.can_be_last:
                yield form, rest, None
            for second in first.seconds:
                for longer in self._suffixed(form, second):
                    yield longer, rest - second.gain, second

    def _crossed(
        self,
        form: str,
        missing: int,
        first: Group,
        second: Group | None,
        prefixes: dict[int, list[Group]],
    ) -> Iterator[str]:
        """Yield the suffixed form with each prefix that the stem or one of its suffixes allows."""
        for prefix in prefixes.get(missing, ()):
            if self._combine(prefix, first, second):
                yield from self._prefixed(form, prefix)
        if first.continuation:
            for prefix in self._allowed(first.continuation).prefixes.get(missing, ()):
                if self._combine(prefix, first, second):
                    yield from self._prefixed(form, prefix)
        if second is not None and second.continuation:
            for prefix in self._allowed(second.continuation).prefixes.get(missing, ()):
                fits = prefix.is_circumfix == second.is_circumfix and not first.is_circumfix
                if prefix.crosses and second.crosses and fits:
                    yield from self._prefixed(form, prefix)

    @staticmethod
    def _complete(first: Group, second: Group | None) -> bool:
        """Whether the suffixes need no prefix."""
        if second is None:
            return not first.needs_affix and not first.is_circumfix
        return not first.is_circumfix and not second.is_circumfix

    @staticmethod
    def _combine(prefix: Group, first: Group, second: Group | None) -> bool:
        """Whether a prefix combines with these suffixes, the second of which does not allow it."""
        if not (prefix.crosses and first.crosses) or prefix.is_circumfix != first.is_circumfix:
            return False
        if second is None:
            return not (prefix.needs_affix and first.needs_affix)
        allowed_by_second = prefix.flag in second.continuation
        return second.crosses and not second.is_circumfix and not allowed_by_second

    def _suffixed(self, stem: str, group: Group) -> Iterator[str]:
        size = len(stem)
        for strip, condition, span, appends in group.edits:
            kept = size - len(strip)
            if kept < self._min_kept or size < span or not stem.endswith(strip):
                continue
            if condition is None or condition.fullmatch(stem, size - span):
                for append in appends:
                    yield stem[:kept] + append

    def _prefixed(self, stem: str, group: Group) -> Iterator[str]:
        for strip, condition, span, appends in group.edits:
            cut = len(strip)
            if len(stem) - cut < self._min_kept or not stem.startswith(strip):
                continue
            if condition is None or condition.fullmatch(stem, 0, span):
                for append in appends:
                    yield append + stem[cut:]

    def _marked(self, mark: str, flags: Flags) -> bool:
        return self._marks.get(mark) in flags

    def _allowed(self, flags: Flags) -> Allowed:
        """The affixes that a flag set allows."""
        if (allowed := self._allowed_cache.get(flags)) is None:
            prefixes: defaultdict[int, list[Group]] = defaultdict(list)
            for flag in flags:
                for group in self._prefixes.get(flag, ()):
                    prefixes[group.gain].append(group)
            suffixes = [group for flag in flags for group in self._suffixes.get(flag, ())]
            leading = [
                group
                for groups in prefixes.values()
                for group in groups
                if any(flag in self._suffixes for flag in group.continuation)
            ]
            allowed = self._allowed_cache[flags] = Allowed(suffixes, dict(prefixes), leading)
        return allowed

    def _first_suffixes(
        self, flags: Flags, missing: int, gains: frozenset[int]
    ) -> list[FirstSuffix]:
        """The first suffixes with which a stem can gain exactly the `missing` letters.

        `gains` are those of the prefixes that the stem allows. Letters still missing after the
        suffixes must be the gain of some prefix, of the stem or of a suffix. This only excludes
        what cannot have the right length; whether affixes combine is checked when they are.
        """
        query = (flags, missing, gains)
        if (found := self._first_cache.get(query)) is None:
            found = self._first_cache[query] = []
            for group in self._allowed(flags).suffixes:
                can_be_last, seconds = self._second_suffixes(
                    group.continuation, missing - group.gain, gains
                )
                if can_be_last or seconds:
                    found.append(FirstSuffix(group, can_be_last, seconds))
        return found

    def _second_suffixes(
        self, continuation: Flags, missing: int, gains: frozenset[int]
    ) -> tuple[bool, list[Group]]:
        """Whether a first suffix can be the only one, and which second suffixes can follow it."""
        query = (continuation, missing, gains)
        if (found := self._second_cache.get(query)) is None:
            allowed = self._allowed(continuation)
            endings = gains | {0} | allowed.prefixes.keys()
            seconds = [
                second
                for second in allowed.suffixes
                if missing - second.gain in endings
                or missing - second.gain in self._allowed(second.continuation).prefixes
            ]
            found = self._second_cache[query] = (missing in endings, seconds)
        return found

    def _grouped(self, rules: Sequence[AffixRule], at_end: bool) -> dict[str, list[Group]]:
        """The rules grouped by flag, without those that only compounds use."""
        groups: dict[tuple[str, int, bool, Flags], dict[tuple[str, str], list[str]]] = {}
        for flag, crosses, strip, append, continuation, condition in rules:
            if self._marked("ONLYINCOMPOUND", continuation):
                continue
            gain = self._width(append) - self._width(strip)
            edits = groups.setdefault((flag, gain, crosses, continuation), {})
            edits.setdefault((strip, condition), []).append(append)
        grouped: defaultdict[str, list[Group]] = defaultdict(list)
        for (flag, gain, crosses, continuation), edits in groups.items():
            group = Group(
                flag,
                gain,
                crosses,
                continuation,
                needs_affix=self._marked("NEEDAFFIX", continuation),
                is_circumfix=self._marked("CIRCUMFIX", continuation),
                edits=[
                    Edit(strip, *_compiled(condition, strip, at_end), appends)
                    for (strip, condition), appends in edits.items()
                ],
            )
            grouped[flag].append(group)
        return dict(grouped)


def _compiled(condition: str, strip: str, at_end: bool) -> tuple[re.Pattern[str] | None, int]:
    """The condition as a pattern and its length; no pattern if stripping already implies it."""
    implied = strip.endswith(condition) if at_end else strip.startswith(condition)
    if condition == "." or (implied and not set(condition) & set(".[]")):
        return None, 0
    steps = condition_steps(condition)
    return re.compile("".join(steps), re.DOTALL), len(steps)
