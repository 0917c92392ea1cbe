"""The words of one length in a hunspell dictionary.

A hunspell dictionary is a list of stems with flags (.dic) and of rules (.aff) that say what each
flag adds to a stem. A word is a stem with at most one prefix and two suffixes:

- the stem's flags name its prefixes and suffixes; those with cross product may stand together;
- an affix may carry flags of its own (its continuation class), which allow a second suffix, or
  allow a prefix to a suffix and a suffix to a prefix that the stem itself does not have;
- NEEDAFFIX makes a stem or an affix incomplete on its own, CIRCUMFIX ties a prefix to a suffix,
  ONLYINCOMPOUND and FORBIDDENWORD make no word, and a forbidden entry forbids its spelling.

Spelled out, that is 34 million strings for Italian, of which a game wants those of one length. So
rules are grouped by how many letters a stem gains, and only combinations that arrive at the wanted
length are tried.

*Compounds are not made*: a word that hunspell accepts only as a compound of two stems (as German
puts them together at will) is not in the result, unless the dictionary lists it.

Where hunspell's code is laxer than its manual (an ONLYINCOMPOUND or CIRCUMFIX affix as second
suffix), the manual is followed. So hunspell accepts what is made here. (One exception is known: a
word that two stems can make, one of them forbidden or only for compounds, is refused if hunspell
finds that one first. Of the 144,649 Hungarian words of six letters these are 7.)
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
    Flags,
    Rule,
    condition_steps,
    read_affixes,
    read_stems,
)
from salet.game.packs.spelling import Spelling


def expand(dic: Path, aff: Path, spelling: Spelling) -> dict[str, tuple[str, ...]]:
    """The words of a dictionary that are of the spelling's length, sorted.

    Each word comes with the dictionary's spellings (lower case) that it stands for: one, unless
    accents are folded or the dictionary has it in two cases.
    """
    spellings: defaultdict[str, set[str]] = defaultdict(set)
    for form in forms(dic, aff, spelling):
        word = spelling.word(form)
        spelled = spelling.spelled(form)
        if word is not None and spelled is not None:
            spellings[word].add(spelled)
    return {word: tuple(sorted(spellings[word])) for word in sorted(spellings)}


def forms(dic: Path, aff: Path, spelling: Spelling) -> set[str]:
    """What hunspell accepts and is of the spelling's length, in the dictionary's own case."""
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
    """Cut `strip` off a stem whose edge meets the condition, put each of `appends` in its place."""

    strip: str
    condition: re.Pattern[str] | None
    span: int
    """how many characters at the edge of the stem the condition looks at"""
    appends: list[str]


@dataclass(eq=False, slots=True)
class Group:
    """The rules of one flag that lengthen a stem alike and continue alike."""

    flag: str
    gain: int
    """letters that the stem gains"""
    crosses: bool
    """whether it may stand together with an affix at the other end"""
    then: Flags
    """continuation class"""
    needy: bool
    """NEEDAFFIX: not the only affix"""
    half: bool
    """CIRCUMFIX: only with the other half at the other end"""
    edits: list[Edit]


@dataclass(eq=False, slots=True)
class Reach:
    """What a flag set allows."""

    suffixes: list[Group]
    prefixes: dict[int, list[Group]]
    """by gain"""
    leading: list[Group]
    """prefixes whose continuation class allows suffixes"""


class Lead(NamedTuple):
    """A first suffix that can arrive at the wanted length, and how."""

    group: Group
    ends: bool
    """as the only suffix"""
    seconds: list[Group]
    """with one of these after it"""


class Expander:
    """Makes the forms of stems that have the wanted length, and no others."""

    def __init__(self, affixes: Affixes, spelling: Spelling) -> None:
        self._width = spelling.width
        self._length = spelling.length
        self._marks = affixes.marks
        self._keep = 0 if affixes.full_strip else 1
        self._prefixes = self._grouped(affixes.prefixes, at_end=False)
        self._suffixes = self._grouped(affixes.suffixes, at_end=True)
        self._reaches: dict[Flags, Reach] = {}
        self._leads: dict[tuple[Flags, int, frozenset[int]], list[Lead]] = {}
        self._onwards: dict[tuple[Flags, int, frozenset[int]], tuple[bool, list[Group]]] = {}

    def forms(self, stem: str, flags: Flags) -> Iterator[str]:
        """The forms of one entry that have the wanted length."""
        if self._marked("ONLYINCOMPOUND", flags):
            return
        need = self._length - self._width(stem)
        if need == 0 and not self._marked("NEEDAFFIX", flags):
            yield stem
        reach = self._reach(flags)
        for prefix in reach.prefixes.get(need, ()):
            if not prefix.needy and not prefix.half:
                yield from self._prefixed(stem, prefix)
        for lead in self._lead(flags, need, frozenset(reach.prefixes)):
            for form, rest, second in self._suffix_chains(stem, need, lead):
                if rest == 0 and self._complete(lead.group, second):
                    yield form
                yield from self._crossed(form, rest, lead.group, second, reach.prefixes)
        for prefix in reach.leading:
            allowed = prefix.then - flags
            only = {prefix.gain: [prefix]}
            for lead in self._lead(allowed, need, frozenset(only)):
                for form, rest, second in self._suffix_chains(stem, need, lead):
                    for chosen in only.get(rest, ()):
                        if self._meet(chosen, lead.group, second):
                            yield from self._prefixed(form, chosen)

    def _suffix_chains(
        self, stem: str, need: int, lead: Lead
    ) -> Iterator[tuple[str, int, Group | None]]:
        """The stem with one or two suffixes, the letters still missing, the second suffix."""
        rest = need - lead.group.gain
        for form in self._suffixed(stem, lead.group):
            if lead.ends:
                yield form, rest, None
            for second in lead.seconds:
                for longer in self._suffixed(form, second):
                    yield longer, rest - second.gain, second

    def _crossed(
        self,
        form: str,
        rest: int,
        first: Group,
        second: Group | None,
        prefixes: dict[int, list[Group]],
    ) -> Iterator[str]:
        """The suffixed form with each prefix that the stem or one of its suffixes allows."""
        for prefix in prefixes.get(rest, ()):
            if self._meet(prefix, first, second):
                yield from self._prefixed(form, prefix)
        if first.then:
            for prefix in self._reach(first.then).prefixes.get(rest, ()):
                if self._meet(prefix, first, second):
                    yield from self._prefixed(form, prefix)
        if second is not None and second.then:
            for prefix in self._reach(second.then).prefixes.get(rest, ()):
                fits = prefix.half == second.half and not first.half
                if prefix.crosses and second.crosses and fits:
                    yield from self._prefixed(form, prefix)

    @staticmethod
    def _complete(first: Group, second: Group | None) -> bool:
        """Whether the suffixes can do without a prefix."""
        if second is None:
            return not first.needy and not first.half
        return not first.half and not second.half

    @staticmethod
    def _meet(prefix: Group, first: Group, second: Group | None) -> bool:
        """Whether a prefix may stand with these suffixes, the second of which does not allow it."""
        if not (prefix.crosses and first.crosses) or prefix.half != first.half:
            return False
        if second is None:
            return not (prefix.needy and first.needy)
        return second.crosses and not second.half and prefix.flag not in second.then

    def _suffixed(self, stem: str, group: Group) -> Iterator[str]:
        size = len(stem)
        for strip, condition, span, appends in group.edits:
            keep = size - len(strip)
            if keep < self._keep or size < span or not stem.endswith(strip):
                continue
            if condition is None or condition.fullmatch(stem, size - span):
                for append in appends:
                    yield stem[:keep] + append

    def _prefixed(self, stem: str, group: Group) -> Iterator[str]:
        for strip, condition, span, appends in group.edits:
            cut = len(strip)
            if len(stem) - cut < self._keep or not stem.startswith(strip):
                continue
            if condition is None or condition.fullmatch(stem, 0, span):
                for append in appends:
                    yield append + stem[cut:]

    def _marked(self, mark: str, flags: Flags) -> bool:
        return self._marks.get(mark) in flags

    def _reach(self, flags: Flags) -> Reach:
        """The groups that a flag set allows."""
        if (reach := self._reaches.get(flags)) is None:
            prefixes: defaultdict[int, list[Group]] = defaultdict(list)
            for flag in flags:
                for group in self._prefixes.get(flag, ()):
                    prefixes[group.gain].append(group)
            suffixes = [group for flag in flags for group in self._suffixes.get(flag, ())]
            leading = [
                group
                for groups in prefixes.values()
                for group in groups
                if any(flag in self._suffixes for flag in group.then)
            ]
            reach = self._reaches[flags] = Reach(suffixes, dict(prefixes), leading)
        return reach

    def _lead(self, flags: Flags, need: int, gains: frozenset[int]) -> list[Lead]:
        """The first suffixes with which a stem that lacks `need` letters can get exactly these.

        `gains` are those of the prefixes that the stem allows. Letters still missing after the
        suffixes must be the gain of some prefix: of the stem's or of a suffix's. This only leaves
        out what cannot fit; whether the rest may stand together is checked when it is made.
        """
        place = (flags, need, gains)
        if (leads := self._leads.get(place)) is None:
            leads = self._leads[place] = []
            for group in self._reach(flags).suffixes:
                ends, seconds = self._onward(group.then, need - group.gain, gains)
                if ends or seconds:
                    leads.append(Lead(group, ends, seconds))
        return leads

    def _onward(self, then: Flags, rest: int, gains: frozenset[int]) -> tuple[bool, list[Group]]:
        """Whether a first suffix can be the only one, and which second suffixes can follow it."""
        place = (then, rest, gains)
        if (found := self._onwards.get(place)) is None:
            onward = self._reach(then)
            endings = gains | {0} | onward.prefixes.keys()
            seconds = [
                second
                for second in onward.suffixes
                if rest - second.gain in endings
                or rest - second.gain in self._reach(second.then).prefixes
            ]
            found = self._onwards[place] = (rest in endings, seconds)
        return found

    def _grouped(self, rules: Sequence[Rule], at_end: bool) -> dict[str, list[Group]]:
        """The rules by flag and gain, without those that only compounds use."""
        groups: dict[tuple[str, int, bool, Flags], dict[tuple[str, str], list[str]]] = {}
        for flag, crosses, strip, append, then, condition in rules:
            if self._marked("ONLYINCOMPOUND", then):
                continue
            gain = self._width(append) - self._width(strip)
            edits = groups.setdefault((flag, gain, crosses, then), {})
            edits.setdefault((strip, condition), []).append(append)
        grouped: defaultdict[str, list[Group]] = defaultdict(list)
        for (flag, gain, crosses, then), edits in groups.items():
            needy, half = self._marked("NEEDAFFIX", then), self._marked("CIRCUMFIX", then)
            made = [
                Edit(strip, *_compiled(condition, strip, at_end), appends)
                for (strip, condition), appends in edits.items()
            ]
            grouped[flag].append(Group(flag, gain, crosses, then, needy, half, made))
        return dict(grouped)


def _compiled(condition: str, strip: str, at_end: bool) -> tuple[re.Pattern[str] | None, int]:
    """The condition as a pattern; none if stripping already makes sure of it."""
    implied = strip.endswith(condition) if at_end else strip.startswith(condition)
    if condition == "." or (implied and not set(condition) & set(".[]")):
        return None, 0
    steps = condition_steps(condition)
    return re.compile("".join(steps), re.DOTALL), len(steps)
