"""Adam with decoupled weight decay as one kernel over all parameters."""

import inspect
from typing import Any

import torch
from torch.optim import AdamW, Optimizer

from fairseq.optim import FairseqOptimizer, register_optimizer
from fairseq.optim.adam import FairseqAdamConfig


class _AdamW(AdamW):
    """The same without torch's compiler, which is imported (1.4 s of each run) to exempt methods from compilation."""

    step = torch.no_grad()(inspect.unwrap(AdamW.step))


for _method in (Optimizer.add_param_group, Optimizer.zero_grad, Optimizer.state_dict, Optimizer.load_state_dict):
    _plain = inspect.unwrap(_method)
    setattr(_plain, "__dynamo_disable", _plain)  # where torch looks for the exempted method


@register_optimizer("fused_adamw", dataclass=FairseqAdamConfig)
class FusedAdamW(FairseqOptimizer):
    """torch's AdamW, fused: parameters, gradients and moments are read and written once (Kingma & Ba 2015).

    fairseq's ``adam`` goes over them some eight times on a CPU. Its weight decay is decoupled too; its epsilon stands
    beside the second moment before, here after the correction of its bias, as the paper prints it.

    Raises:
        ValueError: a switch of fairseq's own Adam is on.
    """

    def __init__(self, cfg: FairseqAdamConfig, params):
        if cfg.fp16_adam_stats or cfg.use_old_adam:
            raise ValueError("fused_adamw has neither --fp16-adam-stats nor --use-old-adam; take --optimizer adam")
        super().__init__(cfg)
        self._optimizer = _AdamW(params, fused=True, **self.optimizer_config)

    @property
    def optimizer_config(self) -> dict[str, Any]:
        """What a checkpoint's settings of the optimiser are replaced with."""
        first, second = (float(beta) for beta in str(self.cfg.adam_betas).strip("()[]").split(","))  # a text, or a list
        return {
            "lr": self.cfg.lr[0],
            "betas": (first, second),
            "eps": self.cfg.adam_eps,
            "weight_decay": self.cfg.weight_decay,
        }

    @property
    def supports_flat_params(self) -> bool:
        """Every number is updated by itself: fairseq may lay fp32 copies of all parameters end to end."""
        return True
