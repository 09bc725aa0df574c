"""The one loop: any cell with any terms, a sentence at a time."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from . import Params
from .cell import Cell
from .interface import Result, Sentence, System, Target
from .term import make_terms

CELLS = {  # name -> module here and class, where they are not some_cell and SomeCell
    "d1": ("rnnsearch", "RNNsearch"),
    "d2": ("rnnsearch_star", "RNNsearchStar"),
    "encdec": ("rnnencdec", "RNNencdec"),
    "interactive": ("interactive", "InteractiveAttention"),
    "gatt": ("gated", "GAtt"),
    "gatt_inv": ("gated", "GAttInv"),
    "dhea": ("decoding_history", "DHEA"),
    "luong_global_dot": ("luong", "LuongDot"),
    "luong_global_general": ("luong", "LuongGeneral"),
    "luong_global_concat": ("luong", "LuongConcat"),
    "luong_global_location": ("luong", "LuongLocation"),
    "luong_local_m": ("luong", "LuongLocalM"),
    "luong_local_p": ("luong", "LuongLocalP"),
}


def cell_class(name: str) -> type[Cell]:
    module, of_module = CELLS.get(name, (name, name.title().replace("_", "")))
    return getattr(import_module(f".{module}", __package__), of_module)


def has_cell(name: str) -> bool:
    """Whether there is a reference implementation of a whole mechanism of this name."""
    if name in CELLS:
        return True
    module = Path(__file__).with_name(f"{name}.py")
    return module.is_file() and issubclass(cell_class(name), Cell)


def run(
    system: System,
    params: Params,
    source_ids: Sequence[int],
    previous_ids: Sequence[int],
    target_ids: Sequence[int] | None = None,
    links: np.ndarray | None = None,
) -> Result:
    """source_ids: S tokens, eos included; previous_ids: y_0 … y_{T-1}, so eos first (fairseq's prev_output_tokens).

    target_ids: y_1 … y_T, eos last, for the losses; links (T, S): 0/1, the pair of the two eos included.
    Raises ValueError for options of what the system lacks, and where the target is not what was fed.
    """
    if unknown := set(system.options) - {system.cell, *system.terms}:
        raise ValueError(f"options for what the system does not have: {sorted(unknown)}")
    if target_ids is not None and list(target_ids[:-1]) != list(previous_ids[1:]):
        raise ValueError("previous_ids are not target_ids one step later")
    cell = cell_class(system.cell)(params, **system.options.get(system.cell, {}))
    terms = make_terms(system, params)
    x, E_y = params["E_x"][list(source_ids)], params["E_y"]
    h = cell.encode(x)
    for term in terms.values():
        h = [np.concatenate([h_j, behind]) for h_j, behind in zip(h, term.annotate(x), strict=True)]
    s = cell.start(h)
    for term in terms.values():
        term.start(Sentence(list(source_ids), x, h))
    histories = {name: [] for name, term in terms.items() if term.state}
    logits, weights, contexts, queries, states = [], [], [], [], [cell.hidden(s)]
    for i, previous in enumerate(previous_ids, 1):
        y = E_y[previous]
        if i > 1:
            for term in terms.values():
                term.observe(y)
        for name, history in histories.items():
            history.append(list(terms[name].state))
        for term in terms.values():
            term.prepare(i, cell.hidden(s))
        q = cell.query(y, s)
        alpha, c = cell.attend(q, h, list(terms.values()))
        reads = sum(term.read(alpha) for term in terms.values())
        entering = np.concatenate([c, *(term.extra(alpha) for term in terms.values())])
        candidate = sum(term.candidate(y, q, c) for term in terms.values())
        s_prev, s = s, cell.advance(y, s, q, entering, candidate)
        cell.update(alpha, c, s_prev, q, s)
        for term in terms.values():
            term.update(alpha, c, cell.hidden(s_prev), q, cell.hidden(s))
        t = cell.features(system.readout, s_prev, s, y, c, reads)
        if "W_low" in params:  # GroundHog's factor of the output matrix
            t = params["W_low"] @ t
        logits.append(params["W_o"] @ t + params["b_o"])
        weights.append(alpha)
        contexts.append(c)
        queries.append(q)
        states.append(cell.hidden(s))
    if target_ids is not None:
        for term in terms.values():
            term.observe(E_y[target_ids[-1]])
    for name, history in histories.items():
        history.append(list(terms[name].state))
    alphas = None if weights[0] is None else np.array(weights)
    losses = {}
    if target_ids is not None:
        target = Target(E_y[list(target_ids)], alphas, links)
        losses = {name: loss for name, term in terms.items() if (loss := term.loss(target)) is not None}
    return Result(
        np.array(logits),
        alphas,
        np.array(contexts),
        np.array(queries),
        np.array(states),
        np.array(h),
        {name: np.array(history) for name, history in histories.items()},
        losses,
    )


def log_likelihood(logits: np.ndarray, targets: Sequence[int]) -> complex | float:
    """sum_i log softmax(o_i)[y_i], natural log. logits (T, V), targets: y_1 … y_T."""
    total = 0.0
    for o, y in zip(logits, targets, strict=True):
        shift = o.real.max()
        total = total + (o[y] - shift) - np.log(np.exp(o - shift).sum())
    return total
