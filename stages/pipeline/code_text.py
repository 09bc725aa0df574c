"""The text of a module's code, by which it is recognised, the same from every Python.

``ast.unparse`` writes f-strings otherwise since Python 3.12, where an expression inside one may use its quotes again.
By hashes of that text nothing that was made with one Python would be up to date for another.
"""

import ast

QUOTES = ("'", '"', '"""', "'''")  # in the order in which they are tried
LAST = "'''"


def code_text(tree: ast.AST) -> str:
    """What Python 3.11's ``ast.unparse`` writes, with the same layout for the same code.

    Only of code that Python 3.11 can read.
    """
    return _Writer().visit(tree)


class _Writer(ast._Unparser):
    """The library's, whose f-strings use no quote twice and have no backslash inside an expression.

    Attributes:
        inside: whether it writes an expression of an f-string.
    """

    def __init__(self, inside: bool = False):
        super().__init__()
        self.inside = inside

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        if self.inside:
            self.write("f" + self._literal(self._inner(node)))
        else:
            self.write("f" + self._literal_of_parts([(self._inner(part), _is_text(part)) for part in node.values]))

    def _write_constant(self, value) -> None:
        if self.inside and isinstance(value, str):
            self.write(self._literal(value))
        else:
            super()._write_constant(value)

    def _literal(self, text: str) -> str:
        text, quotes = self._str_literal_helper(text, quote_types=QUOTES)
        return f"{quotes[0]}{text}{quotes[0]}"

    def _literal_of_parts(self, parts: list[tuple[str, bool]]) -> str:
        """Of texts, whose line ends are escaped, and expressions, between the first quotes that none of them has."""
        found, quotes = [], list(QUOTES)
        for text, is_text in parts:
            written, left = self._str_literal_helper(text, quote_types=quotes, escape_special_whitespace=is_text)
            if set(left).isdisjoint(quotes):
                inner = "".join(repr('"' + text)[2:-1] for text, _ in parts)  # with a ", so that repr takes '
                return f"{LAST}{inner}{LAST}"
            found.append(written)
            quotes = left
        return f"{quotes[0]}{''.join(found)}{quotes[0]}"

    def _inner(self, node: ast.expr) -> str:
        """What stands between the quotes: of a whole f-string or format, of a text, of an expression in its braces."""
        if isinstance(node, ast.JoinedStr):
            return "".join(map(self._inner, node.values))
        if _is_text(node):
            return node.value.replace("{", "{{").replace("}", "}}")
        writer = type(self)(inside=True)
        writer.set_precedence(ast._Precedence.TEST.next(), node.value)
        expression = writer.visit(node.value)
        space = " " if expression.startswith("{") else ""  # else the brace would stand for itself
        conversion = f"!{chr(node.conversion)}" if node.conversion != -1 else ""
        form = f":{self._inner(node.format_spec)}" if node.format_spec else ""
        return f"{{{space}{expression}{conversion}{form}}}"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)
