"""The sizes that systems are measured at."""

from typing import NamedTuple

from stages.settings.training import ModelSizes


class Size(NamedTuple):
    """Sentences of equal length, eos included, and the widths of the model; symbols as in the papers.

    E = H = A = R = D, where D is the width of a history state; the widths below are those of the papers' code.

    Attributes:
        baselines: whether the unoptimised baselines are measured too; they take long.
        decoded: how many sentences are translated.
        everything: all systems are measured, and translate; at the other sizes one of each kind, which only trains.
    """

    name: str
    B: int
    S: int
    T: int
    H: int
    V: int
    coverage: int = 100
    covemb: int = 100
    recurrent: int = 100
    baselines: bool = False
    decoded: int = 16
    everything: bool = False

    @property
    def C(self) -> int:
        """Width of a bidirectional annotation."""
        return 2 * self.H

    def model_sizes(self) -> ModelSizes:
        """As settings of params.yaml; dropout as in Xue et al. 2019, on the readout alone."""
        return ModelSizes(
            embed_dim=self.H, hidden_dim=self.H, attention_dim=None, readout_dim=None, history_dim=None,
            coverage_dim=self.coverage, covemb_dim=self.covemb, recurrent_attention_dim=self.recurrent,
            embed_dropout=0, annotation_dropout=0, readout_dropout=READOUT_DROPOUT, init_range=0.1,
        )  # fmt: skip


READOUT_DROPOUT = 0.2
VOCABULARY = 16_000  # Xue et al. 2019: BPE of 16,000 merges
FULL = (
    Size("H512-S15", 120, 15, 15, 512, VOCABULARY, baselines=True, everything=True),
    Size("H512-S30", 80, 30, 30, 512, VOCABULARY),
    Size("H256-S15", 120, 15, 15, 256, VOCABULARY),
    Size("H256-S30", 80, 30, 30, 256, VOCABULARY),
)
SMOKE = (Size("smoke", 3, 5, 4, 16, 40, 3, 5, 6, baselines=True, decoded=2, everything=True),)
