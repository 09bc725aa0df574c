"""Adam with decoupled weight decay as one kernel over all parameters."""

from typing import Any

import torch

from fairseq.optim import FairseqOptimizer, register_optimizer
from fairseq.optim.adam import FairseqAdamConfig


@register_optimizer("fused_adamw", dataclass=FairseqAdamConfig)
class FusedAdamW(FairseqOptimizer):
    """torch's AdamW, fused: each parameter and its moments are read and written once (Kingma & Ba 2015).

    fairseq's ``adam`` goes over them some eight times on a CPU. Its weight decay is decoupled too; its epsilon stands
    beside the second moment before, here after the correction of its bias, as the paper prints it.
    """

    def __init__(self, cfg: FairseqAdamConfig, params):
        super().__init__(cfg)
        self._optimizer = torch.optim.AdamW(params, fused=True, **self.optimizer_config)

    @property
    def optimizer_config(self) -> dict[str, Any]:
        """What a checkpoint's settings of the optimiser are replaced with."""
        first, second = (float(beta) for beta in self.cfg.adam_betas.strip("()[]").split(","))
        return {
            "lr": self.cfg.lr[0],
            "betas": (first, second),
            "eps": self.cfg.adam_eps,
            "weight_decay": self.cfg.weight_decay,
        }
