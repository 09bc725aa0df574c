"""From a model's weights and options to those of its reference implementation: the one place that knows both names."""

import dataclasses
import re
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fairseq_plugins.core.additive import AdditiveAttention
from fairseq_plugins.core.cells.conditional import ConditionalGRU
from fairseq_plugins.core.cells.gated import GatedUnit
from fairseq_plugins.core.readout import Readout
from fairseq_plugins.models.cohn_agreement import CohnAgreement
from tests.helpers.support import Batch, Subject
from tests.helpers.variations import mechanism
from tests.naive import Params
from tests.naive.agreement import agreement
from tests.naive.interface import System
from tests.naive.system import cell_class, run

RULES = {  # parameter of a model -> symbol of its paper; a term's own names stay unless a rule says otherwise
    r"encoder\.embed_tokens\.weight": "E_x",
    r"encoder\.rnn\.weight_ih_l(\d)(_reverse)?": r"enc_\1.W",
    r"encoder\.rnn\.weight_hh_l(\d)(_reverse)?": r"enc_\1.U",
    r"encoder\.rnn\.bias_ih_l(\d)(_reverse)?": r"enc_\1.b",
    r"encoder\.rnn\.bias_hh_l(\d)(_reverse)?": r"enc_\1.b_U",
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
    r"decoder\.cell\.layers\.(\d)\.([WUb])": r"dec_\1.\2",
    r"decoder\.cell\.W_feed": "dec_0.W",
    r"decoder\.cell\.([A-Z]_[a-z])\.weight": r"\1",
    r"decoder\.(cell|readout)\.attentional\.W_c\.weight": "W_c",
    r"decoder\.attention\.U_a\.bias": "b_a",
    r"decoder\.attention\.(gru\.[WUb])": r"\1",
    r"decoder\.attention\.([A-Za-z]_?[A-Za-z]*)(\.weight)?": r"\1",
    r"decoder\.attention\.terms\.source_history\.V\.weight": "source_history.V_h",
    r"decoder\.attention\.terms\.target_history\.V\.weight": "target_history.V_s",
    r"decoder\.attention\.terms\.(\w+\.[\w.]+?)(\.weight)?": r"\1",
    r"decoder\.readout\.(L_[syc])\.weight": r"\1",
    r"decoder\.readout\.L_reads\.(\w+)\.weight": r"\1.L",
    r"decoder\.readout\.b": "b_t",
    r"decoder\.W_l\.weight": "W_low",
    r"decoder\.W_o\.weight": "W_o",
    r"decoder\.W_o\.bias": "b_o",
}
JOINED = {"gru.U": 0, "dec_0.W": 1}  # symbols of several parameters: below one another, or side by side in this order
SIDE_BY_SIDE = ("decoder.cell.layers.0.W", "decoder.cell.W_feed")  # dec_0.W acts on [E_y ; a~]
FIXED_CONTEXT = {"W_s": "V_prime", "b_s": "b_V_prime"}  # s_0 = tanh(V' c) where D1 has s_0 = tanh(W_s hb_1)
REVERSE = "reverse."  # the model of the other direction, here and there
NOT_OF_THE_LOOP = (
    "terms",
    "base",
    "candidate_frequent",
    "candidate_translations",
    "candidate_table",
    "agreement_gamma",
)


def symbol(subject: Subject, name: str) -> str:
    """What the reference implementations call the parameter ``name``. Raises LookupError where no rule covers it."""
    if name.startswith(REVERSE):
        return REVERSE + symbol(subject, name.removeprefix(REVERSE))
    for pattern, replacement in RULES.items():
        if match := re.fullmatch(pattern, name):
            found = match.expand(replacement)
            if found.startswith("enc_") and isinstance(subject.model.encoder.rnn, torch.nn.GRU):
                found = found.replace("enc_0", "enc_b" if name.endswith("_reverse") else "enc_f")
            return FIXED_CONTEXT.get(found, found) if _cell(subject) == "encdec" else found
    raise LookupError(f"no rule of tests/helpers/binding.py covers the parameter {name}")


