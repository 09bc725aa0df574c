"""Settings of model sizes, training and decoding."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictBool, ValidationInfo, field_validator

from stages.settings.names import shown
from stages.settings.numbers import Share, Threads, Width, real, whole
from stages.settings.optimizers import Optimizer
from stages.settings.params import Name, Settings

Epochs = Annotated[int, whole(1, 1_000_000)]
Pieces = Annotated[int, whole(1, 10**9)]
Beam = Annotated[int, whole(1, 1000)]
Supervision = Literal["links", "candidates", "links_and_candidates"]

AUTO = "auto"
"""Says that the machine which trains is to choose, see `stages.training.device`."""
WITHOUT_GPU: dict[str, Any] = {"precision": "fp32", "max_tokens": 1000, "length_multiple": 1, "cuda_graphs": False}
"""Settings that may be `auto`, and what they are then without a GPU."""


class ModelSizes(Settings, extra="allow"):
    """``corpora.<name>.model``: sizes that every recurrent system on this corpus shares (symbols of the papers).

    Beside these it may hold any width that some architecture has as an option, all of which end in ``_dim``; a width
    that is not here is the architecture's own. `stages.training.check` knows which widths there are.
    """

    __pydantic_extra__: dict[Annotated[str, Field(pattern=r"_dim$")], Width | None]
    embed_dim: Width
    hidden_dim: Width
    attention_dim: Width | None
    readout_dim: Width | None
    embed_dropout: Share
    annotation_dropout: Share
    readout_dropout: Share
    init_range: Annotated[float, real(gt=0, le=10)]

    @classmethod
    def has(cls, name: str) -> bool:
        """Whether an option of this name is one of these sizes."""
        return name in cls.model_fields or name.endswith("_dim")

    def further(self) -> dict[str, int | None]:
        """The widths that only some architectures have."""
        return dict(self.model_extra or {})


class Training(Settings):
    """``corpora.<name>.training``, after a variant's own ``training`` has overridden what it names.

    What has no effect beside the rest is refused; checks read fields that stand above their own. What is `auto` has
    been chosen already, or is what a CPU has.
    """

    max_epoch: Epochs
    max_length: Annotated[Pieces | None, Field(description="train pairs with more pieces on a side are left out")]
    patience: Annotated[
        int, whole(0, 1_000_000), Field(description="epochs without a better dev BLEU before stopping; 0: never")
    ]
    max_tokens: Annotated[Pieces | None, Field(description="room of a batch, sentences times the longest; null: any")]
    max_sentences: Annotated[
        Annotated[int, whole(1, 10**6)] | None, Field(description="sentences of a batch; null: any number")
    ]
    length_multiple: Annotated[
        int,
        whole(1, 1024),
        Field(description="both sides of a batch are padded on to a multiple of it; max_tokens is not"),
    ]
    supervision: Annotated[Supervision | None, Field(description="what is learnt from beside the text, of wordalign")]
    optimizer: Optimizer
    lr: Annotated[float, real(gt=0, le=10)]
    lr_scheduler: Literal["inverse_sqrt", "fixed"]
    warmup_updates: Annotated[int, whole(0, 10**9)]
    anneal_epoch: Annotated[
        Literal["last"] | Epochs | None, Field(description="`fixed`: from this epoch on every epoch shrinks lr")
    ]
    lr_shrink: Annotated[
        Annotated[float, real(gt=0, le=1)] | None, Field(description="`fixed`: the factor by which it does")
    ]
    clip_norm: Annotated[float, real(ge=0, le=1e6)]
    sentence_avg: Annotated[StrictBool, Field(description="the loss is a mean over sentences, not over target pieces")]
    label_smoothing: Share
    dev_beam: Annotated[Beam, Field(description="beam of the dev translation that chooses the checkpoint")]
    precision: Annotated[
        Literal["fp32", "tf32", "bf16_products", "bf16", "fp16"],
        Field(
            description="tf32: fp32 with matrix products in TF32, which only GPUs have; bf16_products: fp32 with the "
            "factors of matrix products rounded to bf16, which some CPUs multiply more quickly"
        ),
    ]
    cuda_graphs: Annotated[
        StrictBool, Field(description="on a GPU the recurrent decoders replay their kernels, recorded for each shape")
    ]
    gpus: Annotated[
        int,
        whole(1, 64),
        Field(description="processes of one run, on a GPU each; an update takes a batch of every one"),
    ]
    threads: Annotated[Threads, Field(description="CPU threads of one run, of each of its processes")]
    save_seconds: Annotated[float, real(gt=0, le=1e6), Field(description="a killed run loses at most this much work")]

    @field_validator(*WITHOUT_GPU, mode="before")
    @classmethod
    def _without_gpu(cls, value: Any, info: ValidationInfo) -> Any:
        return WITHOUT_GPU[str(info.field_name)] if value == AUTO else value

    @property
    def sources(self) -> tuple[str, ...]:
        """What is learnt from beside the text, one name each."""
        return tuple(self.supervision.split("_and_")) if self.supervision else ()

    @property
    def overflow(self) -> str | None:
        """What of these settings no loss can be computed with, and the remedy; None if nothing."""
        if self.precision == "fp16" and "links" in self.sources:
            return "precision fp16 cannot hold the gradients of a loss on links; set precision: bf16"
        return None

    @property
    def first_annealed(self) -> int | None:
        """The first epoch whose learning rate is shrunk."""
        return self.max_epoch if self.anneal_epoch == "last" else self.anneal_epoch

    @field_validator("max_tokens")
    @classmethod
    def _room_for_one_sentence(cls, tokens: int | None, info: ValidationInfo) -> int | None:
        longest = info.data.get("max_length")
        if tokens is not None and longest is not None and tokens <= longest:
            raise ValueError(
                f"a batch must have room for one pair of max_length {longest} and eos, {longest + 1} pieces"
            )
        return tokens

    @field_validator("max_sentences")
    @classmethod
    def _batches_have_an_end(cls, sentences: int | None, info: ValidationInfo) -> int | None:
        if sentences is None and info.data.get("max_tokens", 0) is None:
            raise ValueError("max_tokens is null too, so a batch would be the whole text; set one of them")
        return sentences

    @field_validator("warmup_updates")
    @classmethod
    def _inverse_sqrt_falls_from_its_warm_up(cls, updates: int, info: ValidationInfo) -> int:
        if updates == 0 and info.data.get("lr_scheduler") == "inverse_sqrt":
            raise ValueError("lr_scheduler inverse_sqrt falls from the end of the warm-up on; set at least 1")
        return updates

    @field_validator("anneal_epoch", "lr_shrink")
    @classmethod
    def _only_fixed_shrinks(cls, value: Any, info: ValidationInfo) -> Any:
        if value is not None and info.data.get("lr_scheduler") == "inverse_sqrt":
            raise ValueError("it has no effect with lr_scheduler inverse_sqrt; set it to null")
        return value

    @field_validator("gpus")
    @classmethod
    def _what_several_can_do(cls, gpus: int, info: ValidationInfo) -> int:
        if gpus > 1 and info.data.get("cuda_graphs"):
            raise ValueError("cuda_graphs are for a training on one GPU; set cuda_graphs: false, or 1 here")
        if gpus > 1 and info.data.get("precision") == "bf16_products":
            raise ValueError("precision bf16_products is for one process; set another precision, or 1 here")
        return gpus

    @field_validator("lr_shrink")
    @classmethod
    def _when_and_by_what(cls, factor: float | None, info: ValidationInfo) -> float | None:
        if "anneal_epoch" in info.data and (factor is None) != (info.data["anneal_epoch"] is None):
            raise ValueError("anneal_epoch says when and lr_shrink by what factor; set both, or both to null")
        return factor


def _of_training(keys: dict[str, Any]) -> dict[str, Any]:
    known = [key for key in Training.model_fields if key != "supervision"]
    if odd := [key for key in keys if key not in known]:
        raise ValueError(f"{shown(', '.join(odd))} cannot stand here; write keys of training, not supervision")
    return keys


TrainingKeys = Annotated[dict[Name, Any], AfterValidator(_of_training)]
"""Keys of training that override others: ``corpora.<name>.fine_tuning``, of systems that are initialised from a trained
one, and ``variants.<name>.by_corpus.<corpus>.training``."""


Penalty = Annotated[float, real(ge=0, le=10)]
Tried = Annotated[list[Penalty], Field(min_length=1)]


class DecodingControl(Settings):
    """``variants.<name>.decoding``, of a system that shares trained models: what its search does beside the corpus's.

    gnmt_length_penalty, coverage_penalty: alpha and beta of Wu et al. 2016, Eq. 14; of several values those that give
    dev the best BLEU. 0: none. See `stages.translating.penalties`.
    no_repeat_ngram: of how many pieces in a row no translation has the same twice; 0: it may.
    ensemble: of how many models the probabilities are averaged: those of the seed and of the seeds that follow it.
    """

    gnmt_length_penalty: Tried = Field(default_factory=lambda: [0.0])
    coverage_penalty: Tried = Field(default_factory=lambda: [0.0])
    no_repeat_ngram: Annotated[int, whole(0, 100)] = 0
    ensemble: Annotated[int, whole(1, 100)] = 1

    @field_validator("no_repeat_ngram")
    @classmethod
    def _of_several_pieces(cls, pieces: int) -> int:
        if pieces == 1:
            raise ValueError("of one piece every word could stand once only; write at least 2, or 0 for none")
        return pieces


class Decoding(Settings):
    """``corpora.<name>.decoding``: beam search; a hypothesis has at most ``max_len_a`` S + ``max_len_b`` pieces."""

    beam: Beam
    length_penalty: Annotated[float, real(ge=0, le=10)]
    max_len_a: Annotated[float, real(ge=0, le=100)]
    max_len_b: Annotated[int, whole(1, 10_000)]
    max_tokens: Pieces
    precision: Annotated[Literal["fp32", "bf16_products"], Field(description="as in training")]
    threads: Threads
