"""What hypothesis draws files, lines and words from: anything, and more often than chance what once did harm."""

from hypothesis import strategies as st

from stages.text.symbols import CONTINUES, END, UNKNOWN

WHITE = "".join(filter(str.isspace, map(chr, range(0x110000))))
NASTY = (
    *(CONTINUES, END, UNKNOWN, "<s>", "<pad>", "|||", "</w>", "#fairseq:overwrite", "madeupword0000", "#version: 0.2"),
    *("\ufeff", "\0", "\x1b[31m", "\u200b", "\u202e", "\u2066", "e\u0301", "\U0001f600", "\ud7ff", "\U0010ffff"),
    *("<script>", "&amp;", "=1+1", "@SUM(A1)", "$(id)", "`id`", "\\input{x}", "%", "'", '"', "{}"),
    *("0-0", "1?1", "-", "?"),
)
characters = st.one_of(st.sampled_from("ab@<>/w"), st.characters(codec="utf-8"))
words = st.one_of(
    st.sampled_from(NASTY),
    st.text(characters.filter(lambda one: one not in WHITE), min_size=1, max_size=12),
    st.lists(st.sampled_from(NASTY), min_size=2, max_size=3).map("".join),
)
"""Without white space, at least one character."""
lines = st.lists(words, min_size=1, max_size=8).map(" ".join)
"""Words between single blanks."""
raw_lines = st.lists(st.one_of(words, st.text(st.sampled_from(WHITE + "\ufeff"), max_size=3)), max_size=8).map("".join)
"""Anything that can be encoded, line breaks included."""
files = st.one_of(
    st.binary(max_size=200),
    st.lists(raw_lines, max_size=6).map(lambda found: "\n".join(found).encode()),
    st.lists(raw_lines, max_size=6).map(lambda found: "\r\n".join(found).encode("utf-8-sig")),
)
