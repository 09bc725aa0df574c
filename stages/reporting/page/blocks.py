"""Sentences as compressed blocks, which the page opens only when it shows them.

A block is JSON that holds strings: base64 of a zlib stream (what browsers call `deflate`). A set has one block,
{"text"}, and each of its systems one, {"text", "weights"}: opened, a text is JSON again and the weights are one byte
each, sentence after sentence, row after row.
"""

import base64
import json
import zlib
from typing import Any

import numpy as np

from stages.reporting.sentence_sets import SentenceSet, Side

LEVEL = 9
"""Of zlib, for texts: the smallest."""


def set_block(one: SentenceSet, sentences: int) -> str:
    """The text of the first `sentences`: {"source": [line], "references": [[line]], "gold": [{"sure", "possible"}]}.

    Gold links are [source word, target word]; those under `possible` are not sure. No `gold` without gold links.
    """
    content: dict[str, Any] = {"source": one.source[:sentences], "references": one.references[:sentences]}
    if one.golds is not None:
        content["gold"] = [
            {"sure": sorted(gold.sure), "possible": sorted(gold.possible - gold.sure)} for gold in one.golds[:sentences]
        ]
    return _block({"text": _text(content)})


def side_block(side: Side, forced: bool, sentences: int, levels: int) -> str:
    """{"target": [line], "rows": [rows of attention], <measure>: [value]} and the weights.

    No `target` if it is the reference, no `rows` and no weights without attention.
    """
    shown = side.translations[:sentences]
    content: dict[str, Any] = {name: values[:sentences] for name, values in side.values.items()}
    if not forced:
        content["target"] = [" ".join(one.target) for one in shown]
    if any(one.attention is None for one in shown):
        return _block({"text": _text(content)})
    content["rows"] = [len(one.weights) for one in shown]
    weights = b"".join(quantised(one.weights, levels).tobytes() for one in shown)
    return _block({"text": _text(content), "weights": _weights(weights)})


def quantised(attention: np.ndarray, levels: int) -> np.ndarray:
    """(T, S) weights in [0, 1] -> (T, S) bytes from 0 to `levels`.

    The first of the highest weights of a row stays so, for that is its link: equals before it are lowered by one, and
    it is at least 1 unless it is 0.
    """
    if attention.size == 0:
        return np.zeros(attention.shape, np.uint8)
    coarse = np.rint(np.clip(attention, 0, 1) * levels).astype(np.uint8)
    best = attention.argmax(axis=1)[:, None]
    top = np.maximum(np.take_along_axis(coarse, best, 1), np.take_along_axis(attention, best, 1) > 0)
    np.put_along_axis(coarse, best, top, 1)
    before = np.arange(attention.shape[1]) < best
    return coarse - (before & (coarse == top) & (top > 0))


def _block(parts: dict[str, bytes]) -> str:
    return json.dumps({name: base64.b64encode(part).decode() for name, part in parts.items()})


def _text(content: Any) -> bytes:
    written = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return zlib.compress(written.encode(), LEVEL)


def _weights(weights: bytes) -> bytes:
    """Weights repeat in runs of zeros alone: to look for runs only is smaller, and quicker by far."""
    packer = zlib.compressobj(strategy=zlib.Z_RLE)
    return packer.compress(weights) + packer.flush()
