"""Translates text with a trained system: `make translate < file`. See docs/translate.md."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from itertools import islice
from pathlib import Path
from typing import TextIO

from stages.files.atomic import write_error
from stages.files.errors import InputError
from stages.files.leaving import leave
from stages.files.main import run
from stages.translator.choose import opened_system
from stages.translator.chosen import Chosen
from stages.translator.request import Request, request


def main(arguments: Sequence[str] | None = None) -> None:
    """Raises InputError for anything that a user can put right."""
    asked = request(arguments, __doc__)
    with opened_system(asked.system, asked.study, asked.seed, asked.model) as chosen:
        if asked.best > chosen.decoding.beam:
            kept = f"{chosen.searched_by} keeps {chosen.decoding.beam} hypotheses"
            raise InputError(f"{kept}, so NBEST cannot be {asked.best}")
        threads = min(chosen.decoding.threads, os.cpu_count() or 1)
        os.environ["OMP_NUM_THREADS"] = str(threads)  # read once, when torch is imported
        out = sys.stdout
        with redirect_stdout(sys.stderr):  # whatever a library prints, it is no translation
            _say(str(chosen))
            _translate(asked, chosen, out)


def _translate(asked: Request, chosen: Chosen, out: TextIO) -> None:
    from stages.translator.answer import Translator
    from stages.translator.drawing import check_name, draw
    from stages.translator.form import lines_of
    from stages.translator.sentence import Preparation
    from stages.translator.source import opened
    from stages.translator.work import answers

    if asked.map is not None:
        check_name(asked.map)
    lines = lines_of(asked.form, chosen, asked.scores, asked.best)
    prepare = Preparation(chosen, asked.tokenised, asked.longest)
    with opened(asked.input, prepare.tokenised) as source:
        translator = Translator(chosen, asked.best)
        prepare.longest = min(asked.longest, translator.longest)
        if source.typed:
            _say("a sentence a line, Ctrl-D ends")
        if asked.map is not None:
            source = source._replace(lines=_single(source.lines))
        window = 1 if source.typed else asked.window
        for number, answer in answers(source, prepare, translator, window, _say):
            _write(out, "".join(f"{line}\n" for line in lines(number, answer)), flush=number % window == 0)
            if asked.map is not None:
                draw(asked.map, answer, chosen)
        _write(out, "", flush=True)


def _single(lines: Iterator[str]) -> Iterator[str]:
    found = list(islice(lines, 2))
    if len(found) != 1:
        raise InputError(f"a map shows one sentence, but the input has {'more' if found else 'none'}; give it one line")
    return iter(found)


def _write(out: TextIO, text: str, flush: bool) -> None:
    """UTF-8 and LF whatever the locale; raises OutputError for a full disk."""
    try:
        out.buffer.write(text.encode())
        if flush:
            out.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise write_error(Path("standard output"), error) from None


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _whole_lines() -> None:
    try:
        main()
    except KeyboardInterrupt:
        leave(128 + signal.SIGINT, "\nstopped by Ctrl-C; what was written is whole lines")
    except BrokenPipeError:  # who read along has enough
        leave(128 + signal.SIGPIPE, "")


if __name__ == "__main__":
    run(_whole_lines)
