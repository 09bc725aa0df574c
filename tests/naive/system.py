"""The one loop: any cell with any terms, a sentence at a time."""

from collections.abc import Sequence

import numpy as np

from . import Params
from .interface import Result, Sentence, System
from .readout import READOUTS
from .rnnencdec import RNNencdec
from .rnnsearch import RNNsearch
from .rnnsearch_star import RNNsearchStar
from .term import make_terms

CELLS = {"d1": RNNsearch, "d2": RNNsearchStar, "encdec": RNNencdec}


def run(system: System, params: Params, source_ids: Sequence[int], previous_ids: Sequence[int]) -> Result:
    """source_ids: S tokens, eos included; previous_ids: y_0 … y_{T-1}, so eos first (fairseq's prev_output_tokens)."""
    if unknown := set(system.options) - {system.cell, *system.terms}:
        raise ValueError(f"options for what the system does not have: {sorted(unknown)}")
    p = params
    cell = CELLS[system.cell](p, **system.options.get(system.cell, {}))
    terms = make_terms(system, p)
    x = p["E_x"][list(source_ids)]
    h = cell.encode(x)
    s = cell.start(h)
    for term in terms:
        term.start(Sentence(list(source_ids), x, h))
    logits, weights, contexts, queries, states = [], [], [], [], [s]
    histories = {name: [list(term.state)] for name, term in zip(system.terms, terms, strict=True)}
    for previous in previous_ids:
        y = p["E_y"][previous]
        q = cell.query(y, s)
        alpha, c = cell.attend(q, h, terms)
        reads = sum(term.read(alpha) for term in terms)
        s_prev, s = s, cell.advance(y, s, q, c)
        for name, term in zip(system.terms, terms, strict=True):
            term.update(alpha, s_prev, q, s)
            histories[name].append(list(term.state))
        t = p["L_s"] @ cell.readout_state(s_prev, s) + p["L_y"] @ y + p["L_c"] @ c + reads + p["b_t"]
        logits.append(p["W_o"] @ READOUTS[system.readout](t) + p["b_o"])
        weights.append(alpha)
        contexts.append(c)
        queries.append(q)
        states.append(s)
    alphas = None if weights[0] is None else np.array(weights)
    kept = {name: np.array(history) for name, history in histories.items()}
    return Result(np.array(logits), alphas, np.array(contexts), np.array(queries), np.array(states), np.array(h), kept)


def log_likelihood(logits: np.ndarray, targets: Sequence[int]) -> complex | float:
    """sum_i log softmax(o_i)[y_i], natural log. logits (T, V), targets: y_1 … y_T."""
    total = 0.0
    for o, y in zip(logits, targets, strict=True):
        shift = o.real.max()
        total = total + (o[y] - shift) - np.log(np.exp(o - shift).sum())
    return total
