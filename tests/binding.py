"""From a model's weights and options to the naive truths' flat dictionary: the one place that knows both names."""

import dataclasses
import re

import numpy as np
import torch
from naive import Params
from naive.interface import System
from support import Subject
from torch import Tensor

from fairseq_plugins.core.cells.conditional import ConditionalGRU
from fairseq_plugins.core.cells.gated import GatedUnit
from fairseq_plugins.core.fixed_context import FixedContext

RULES = {  # parameter of a model -> symbol of its paper; a term's own names stay unless a rule says otherwise
    r"encoder\.embed_tokens\.weight": "E_x",
    r"encoder\.rnn\.weight_ih_l0(_reverse)?": "enc.W",
    r"encoder\.rnn\.weight_hh_l0(_reverse)?": "enc.U",
    r"encoder\.rnn\.bias_ih_l0(_reverse)?": "enc.b",
    r"encoder\.rnn\.bias_hh_l0(_reverse)?": "enc.b_U",
    r"encoder\.V\.weight": "V",
    r"encoder\.V\.bias": "b_V",
    r"decoder\.embed_tokens\.weight": "E_y",
    r"decoder\.cell\.W_init\.weight": "W_init",
    r"decoder\.cell\.W_init\.bias": "b_init",
    r"decoder\.cell\.W_s\.weight": "W_s",
    r"decoder\.cell\.W_s\.bias": "b_s",
    r"decoder\.cell\.(gru_[12]\.[WUb])": r"\1",
    r"decoder\.cell\.([WUCb])": r"gru.\1",
    r"decoder\.cell\.U_n": "gru.U",
    r"decoder\.attention\.([WU]_a)\.weight": r"\1",
    r"decoder\.attention\.U_a\.bias": "b_a",
    r"decoder\.attention\.v": "v",
    r"decoder\.attention\.terms\.source_history\.V\.weight": "source_history.V_h",
    r"decoder\.attention\.terms\.target_history\.V\.weight": "target_history.V_s",
    r"decoder\.attention\.terms\.(\w+\.[\w.]+?)(\.weight)?": r"\1",
    r"decoder\.readout\.(L_[syc])\.weight": r"\1",
    r"decoder\.readout\.L_reads\.(\w+)\.weight": r"\1.L",
    r"decoder\.readout\.b": "b_t",
    r"decoder\.W_o\.weight": "W_o",
    r"decoder\.W_o\.bias": "b_o",
}
STACKED = {"gru.U"}  # symbols of several parameters, one below the other
FIXED_CONTEXT = {"W_s": "V_prime", "b_s": "b_V_prime"}  # s_0 = tanh(V' c) where D1 has s_0 = tanh(W_s hb_1)


def symbol(subject: Subject, name: str) -> str:
    """What the truths call the parameter ``name`` of the model. Raises LookupError for one that no rule covers."""
    for pattern, replacement in RULES.items():
        if match := re.fullmatch(pattern, name):
            found = match.expand(replacement)
            found = found.replace("enc.", "enc_b." if name.endswith("_reverse") else "enc_f.")
            return FIXED_CONTEXT.get(found, found) if _has_fixed_context(subject) else found
    raise LookupError(f"no rule of tests/binding.py covers the parameter {name}")


def symbols(subject: Subject) -> dict[str, list[str]]:
    """Symbol -> the parameters that it stands for, together all of the model's.

    Raises ValueError when parameters share a symbol that is not STACKED.
    """
    found: dict[str, list[str]] = {}
    for name, _ in subject.model.named_parameters():
        found.setdefault(symbol(subject, name), []).append(name)
    if shared := [to for to, names in found.items() if len(names) > 1 and to not in STACKED]:
        raise ValueError(f"several parameters are called {', '.join(shared)}")
    return found


def parameters(subject: Subject) -> Params:
    """Copies of all parameters, under the names of the truths."""
    tensors = dict(subject.model.named_parameters())
    return {to: torch.cat([tensors[name] for name in names]).detach().numpy() for to, names in symbols(subject).items()}


def gradients(subject: Subject, objective: Tensor) -> Params:
    """d objective / d parameter for every parameter, under the names of the truths."""
    subject.model.zero_grad()
    objective.backward()
    tensors = dict(subject.model.named_parameters())
    return {to: torch.cat([tensors[name].grad for name in names]).numpy() for to, names in symbols(subject).items()}


def system(subject: Subject) -> System:
    """The truth that this model has to equal.

    An option ``<arch>_<name>`` is the argument ``name`` of the naive cell, ``<term>_<name>`` that of the naive term.
    """
    decoder = subject.model.decoder
    cell = "encdec" if _has_fixed_context(subject) else {ConditionalGRU: "d2", GatedUnit: "d1"}[type(decoder.cell)]
    terms = {} if _has_fixed_context(subject) else dict(decoder.attention.terms)
    options = {cell: _options(subject, subject.model.own_options, subject.args.arch)}
    options |= {name: _options(subject, (term.Options,), name) for name, term in terms.items()}
    return System(cell, tuple(terms), decoder.readout.kind, {name: own for name, own in options.items() if own})


def _options(subject: Subject, kinds: tuple[type, ...], prefix: str) -> dict[str, str]:
    """The options of ``kinds`` that choose an equation (not a size): those whose name begins with ``prefix``."""
    fields = [field for kind in kinds for field in dataclasses.fields(kind) if field.name.startswith(f"{prefix}_")]
    given = {field: getattr(subject.args, field.name) for field in fields}
    return {
        field.name.removeprefix(f"{prefix}_"): field.default if value is None else value
        for field, value in given.items()
    }


def _has_fixed_context(subject: Subject) -> bool:
    return isinstance(subject.model.decoder.attention, FixedContext)


def directions(params: Params, seed: int) -> Params:
    """A random direction in every parameter tensor."""
    random = np.random.default_rng(seed)
    return {name: random.normal(size=array.shape) for name, array in params.items()}
