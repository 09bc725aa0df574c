"""What an answer looks like in the output."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from stages.files.errors import InputError
from stages.translator.answer import Answer, Hypothesis, pharaoh
from stages.translator.chosen import Chosen
from stages.translator.request import Form

DECIMALS = 4

Lines = Callable[[int, Answer], Iterator[str]]
"""Number of the input's line, counted from 1, and its answer -> lines of the output."""


def lines_of(form: Form, chosen: Chosen, scores: bool, best: int) -> Lines:
    """`text`: the translation; `links`: its links of words; `json`: an object with everything.

    scores: a column before the text or the links; best: above 1 there are as many lines a sentence, with the number of
    its line and the score in columns before. Columns are separated by tabs. Passed through, a line has neither links
    nor score.
    """
    if form == "json":
        return lambda number, answer: iter([_object(number, answer, chosen)])

    def lines(number: int, answer: Answer) -> Iterator[str]:
        shown: list[Hypothesis | None] = [*answer.hypotheses] or [None]
        for one in shown:
            columns = [str(number)] if best > 1 else []
            if scores or best > 1:
                columns.append("" if one is None else f"{one.score:.{DECIMALS}f}")
            yield "\t".join([*columns, _last(form, one, answer, chosen)])

    return lines


def _last(form: Form, one: Hypothesis | None, answer: Answer, chosen: Chosen) -> str:
    if one is None:
        return answer.sentence.line if form == "text" else ""
    if form == "text":
        return one.text
    if one.words.attention is None:
        raise InputError(f"{chosen.variant} does not attend, so it has no links; ask for another output")
    return pharaoh(one.words, chosen)


def _object(number: int, answer: Answer, chosen: Chosen) -> str:
    content = {
        "line": number,
        "source": answer.hypotheses[0].words.source if answer.hypotheses else None,
        "translations": [_translation(one, chosen) for one in answer.hypotheses] or [_passed(answer.sentence.line)],
    }
    return json.dumps(content, ensure_ascii=False)


def _translation(one: Hypothesis, chosen: Chosen) -> dict[str, Any]:
    words, attention = one.words, one.words.attention
    return {
        "text": one.text,
        "target": words.target,
        "score": one.score,
        "links": None if attention is None else pharaoh(words, chosen),
        "attention": None if attention is None else _rounded(attention.tolist()),
    }


def _passed(line: str) -> dict[str, Any]:
    return {"text": line, "target": None, "score": None, "links": None, "attention": None}


def _rounded(weights: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[round(weight, DECIMALS) for weight in row] for row in weights]
