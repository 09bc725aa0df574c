"""The optimisers: each has its own options, so none can be given that has no effect."""

from typing import Annotated, Literal

from pydantic import Field

from stages.settings.numbers import Share, real
from stages.settings.params import Settings

Epsilon = Annotated[float, real(gt=0, le=1)]


class Adam(Settings):
    """Kingma & Ba 2015, with Loshchilov & Hutter's decoupled weight decay: ``fairseq_plugins.optim.fused_adamw``."""

    name: Literal["adam"]
    betas: Annotated[tuple[Share, Share], Field(description="decay of the two moments")]
    eps: Annotated[Epsilon, Field(description="keeps it from dividing by 0")]
    weight_decay: Annotated[float, real(ge=0, le=1), Field(description="decoupled from the gradient; 0: none")]


class Adadelta(Settings):
    """Zeiler 2012, as torch has it: fairseq's own. The papers have no learning rate, which is ``lr: 1.0``."""

    name: Literal["adadelta"]
    rho: Annotated[Share, Field(description="decay of both running means")]
    eps: Annotated[Epsilon, Field(description="what the first steps are made of")]


class SGD(Settings):
    """Gradient descent, fairseq's own; ``momentum: 0.0`` is the plain one."""

    name: Literal["sgd"]
    momentum: Share


Optimizer = Annotated[Adam | Adadelta | SGD, Field(discriminator="name")]