def symbols(subject: Subject) -> dict[str, list[str]]:
    """Symbol -> the parameters that it stands for, together all of the model's.

    Raises ValueError when parameters share a symbol that is not JOINED.
    """
    found: dict[str, list[str]] = {}
    for name, _ in subject.model.named_parameters():
        found.setdefault(symbol(subject, name), []).append(name)
    if shared := [to for to, names in found.items() if len(names) > 1 and to not in JOINED]:
        raise ValueError(f"several parameters are called {', '.join(shared)}")
    if "decoder.cell.W_feed" in found.get("dec_0.W", ()):
        found["dec_0.W"] = [*SIDE_BY_SIDE]
    return found


def parameters(subject: Subject) -> Params:
    """Copies of all parameters, under the names of the reference implementations."""
    tensors = dict(subject.model.named_parameters())
    return {to: _join(to, [tensors[name].detach() for name in names]) for to, names in symbols(subject).items()}


def gradients(subject: Subject, objective: Tensor) -> Params:
    """d objective / d parameter by the reference implementations' names; 0 where a parameter does not enter."""
    subject.model.zero_grad()
    objective.backward()
    tensors = dict(subject.model.named_parameters())
    grads = {name: torch.zeros_like(value) if value.grad is None else value.grad for name, value in tensors.items()}
    return {to: _join(to, [grads[name] for name in names]) for to, names in symbols(subject).items()}


def _join(to: str, tensors: list[Tensor]) -> np.ndarray:
    return torch.cat(tensors, JOINED.get(to, 0)).numpy()


def system(subject: Subject) -> System:
    """The reference implementation that this model has to equal. An option has the same name in both."""
    cell, decoder = _cell(subject), subject.model.decoder
    terms = dict(decoder.attention.terms) if isinstance(decoder.attention, AdditiveAttention) else {}
    options = {cell: _options(subject, subject.model.own_options)}
    options |= {name: _options(subject, (term.Options,)) for name, term in terms.items()}
    readout = decoder.readout.kind if isinstance(decoder.readout, Readout) else "tanh"
    return System(cell, tuple(terms), readout, {name: own for name, own in options.items() if own})


def sums_to_one(subject: Subject) -> bool:
    """Whether the weights of a target word do, as the reference implementation says; at most one otherwise."""
    found = system(subject)
    return cell_class(found.cell)(parameters(subject), **found.options.get(found.cell, {})).sums_to_one


def losses(subject: Subject, params: Params, sentence: Batch, links: np.ndarray | None) -> dict[str, complex | float]:
    """The reference of every auxiliary loss on one sentence pair, by the model's names. links (T, S)."""
    source, target = sentence.source[0].tolist(), sentence.target[0].tolist()
    if isinstance(subject.model, CohnAgreement):
        gamma = subject.args.agreement_gamma
        found = agreement(system(subject), params, source, target)
        return {"reverse": found.reverse, "agreement": -(1.0 if gamma is None else gamma) * found.bonus}
    return run(system(subject), params, source, sentence.previous[0].tolist(), target, links).losses


def _cell(subject: Subject) -> str:
    """The reference implementation of the recurrence with its attention."""
    decoder = subject.model.decoder
    bases = {ConditionalGRU: "d2", GatedUnit: "d1"}
    if isinstance(decoder.attention, AdditiveAttention) and type(decoder.cell) in bases:
        return bases[type(decoder.cell)]
    name = mechanism(subject.args.arch)
    if name is None:
        raise LookupError(f"tests/naive has no reference implementation of {subject.args.arch}")
    return name


def _options(subject: Subject, kinds: tuple[type, ...]) -> dict[str, Any]:
    """The options of ``kinds`` that say more than a size."""
    fields = [field for kind in kinds for field in dataclasses.fields(kind)]
    fields = [field for field in fields if not field.name.endswith("_dim") and field.name not in NOT_OF_THE_LOOP]
    given = {field: getattr(subject.args, field.name) for field in fields}
    return {field.name: field.default if value is None else value for field, value in given.items()}


def directions(params: Params, seed: int) -> Params:
    """A random direction in every parameter tensor."""
    random = np.random.default_rng(seed)
    return {name: random.normal(size=array.shape) for name, array in params.items()}
