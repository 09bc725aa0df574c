"""The code of a module, by which it is recognised: its tokens, the same from every Python.

Comments, blank lines and where lines are broken do not count, nor does a string that is a statement of its own, which
is documentation. Since Python 3.12 the parts of an f-string are tokens; here it is one, as it was before, so it is
taken from the source as it stands.
"""

import io
import tokenize
from collections.abc import Iterator

LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
OPENING, CLOSING = (
    {getattr(tokenize, f"{kind}STRING_{end}") for kind in "FT" if hasattr(tokenize, f"{kind}STRING_{end}")}
    for end in ("START", "END")
)
"""Kinds of tokens that begin and end a string with expressions in it, where Python has them."""

BETWEEN = "\0"
"""Stands in no source, so no two codes have one text."""


def code_text(source: str) -> str:
    """A line a logical line of code: how deep it is indented, and its tokens."""
    lines: list[str] = []
    line: list[tokenize.TokenInfo] = []
    depth = 0
    for token in _tokens(source):
        if token.type in (tokenize.INDENT, tokenize.DEDENT):
            depth += 1 if token.type == tokenize.INDENT else -1
        elif token.type == tokenize.NEWLINE:
            if not _is_documentation(line):
                lines.append(BETWEEN.join([str(depth), *(each.string for each in line)]))
            line = []
        elif token.type not in LAYOUT:
            line.append(token)
    return "\n".join(lines)


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    """Those of the library, each string with expressions in it as one."""
    rows = io.StringIO(source).readlines()  # as the library counts them
    open_strings: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in OPENING:
            open_strings.append(token)
        elif token.type in CLOSING:
            first = open_strings.pop()
            if not open_strings:
                text = _between(rows, first.start, token.end)
                yield tokenize.TokenInfo(tokenize.STRING, text, first.start, token.end, first.line)
        elif not open_strings:
            yield token


def _between(rows: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The source from one place up to another; a place is a line, counted from 1, and a column."""
    if start[0] == end[0]:
        return rows[start[0] - 1][start[1] : end[1]]
    return "".join([rows[start[0] - 1][start[1] :], *rows[start[0] : end[0] - 1], rows[end[0] - 1][: end[1]]])


def _is_documentation(line: list[tokenize.TokenInfo]) -> bool:
    """Whether it is text and nothing else: neither bytes nor expressions in a string."""
    return bool(line) and all(token.type == tokenize.STRING and _is_text(token.string) for token in line)


def _is_text(string: str) -> bool:
    prefix = string[: min(string.index(quote) for quote in "'\"" if quote in string)]
    return not set(prefix.lower()) & set("bft")
