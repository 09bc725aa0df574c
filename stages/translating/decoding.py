"""Translation and forced decoding with a trained system: sentences of pieces in, pieces with soft attention out.

Any fairseq model with an encoder, an incremental decoder and ``attn`` in its output will do, so the recurrent systems
and fairseq's own Transformer go the same way.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import torch
from tqdm import tqdm

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.errors import InputError
from stages.settings.training import Decoding
from stages.text.symbols import END
from stages.translating.beam import LimitedBeam, LimitedGenerator, most_pieces
from stages.translating.penalties import Penalties, Scored, ranked
from stages.translating.precision import decoding_products

from fairseq.data import Dictionary, data_utils
from fairseq.models import FairseqEncoderDecoderModel

WIDEST = 16
"""A forced batch has at most so many times ``max_tokens`` target pieces: one long reference widens all its rows."""


class Decoded(NamedTuple):
    """One decoded sentence, in pieces; eos ends the source always, the target unless the length limit cut it off.

    attention: (T, S) weights while predicting piece i, or None for a system that does not attend.
    score: natural log probability; of a search, divided by length ** length_penalty, or what its ``Control`` makes of
    it.
    positional: T natural log probabilities.
    """

    source: list[str]
    target: list[str]
    attention: torch.Tensor | None
    score: float
    positional: list[float]
    finished: bool


class Searched(NamedTuple):
    """What beam search found; unk_competed: whether <unk> was ever among the candidates that it kept.

    others: the next best hypotheses, from the best on, as many as were asked for.
    """

    translation: Decoded
    unk_competed: bool
    others: tuple[Decoded, ...] = ()


class Finished(NamedTuple):
    """A hypothesis of a search, and what it is ranked by."""

    decoded: Decoded
    scored: Scored


class System(NamedTuple):
    """A model ready to decode, with its dictionaries, and the others of an ensemble, which share these."""

    model: FairseqEncoderDecoderModel
    source_dictionary: Dictionary
    target_dictionary: Dictionary
    others: tuple[FairseqEncoderDecoderModel, ...] = ()

    @property
    def models(self) -> tuple[FairseqEncoderDecoderModel, ...]:
        return (self.model, *self.others)


class Control(NamedTuple):
    """What a search does beside that of its corpus; by default nothing.

    alpha, beta: length and coverage penalty of GNMT (``stages.translating.penalties``); 0: none.
    no_repeat_ngram: of how many pieces in a row no hypothesis may have the same twice; at least 2, or 0: it may.
    """

    alpha: float = 0.0
    beta: float = 0.0
    no_repeat_ngram: int = 0

    @property
    def ranks(self) -> bool:
        """Whether hypotheses are ranked otherwise."""
        return bool(self.alpha or self.beta)


NO_CONTROL = Control()


def translate(
    system: System, sentences: Sequence[Sequence[str]], decoding: Decoding, progress: str | None,
    control: Control = NO_CONTROL,
) -> list[Decoded]:  # fmt: skip
    """Beam search, one translation a sentence, in the order given.

    Args:
        sentences: pieces, without eos.
        progress: title of a progress bar, or None for none.
    """
    return [one.translation for one in search(system, sentences, decoding, progress, control=control)]


def search(
    system: System, sentences: Sequence[Sequence[str]], decoding: Decoding, progress: str | None,
    unk_penalty: float = 0.0, best: int = 1, control: Control = NO_CONTROL,
) -> list[Searched]:  # fmt: skip
    """As ``translate``, with what it says about <unk>, from whose log probability ``unk_penalty`` is subtracted.

    best: how many hypotheses of a sentence are wanted, at most as many as the beam is wide.
    """
    results: dict[int, Searched] = {}
    wanted = None if control.ranks else best
    for row, hypotheses, competed in finished(system, sentences, decoding, progress, unk_penalty, control, wanted):
        first, *others = rank(hypotheses, control, decoding)[:best]
        results[row] = Searched(first, competed, tuple(others))
    return [results[row] for row in range(len(sentences))]


def rank(hypotheses: list[Finished], control: Control, decoding: Decoding) -> list[Decoded]:
    """A sentence's hypotheses, the best first and with their scores; as fairseq ranks them if the control does not.

    Raises:
        InputError: the coverage of a system without attention is asked for.
    """
    if not control.ranks:
        return [one.decoded for one in hypotheses]
    if control.beta and any(one.scored.attention is None for one in hypotheses):
        raise InputError(
            "coverage_penalty is for systems that attend, which this one does not; take it off in params.yaml"
        )
    penalties = Penalties(control.alpha, control.beta, decoding.length_penalty)
    found = ranked(hypotheses, [one.scored for one in hypotheses], penalties)
    return [one.decoded._replace(score=score) for one, score in found]


def finished(
    system: System, sentences: Sequence[Sequence[str]], decoding: Decoding, progress: str | None, unk_penalty: float,
    control: Control, best: int | None = None,
) -> Iterator[tuple[int, list[Finished], bool]]:  # fmt: skip
    """Of each row what the search has finished, fairseq's best first, and whether <unk> competed; in any order.

    best: how many of them, for a search whose order stays fairseq's; None: all.
    """
    dictionary, device = system.target_dictionary, next(system.model.parameters()).device
    limits = [most_pieces(decoding, len(sentence), system.model) for sentence in sentences]
    beam = LimitedBeam(dictionary, torch.tensor(limits, device=device))
    generator = LimitedGenerator(system.models, decoding, beam, unk_penalty, dictionary, control.no_repeat_ngram)
    for rows, tokens, lengths in _batches(system, sentences, decoding.max_tokens, progress):
        batch = {"id": tokens.new_tensor(rows), "net_input": {"src_tokens": tokens, "src_lengths": lengths}}
        with torch.inference_mode(), decoding_products(decoding):
            found = generator.generate(system.models, batch)
        for row, hypotheses in zip(rows, found, strict=True):
            found_of_row = [_hypothesis(system, sentences[row], one, limits[row]) for one in hypotheses[:best]]
            yield row, found_of_row, row in beam.competed


def without_unk(
    system: System, searched: Sequence[Searched], decoding: Decoding, progress: str | None,
    control: Control = NO_CONTROL,
) -> list[Decoded]:  # fmt: skip
    """The same sentences translated with <unk> forbidden (Bahdanau et al. 2015, Table 1, No UNK).

    Forbidden: log p(<unk>) = -inf, the other words keep theirs, as in the authors' code (GroundHog). The search sees a
    step's best candidates and nothing else of it, so where <unk> was none of them the translation is found already;
    only the other sentences are searched again.
    """
    rows = [row for row, one in enumerate(searched) if one.unk_competed]
    sentences = [searched[row].translation.source[:-1] for row in rows]
    found = search(system, sentences, decoding, progress, unk_penalty=math.inf, control=control)
    again = dict(zip(rows, found, strict=True))
    return [again[row].translation if row in again else one.translation for row, one in enumerate(searched)]


def force(
    system: System, sentences: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_tokens: int,
    progress: str | None,
) -> list[Decoded]:  # fmt: skip
    """Forced decoding: the attention and probabilities of given translations, in the order given.

    Probabilities are over the whole vocabulary, those of a system with candidate lists too.
    """
    results: dict[int, Decoded] = {}
    for batch in forced_batches(system, sentences, references, max_tokens, progress):
        with torch.inference_mode():
            each = [_teacher_forced(model, batch) for model in system.models]
            log_probabilities, attention = each[0] if len(each) == 1 else _mean(each)
        for k, (row, target) in enumerate(zip(batch.rows, batch.targets, strict=True)):
            positional = log_probabilities[k, : len(target)]
            weights = None if attention is None else attention[k, : len(target), : int(batch.lengths[k])].float().cpu()
            results[row] = Decoded(
                [*sentences[row], END], [*references[row], END], weights,
                float(positional.sum()), positional.tolist(), True,
            )  # fmt: skip
    return [results[row] for row in range(len(sentences))]


class ForcedBatch(NamedTuple):
    """rows: of the sentences; tokens ``(B, S)`` and lengths ``(B,)``: their sources; targets: ids with eos, on the CPU;
    previous: the same as fairseq shifts them, ``(B, T)``."""

    rows: list[int]
    tokens: torch.Tensor
    lengths: torch.Tensor
    targets: list[torch.Tensor]
    previous: torch.Tensor


def forced_batches(
    system: System, sentences: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_tokens: int,
    progress: str | None,
) -> Iterator[ForcedBatch]:  # fmt: skip
    """Sentences with given translations, in batches on the system's device and in any order."""
    dictionary = system.target_dictionary
    for rows, tokens, lengths in _batches(system, sentences, max_tokens, progress):
        encoded = [_encode(dictionary, references[row]) for row in rows]
        size = max(1, WIDEST * max_tokens // max(map(len, encoded)))
        for part in (slice(first, first + size) for first in range(0, len(rows), size)):
            targets = encoded[part]
            previous = data_utils.collate_tokens(
                targets, dictionary.pad(), dictionary.eos(), move_eos_to_beginning=True
            )
            part_lengths = lengths[part]
            sources = tokens[part, : int(part_lengths.max())]
            yield ForcedBatch(rows[part], sources, part_lengths, targets, previous.to(tokens.device))


def _teacher_forced(model: FairseqEncoderDecoderModel, batch: ForcedBatch) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Natural log probabilities of the targets ``(B, T)``, on the CPU, and attention ``(B, T, S)`` of a system that
    attends."""
    with all_words(model):
        output, extra = model(batch.tokens, batch.lengths, batch.previous)
    attention = extra["attn"][0] if extra["attn"] and extra["attn"][0] is not None else None
    found = output.new_zeros(output.shape[:2], dtype=torch.float32)
    for k, target in enumerate(batch.targets):  # row by row: over all words they are the largest tensors that there are
        wanted = target.to(output.device).unsqueeze(1)
        found[k, : len(target)] = output[k, : len(target)].float().log_softmax(-1).gather(1, wanted).squeeze(1)
    return found.cpu(), attention


def _mean(
    each: Sequence[tuple[torch.Tensor, torch.Tensor | None]],
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Of probabilities and attention, as fairseq's search takes it."""
    log_probabilities, attention = zip(*each, strict=True)
    mean = torch.stack(log_probabilities).logsumexp(0) - math.log(len(each))
    return mean, None if attention[0] is None else torch.stack(attention).mean(0)


@contextmanager
def all_words(model: FairseqEncoderDecoderModel) -> Iterator[None]:
    """While it is open, the softmax covers the whole vocabulary, also where candidate lists restrict it.

    A probability over some words and the reference's own compares with none over all words.
    """
    candidates = getattr(model.decoder, "candidates", None)
    if candidates is not None:
        model.decoder.candidates = None
    try:
        yield
    finally:
        if candidates is not None:
            model.decoder.candidates = candidates


def _hypothesis(system: System, source: Sequence[str], found: dict, limit: int) -> Finished:
    """fairseq closes every hypothesis with eos, also one that reached the limit: that eos was nobody's choice.

    What ranks them counts it, as fairseq's own score does.
    """
    tokens, positional = found["tokens"].tolist(), found["positional_scores"].tolist()
    finished = len(tokens) <= limit
    length = len(tokens) if finished else len(tokens) - 1
    pieces = [_piece(system.target_dictionary, token) for token in tokens[:length]]
    attention = found["attention"].T[:, : len(source) + 1].float().cpu() if found["attention"].numel() else None
    scored = Scored(sum(positional), len(tokens), attention)
    cut = None if attention is None else attention[:length]
    decoded = Decoded([*source, END], pieces, cut, float(found["score"]), positional[:length], finished)
    return Finished(decoded, scored)


def _piece(dictionary: Dictionary, token: int) -> str:
    return END if token == dictionary.eos() else dictionary[token]


def _encode(dictionary: Dictionary, pieces: Sequence[str]) -> torch.Tensor:
    return torch.tensor([*map(dictionary.index, pieces), dictionary.eos()])


def _batches(
    system: System, sentences: Sequence[Sequence[str]], max_tokens: int, progress: str | None
) -> Iterator[tuple[list[int], torch.Tensor, torch.Tensor]]:
    """Rows, right-padded token ids ``(B, S)`` and lengths ``(B,)``, sentences of similar length together."""
    dictionary, device = system.source_dictionary, next(system.model.parameters()).device
    order = sorted(range(len(sentences)), key=lambda row: (-len(sentences[row]), row))
    hidden = progress is None or not sentences
    bar = tqdm(total=len(sentences), desc=progress, disable=hidden, unit="sentence", mininterval=5)
    while order:
        size = max(1, max_tokens // (len(sentences[order[0]]) + 1))  # of rows as wide as the longest
        rows, order = order[:size], order[size:]
        encoded = [_encode(dictionary, sentences[row]) for row in rows]
        tokens = data_utils.collate_tokens(encoded, dictionary.pad(), left_pad=False)
        yield rows, tokens.to(device), torch.tensor([len(one) for one in encoded], device=device)
        bar.update(len(rows))
    bar.close()
