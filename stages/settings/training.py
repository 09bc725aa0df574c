"""Settings of model sizes, training and decoding."""

from typing import Annotated, Literal

from pydantic import Field

from stages.settings.params import Settings

Positive = Annotated[int, Field(gt=0)]
Fraction = Annotated[float, Field(ge=0, lt=1)]


class ModelSizes(Settings, extra="allow"):
    """``corpora.<name>.model``: sizes that every recurrent system on this corpus shares (symbols of the papers).

    Beside these it may hold any width that some architecture has as an option, all of which end in ``_dim``; a width
    that is not here is the architecture's own. `stages.training.check` knows which widths there are.
    """

    __pydantic_extra__: dict[Annotated[str, Field(pattern=r"_dim$")], Positive | None]
    embed_dim: Positive
    hidden_dim: Positive
    attention_dim: Positive | None
    readout_dim: Positive | None
    embed_dropout: Fraction
    annotation_dropout: Fraction
    readout_dropout: Fraction
    init_range: float

    @classmethod
    def has(cls, name: str) -> bool:
        """Whether an option of this name is one of these sizes."""
        return name in cls.model_fields or name.endswith("_dim")

    def further(self) -> dict[str, int | None]:
        """The widths that only some architectures have."""
        return dict(self.model_extra or {})


class Training(Settings):
    """``corpora.<name>.training``, after a variant's own ``training`` has overridden what it names."""

    max_epoch: Positive
    max_length: Annotated[Positive | None, Field(description="train pairs with more pieces on a side are left out")]
    patience: Annotated[int, Field(ge=0, description="epochs without a better dev BLEU before stopping; 0: never")]
    max_tokens: Positive
    length_multiple: Annotated[
        Positive, Field(description="both sides of a batch are padded on to a multiple of it; max_tokens is without")
    ]
    supervision: Annotated[
        Literal["links", "candidates"] | None, Field(description="what is learnt from beside the text, of wordalign")
    ]
    lr: float
    lr_scheduler: Literal["inverse_sqrt", "fixed"]
    warmup_updates: Annotated[int, Field(ge=0)]
    anneal_epoch: Annotated[Positive | None, Field(description="`fixed`: from this epoch on every epoch shrinks lr")]
    lr_shrink: Annotated[float, Field(gt=0, le=1, description="`fixed`: the factor by which it does")]
    adam_betas: tuple[float, float]
    adam_eps: float
    clip_norm: Annotated[float, Field(ge=0)]
    label_smoothing: Fraction
    weight_decay: float
    dev_beam: Annotated[int, Field(gt=0, description="beam of the dev translation that chooses the checkpoint")]
    precision: Annotated[
        Literal["fp32", "tf32", "bf16_products", "bf16", "fp16"],
        Field(
            description="tf32: fp32 with matrix products in TF32, which only GPUs have; bf16_products: fp32 with the "
            "factors of matrix products rounded to bf16, on CPUs"
        ),
    ]
    cuda_graphs: Annotated[
        bool, Field(description="on a GPU the recurrent decoders replay their kernels, recorded once for each shape")
    ]
    threads: Annotated[int, Field(gt=0, description="CPU threads of one run")]
    save_seconds: Annotated[float, Field(gt=0, description="a killed run loses at most this much work")]


class Decoding(Settings):
    """``corpora.<name>.decoding``: beam search; a hypothesis has at most ``max_len_a`` S + ``max_len_b`` pieces."""

    beam: Positive
    length_penalty: float
    max_len_a: Annotated[float, Field(ge=0)]
    max_len_b: Annotated[int, Field(ge=0)]
    max_tokens: Positive
    precision: Annotated[Literal["fp32", "bf16_products"], Field(description="as in training, on CPUs")]
    threads: Positive
