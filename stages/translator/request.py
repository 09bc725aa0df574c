"""What the command line asks for."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from stages.files.options import Options, at_least

Form = Literal["text", "links", "json"]

WINDOW = 4096
"""Lines that are translated together: more than a test set has."""
LONGEST = 1000
"""Pieces: what fairseq's Transformer has places for, and far more than the recurrent systems were trained on."""


class Request(NamedTuple):
    """system, study, seed: which model; None is the study's own choice. model: a file that holds one, instead of these.

    input: None is the standard input. tokenised: lines are words already. form, scores, best: what is written, with its
    score or not, of how many hypotheses. map: a file for the attention. longest, window: limits in pieces and lines.
    """

    system: str
    study: str | None
    seed: int | None
    model: Path | None
    input: Path | None
    tokenised: bool
    form: Form
    scores: bool
    best: int
    map: Path | None
    longest: int
    window: int


def request(arguments: Sequence[str] | None, description: str | None) -> Request:
    """Ends the process, as argparse does, on an option that makes no sense."""
    parser = Options(prog="python -m stages.translator", description=description)

    def flag(name: str, explained: str) -> None:
        parser.add_argument(name, type=_flag, nargs="?", const=True, default=False, metavar="0|1", help=explained)

    parser.add_argument("--system", default="", help="a system of the study; the one that comes along unless given")
    parser.add_argument("--study", help="of params.yaml; the one that it chooses unless given")
    parser.add_argument("--seed", type=at_least(0), help="the first of the study unless given")
    parser.add_argument("--model", type=Path, help="a file that `make release MODEL=…` wrote, instead of these three")
    parser.add_argument("--input", type=Path, help="a file, plain or by gzip, xz or bzip2; else the standard input")
    flag("--tokenised", "lines are words already, with blanks between")
    parser.add_argument("--form", choices=get_args(Form), default="text", help="what is written (text)")
    flag("--scores", "before each translation its score and a tab")
    parser.add_argument("--nbest", dest="best", type=at_least(1), default=1, help="so many translations a line (1)")
    parser.add_argument("--map", type=Path, help="draw the attention of a single sentence to this .png or .svg")
    longest = f"longer lines, in pieces, are passed through ({LONGEST})"
    parser.add_argument("--longest", type=at_least(1), default=LONGEST, help=longest)
    window = f"so many lines are translated together ({WINDOW})"
    parser.add_argument("--window", type=at_least(1), default=WINDOW, help=window)
    return Request(**vars(parser.parse_args(arguments)))


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither 1 (yes) nor 0 (no)")
    return text == "1"
