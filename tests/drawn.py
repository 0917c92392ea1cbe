"""Small games: fixed lists, and hypothesis strategies for words of every alphabet."""

from __future__ import annotations

from hypothesis import strategies as st


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# A family that is hard to tell apart, repeated letters, and anagrams.
ANSWERS = _listed(
    "eight fight light might night right sight tight error elder geese steer terse essay label "
    "skill crane catch cacti trace"
)
OTHERS = _listed("caput crate credo plied sleet salet soare xylyl hertz fungi mamma")

FLAGS = _listed("🇦🇹 🇧🇪 🇨🇭 🇩🇪 🇪🇸 🇫🇷")
DEVANAGARI = _listed("क का कि की कु कृ के कं ख खा")
MARKED = ("q̃", "x́", "m̈", "b̤́")  # no single code point has these
LATIN = tuple("abcdefghijklmnopqrstuvwxyzßéșțăîöñıłø")
EMOJI = _listed("🙂 👍🏽 👩\u200d🚀 ☕\ufe0f 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3")
CJK = tuple(chr(0x4E00 + place) for place in range(300))
POOLS = (LATIN, LATIN, FLAGS, DEVANAGARI, MARKED, EMOJI, CJK, FLAGS + LATIN + DEVANAGARI + EMOJI)

Letters = tuple[str, ...]


@st.composite
def alphabets(draw: st.DrawFn, most: int = 300) -> Letters:
    """Two to 300 graphemes."""
    pool = draw(st.sampled_from(POOLS))
    size = draw(st.integers(2, min(most, len(pool))))
    start = draw(st.integers(0, len(pool) - size))
    return pool[start : start + size]


@st.composite
def word_lists(
    draw: st.DrawFn,
    *,
    least: int = 1,
    most: int = 12,
    lengths: tuple[int, int] = (2, 16),
    letters: int = 300,
) -> list[Letters]:
    """Distinct words of one length, as tuples of graphemes. Small alphabets are common, so
    letters repeat a lot."""
    alphabet = draw(st.one_of(alphabets(4), alphabets(letters)))
    shortest, longest = lengths
    while len(alphabet) ** shortest < least:
        shortest += 1
    length = draw(st.integers(shortest, max(shortest, longest)))
    word = st.tuples(*[st.sampled_from(alphabet)] * length)
    return draw(st.lists(word, min_size=least, max_size=most, unique=True))


@st.composite
def split_lists(draw: st.DrawFn, **options: int | tuple[int, int]) -> tuple[list[Letters], int]:
    """Words of one length, and how many of them, from the front, are answers."""
    words = draw(word_lists(**options))  # type: ignore[arg-type]
    return words, draw(st.integers(1, len(words)))


def spelled(words: list[Letters]) -> list[str]:
    return ["".join(word) for word in words]
