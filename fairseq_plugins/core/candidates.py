"""Candidate lists: the softmax covers the words that can translate this sentence (Jean et al. 2015; Mi et al. 2016)."""

from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, chain
from pathlib import Path

import torch
from torch import Tensor, nn

from fairseq.data import Dictionary

Ngram = tuple[int, ...]


class CandidateLists(nn.Module):
    """V'(x) = the K most frequent target words, and the candidates of every source n-gram of x that the table has.

    Mi et al. 2016: K = 2000, the ten best of a lexicon for each word and of a phrase table for each phrase of up to
    four words. The special symbols (eos, unk; also bos and pad, which nothing generates) are always in V'(x), so that
    V' = V is the full softmax. ``always`` (V,) is true for them and for the K words.

    The table is a trie of source n-grams in breadth-first order. Its nodes are numbered from 1, the root is 0: ``keys``
    (N,) holds parent * |V_x| + last token of each node, which that order sorts; the candidates of node k are
    ``tokens[starts[k - 1] : starts[k]]``. All four lie in the checkpoint, and loading one brings them back in its
    sizes.
    """

    always: Tensor
    keys: Tensor
    starts: Tensor
    tokens: Tensor

    def __init__(
        self, table: Mapping[Ngram, Sequence[int]], source_types: int, target_types: int, always: Collection[int]
    ):
        """``table``: source n-gram -> candidates, both as ids; ``always``: the ids that V'(x) always has."""
        super().__init__()
        self.source_types = source_types
        prefixes = {ngram[:length] for ngram in table for length in range(1, len(ngram) + 1)}
        nodes = sorted(prefixes, key=lambda ngram: (len(ngram), ngram))
        number = {(): 0} | {ngram: k for k, ngram in enumerate(nodes, start=1)}
        keys = [number[ngram[:-1]] * source_types + ngram[-1] for ngram in nodes]
        candidates = [table.get(ngram, ()) for ngram in nodes]
        chosen = set(always)
        self.register_buffer("always", torch.tensor([word in chosen for word in range(target_types)], dtype=torch.bool))
        self.register_buffer("keys", torch.tensor(keys, dtype=torch.int64))
        self.register_buffer("starts", torch.tensor([0, *accumulate(map(len, candidates))], dtype=torch.int64))
        self.register_buffer("tokens", torch.tensor([*chain.from_iterable(candidates)], dtype=torch.int32))

    def forward(self, ids: Tensor, words: Tensor) -> Tensor:
        """True for each word that the softmax covers ``(B, V)``: V'(x) of ``ids (B, S)``, and ``words (B, T)``.

        In training ``words`` are the reference's (Mi et al. 2016); so they are wherever a translation is given, or its
        perplexity would be infinite.
        """
        allowed = self.always.repeat(len(ids), 1)
        allowed.scatter_(1, words, True)
        rows, tokens = self._translations(ids)
        allowed[rows, tokens] = True
        return allowed

    def _translations(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """-> (rows ``(M,)``, the candidates there ``(M,)``) for all n-grams of all sentences, with repetitions."""
        rows, nodes = [], []
        node = torch.zeros_like(ids)  # of the n-gram that starts at each position; -1: the table has none
        for length in range(ids.shape[1]):
            node = self._child(node[:, : ids.shape[1] - length], ids[:, length:])
            row, position = (node >= 0).nonzero(as_tuple=True)
            if not len(row):
                break
            rows.append(row)
            nodes.append(node[row, position])
        if not rows:
            return ids.new_empty(0), ids.new_empty(0)
        row, node = torch.cat(rows), torch.cat(nodes)
        first, counts = self.starts[node - 1], self.starts[node] - self.starts[node - 1]
        before = counts.cumsum(0) - counts
        places = (first - before).repeat_interleave(counts) + torch.arange(int(counts.sum()), device=ids.device)
        return row.repeat_interleave(counts), self.tokens[places].long()

    def _child(self, node: Tensor, token: Tensor) -> Tensor:
        """The nodes below ``node`` along ``token``, -1 where there is none."""
        if not len(self.keys):
            return torch.full_like(node, -1)
        key = node * self.source_types + token  # negative below -1, as no key is
        place = torch.searchsorted(self.keys, key).clamp(max=len(self.keys) - 1)
        return torch.where(self.keys[place] == key, place + 1, -1)

    def _load_from_state_dict(self, state_dict: dict[str, Tensor], prefix: str, *arguments) -> None:
        for name, buffer in list(self.named_buffers()):
            if prefix + name in state_dict:
                setattr(self, name, torch.empty_like(state_dict[prefix + name], device=buffer.device))
        super()._load_from_state_dict(state_dict, prefix, *arguments)


def read_table(path: Path, source: Dictionary, target: Dictionary, most: int) -> dict[Ngram, list[int]]:
    """The file of the candidates stage, as ids: a source n-gram, a tab, its target words from the best on.

    A second ranking of words may follow after another tab. N-grams and words that a dictionary lacks are left out, and
    of the others all but the first ``most`` of each ranking. The n-gram of no word has one of all target words, the
    most frequent first.

    Raises:
        ValueError: the file is missing, a line is malformed, or an n-gram stands twice; names path and line.
    """
    table: dict[Ngram, list[int]] = {}
    try:
        with path.open(encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                left, *right = line.removesuffix("\n").split("\t")
                columns = [left.split(" ") if left else [], *(column.split(" ") for column in right)]
                if len(columns) not in (2, 3) or any("" in column for column in columns):
                    raise ValueError(f"line {number} is no n-gram, tab and candidates")
                ngram = tuple(map(source.index, columns[0]))
                if ngram in table:
                    raise ValueError(f"line {number}: {left!r} stands twice")
                if all(token >= source.nspecial for token in ngram):
                    rankings = (_known(words, target)[: most if ngram else None] for words in columns[1:])
                    table[ngram] = [*dict.fromkeys(chain.from_iterable(rankings))]
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: no table of candidates ({error}); run the candidates stage again") from None
    return table


def _known(words: Sequence[str], target: Dictionary) -> list[int]:
    return [word for word in map(target.index, words) if word >= target.nspecial]
