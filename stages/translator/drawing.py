"""The report's heat map of one sentence, as a file of its own."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib

from stages.files.atomic import write_error
from stages.files.errors import InputError
from stages.reporting.chosen_sentences import NO_LINKS
from stages.reporting.fonts import no_font
from stages.reporting.heat_map import HeatMap, heat_maps
from stages.reporting.style import rc, save
from stages.text.symbols import END
from stages.translator.answer import Answer
from stages.translator.chosen import Chosen

KINDS = (".png", ".svg")


def check_name(path: Path) -> None:
    """Raises InputError for a file that is not one of `KINDS`, or in a folder that is not there."""
    if path.suffix not in KINDS:
        raise InputError(f"{path}: a map is drawn as {' or '.join(KINDS)}; end its name in one of them")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent}: no such folder; make it, or correct MAP=…")


def draw(path: Path, answer: Answer, chosen: Chosen) -> None:
    """The best hypothesis; raises InputError if there is nothing to draw, or `path` cannot be written."""
    if not answer.hypotheses:
        raise InputError("the line was not translated, so there is no map to draw; give it one sentence")
    one = answer.hypotheses[0]
    attention = one.words.attention
    if attention is None:
        raise InputError(f"{chosen.variant} does not attend, so there is no map to draw; ask for the translation only")
    target = [*one.words.target, END] if len(attention) > len(one.words.target) else one.words.target
    if not target:
        raise InputError(f"{chosen.variant} translates this sentence with nothing at all, so there is no map to draw")
    if lacking := no_font([*one.words.source, *target]):
        print(f"{path}: {lacking}", file=sys.stderr)
    shown = HeatMap(chosen.title, (*one.words.source, END), tuple(target), attention, NO_LINKS)
    with matplotlib.rc_context(rc()), TemporaryDirectory() as folder:
        save(heat_maps([shown], f"{chosen.study} · seed {chosen.seed}", columns=1), Path(folder) / path.stem)
        drawn = (Path(folder) / path.name).read_bytes()
    try:
        path.write_bytes(drawn)
    except OSError as error:
        raise write_error(path, error) from None
