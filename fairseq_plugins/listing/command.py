"""`python -m fairseq_plugins list`: its options, and what it prints."""

import argparse
import shutil
import textwrap

from fairseq_plugins import registry
from fairseq_plugins.core.options import add_options, read_options
from fairseq_plugins.listing import formats, kuang
from fairseq_plugins.listing.architectures import row, sizes_type


def listing(options: list[str]) -> str:
    """What the command prints, without a final newline; bad usage ends the program as argparse does.

    Raises:
        UnknownNameError: a variant is named that this project does not have.
    """
    parser = argparse.ArgumentParser(
        prog="python -m fairseq_plugins list", allow_abbrev=False,
        description="Every variant with its paper, formula, terms, state, loss, parameters and how sure its "
        "specification is.",
    )  # fmt: skip
    parser.add_argument("names", nargs="*", help="only these variants, in this order")
    parser.add_argument("--format", choices=("text", "markdown", "csv"), default="text")
    kind = sizes_type()
    add_options(parser, kind)
    args = parser.parse_args(options)
    try:
        sizes = read_options(kind, args)
    except ValueError as error:
        parser.error(str(error))
    rows = [row(name, sizes) for name in args.names or registry.names()]
    given = ", ".join(f"{name} = {size}" for name, size in sizes.given().items())
    note = f"Parameters at {given}; other sizes are the variant's own, and a combination has no terms."
    match args.format:
        case "csv":
            return formats.as_csv(rows)
        case "markdown":
            return f"{formats.as_markdown(rows)}\n\n{note}"
    width = shutil.get_terminal_size((120, 24)).columns
    comparison = [] if args.names else [kuang.as_text(width)]
    return "\n\n".join([formats.as_text(rows, width), textwrap.fill(note, width), *comparison])
