"""The kernels in PyTorch's own operations, each with its hand-written gradient: for any device and type.

They are ``autograd.Function``s because the decoder loop calls them once per target step: one node instead of about ten
keeps the graph, the memory traffic and the Python time small.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F


def rounded(x: Tensor) -> Tensor:
    """In fp32, but no more digits than bf16 has: products of such numbers are exact."""
    return x.bfloat16().float()


def as_it_is(x: Tensor) -> Tensor:
    """A factor of a product in fp32."""
    return x


class RoundedLinear(torch.autograd.Function):
    """x W^T + b with factors rounded to bf16, in its gradients too; what the kernels in C++ are held to."""

    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(x, weight)
        return F.linear(rounded(x), rounded(weight), bias)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        x, weight = ctx.saved_tensors
        rows = grad.flatten(0, -2)
        of_bias = rows.sum(0) if ctx.needs_input_grad[2] else None
        return rounded(grad) @ rounded(weight), rounded(rows).t() @ rounded(x.flatten(0, -2)), of_bias


class GatedRecurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx, from_input: Tensor, from_state: Tensor, state: Tensor) -> Tensor:
        width = state.shape[-1]
        gates = torch.sigmoid(from_input[..., : 2 * width] + from_state[..., : 2 * width])
        r, z = gates[..., :width], gates[..., width:]
        candidate_from_state = from_state[..., 2 * width :]
        n = torch.addcmul(from_input[..., 2 * width :], r, candidate_from_state).tanh_()
        ctx.save_for_backward(gates, n, candidate_from_state, state)
        return torch.lerp(n, state, z)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        gates, n, candidate_from_state, state = ctx.saved_tensors
        width = n.shape[-1]
        r, z = gates[..., :width], gates[..., width:]
        kept = grad * z
        d_n = (grad - kept).mul_(1 - n * n)
        d_r = (d_n * candidate_from_state).mul_(r).mul_(1 - r)
        d_z = (state - n).mul_(kept).mul_(1 - z)
        return torch.cat((d_r, d_z, d_n), -1), torch.cat((d_r, d_z, d_n * r), -1), kept


class AdditiveEnergy(torch.autograd.Function):
    """keys ``(B, S, A)``, query ``(B, A)``, v ``(A)`` -> v^T tanh(query + keys_j) ``(B, S)``."""

    @staticmethod
    def forward(ctx, keys: Tensor, query: Tensor, v: Tensor) -> Tensor:
        t = (keys + query.unsqueeze(1)).tanh_()
        ctx.save_for_backward(t, v)
        return t @ v

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        t, v = ctx.saved_tensors
        d_v = grad.reshape(-1) @ t.reshape(-1, t.shape[-1])
        d_keys = torch.addcmul(grad.new_ones(()), t, t, value=-1).mul_(grad.unsqueeze(-1)).mul_(v)
        return d_keys, d_keys.sum(1), d_v


def gated_recurrence(
    from_input: Tensor, from_state: Tensor, state: Tensor, also: Tensor | None, scaled: Tensor | None,
    scale: Tensor | None, mask: Tensor | None,
) -> Tensor:  # fmt: skip
    """As ``kernels.gated_recurrence``."""
    if scaled is not None:
        assert scale is not None
        from_input = torch.addcmul(from_input, scale.unsqueeze(-1), scaled)
    if also is not None:
        from_input = from_input + also
    result = GatedRecurrence.apply(from_input, from_state, state)
    return result if mask is None else result * mask


def attention_weights(keys: Tensor, query: Tensor, v: Tensor, mask: Tensor, addend: Tensor | None) -> Tensor:
    """As ``kernels.attention_weights``, with the sum of all addends."""
    return masked_softmax(AdditiveEnergy.apply(keys if addend is None else keys + addend, query, v), mask)


def masked_softmax(energies: Tensor, mask: Tensor) -> Tensor:
    """As ``kernels.masked_softmax``."""
    return masked(energies, mask).softmax(-1).to(energies.dtype)


def masked(energies: Tensor, mask: Tensor) -> Tensor:
    """Energies in at least fp32, -inf where ``mask`` (same shape, bool) is False."""
    dtype = torch.promote_types(energies.dtype, torch.float32)
    return energies.to(dtype).masked_fill(~mask, float("-inf"))


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """As ``kernels.weighted_sum``."""
    return torch.bmm(weights.unsqueeze(1), values).squeeze(1)


class Written(torch.autograd.Function):
    @staticmethod
    def forward(ctx, memory: Tensor, weights: Tensor, update: Tensor, forget: Tensor) -> Tensor:
        ctx.save_for_backward(memory, weights, forget, update)
        return torch.baddbmm(memory * Written.kept(weights, forget), weights.unsqueeze(2), update.unsqueeze(1))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        memory, weights, forget, update = ctx.saved_tensors
        row = weights.unsqueeze(1)
        moved = grad * memory
        d_weights = torch.bmm(grad, update.unsqueeze(2)) - torch.bmm(moved, forget.unsqueeze(2))
        d_forget, d_update = -torch.bmm(row, moved).squeeze(1), torch.bmm(row, grad).squeeze(1)
        return grad * Written.kept(weights, forget), d_weights.squeeze(2), d_update, d_forget

    @staticmethod
    def kept(weights: Tensor, forget: Tensor) -> Tensor:
        """1 - alpha_j F, ``(B, S, C)``."""
        return torch.baddbmm(forget.new_ones(()), weights.unsqueeze(2), forget.unsqueeze(1), alpha=-1)


class GatedMemory(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pre: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        width = c.shape[-1]
        gates = torch.sigmoid(pre)
        gates[..., 2 * width : 3 * width] = torch.tanh(pre[..., 2 * width : 3 * width])
        i, f, g, o = gates.split(width, -1)
        c_new = torch.addcmul(f * c, i, g)
        squashed = torch.tanh(c_new)
        ctx.save_for_backward(gates, c, squashed)
        return o * squashed, c_new

    @staticmethod
    @once_differentiable
    def backward(ctx, d_h: Tensor, d_c_new: Tensor) -> tuple[Tensor, Tensor]:
        gates, c, squashed = ctx.saved_tensors
        i, f, g, o = gates.split(c.shape[-1], -1)
        d_c = torch.addcmul(d_c_new, d_h * o, 1 - squashed * squashed)
        d_i, d_f = d_c * g * i * (1 - i), d_c * c * f * (1 - f)
        d_g, d_o = d_c * i * (1 - g * g), d_h * squashed * o * (1 - o)
        return torch.cat((d_i, d_f, d_g, d_o), -1), d_c * f


class PaddedGRU(torch.autograd.Function):
    """from_input ``(S, B, 3H)``, U ``(3H, H)``, b_U ``(3H)``, mask ``(S, B, 1)`` -> states after every step
    ``(S, B, H)``; at padding a state stays what it was."""

    @staticmethod
    def forward(ctx, from_input: Tensor, U: Tensor, b_U: Tensor, mask: Tensor, rounds: bool) -> Tensor:
        factor = rounded if rounds else as_it_is
        turned = factor(U).t()
        S, B, _ = from_input.shape
        width = U.shape[-1]
        states = from_input.new_zeros(S + 1, B, width)
        gates, candidates, from_state = [], [], []
        for k in range(S):
            h = states[k]
            product = torch.addmm(b_U, factor(h), turned)
            rz = torch.sigmoid(from_input[k, :, : 2 * width] + product[:, : 2 * width])
            product = product[:, 2 * width :]
            n = torch.tanh(torch.addcmul(from_input[k, :, 2 * width :], rz[:, :width], product))
            torch.lerp(h, torch.lerp(n, h, rz[:, width:]), mask[k], out=states[k + 1])
            gates.append(rz)
            candidates.append(n)
            from_state.append(product)
        ctx.rounds = rounds
        ctx.save_for_backward(U, mask, states, *gates, *candidates, *from_state)
        return states[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        U, mask, states, *saved = ctx.saved_tensors
        factor = rounded if ctx.rounds else as_it_is
        straight = factor(U)
        S, B, width = grad.shape
        gates, candidates, from_state = saved[:S], saved[S : 2 * S], saved[2 * S :]
        d_input, d_product = grad.new_empty(S, B, 3 * width), grad.new_empty(S, B, 3 * width)
        d_h = torch.zeros_like(grad[0])
        for k in reversed(range(S)):
            h, n, product = states[k], candidates[k], from_state[k]
            r, z = gates[k][:, :width], gates[k][:, width:]
            d_h = d_h + grad[k]
            d_new = d_h * mask[k]
            kept = d_new * z
            d_n = (d_new - kept).mul_(torch.addcmul(n.new_ones(()), n, n, value=-1))
            d_input[k, :, :width] = (d_n * product).mul_(r).mul_(1 - r)
            d_input[k, :, width : 2 * width] = (h - n).mul_(kept).mul_(1 - z)
            d_input[k, :, 2 * width :] = d_n
            d_product[k] = d_input[k]
            d_product[k, :, 2 * width :] *= r
            d_h = torch.addmm(kept + (d_h - d_new), factor(d_product[k]), straight)
        flat = d_product.flatten(0, 1)
        return d_input, factor(flat).t() @ factor(states[:-1].flatten(0, 1)), flat.sum(0), None, None


def padded_gru(from_input: Tensor, U: Tensor, b_U: Tensor, mask: Tensor, rounds: bool = False) -> tuple[Tensor, Tensor]:
    """As ``kernels.padded_gru``."""
    real = mask.unsqueeze(-1)
    states = PaddedGRU.apply(from_input.transpose(0, 1), U, b_U, real.transpose(0, 1), rounds)
    return states.transpose(0, 1) * real, states[-1]


class SmoothedNLL(torch.autograd.Function):
    """With epsilon' = epsilon / (V - 1) the gradient of a row is softmax - epsilon' - (1 - epsilon - epsilon') 1_y."""

    @staticmethod
    def forward(
        ctx, logits: Tensor, target: Tensor, epsilon: float, padding: int, consume: bool
    ) -> tuple[Tensor, Tensor]:
        normaliser = logits.logsumexp(-1)
        place, real = target.unsqueeze(-1), target.ne(padding)
        nll = normaliser - logits.gather(-1, place).squeeze(-1)
        words, total = torch.full_like(normaliser, logits.shape[-1]), logits.sum(-1)
        possible = None
        if total.isinf().any():  # passes over (N, V) more, for candidate lists alone
            possible = logits.isfinite()
            words, total = possible.sum(-1).to(logits), logits.masked_fill(~possible, 0).sum(-1)
        share = epsilon / (words - 1).clamp(min=1)
        smoothed = (1 - epsilon) * nll + share * (words * normaliser - total - nll)
        ctx.save_for_backward(logits, normaliser, place, real, words, share, possible)
        ctx.epsilon, ctx.consume = epsilon, consume
        found = smoothed.masked_fill(~real, 0).sum(), nll.masked_fill(~real, 0).sum()
        ctx.mark_non_differentiable(found[1])
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx, of_smoothed: Tensor, of_nll: Tensor) -> tuple[Tensor | None, ...]:
        logits, normaliser, place, real, words, share, possible = ctx.saved_tensors
        gradient = logits.detach() if ctx.consume else torch.empty_like(logits)
        torch.sub(logits, normaliser.unsqueeze(-1), out=gradient).exp_()
        if possible is None:
            gradient.sub_(share.unsqueeze(-1))
        else:  # a row of one word alone has no others to share with
            gradient.mul_((1 - ctx.epsilon + share * (words - 1)).unsqueeze(-1))
            gradient.sub_(share.unsqueeze(-1) * possible)
        gradient.scatter_add_(-1, place, (share - (1 - ctx.epsilon)).unsqueeze(-1))
        return gradient.mul_((real * of_smoothed).unsqueeze(-1)), None, None, None, None
