"""The table of shapes and padding: counted again, batch by batch, from the batches that fairseq makes."""

import numpy as np
import torch

from benchmarks.shapes import batches, cost, lengths, table

from fairseq.data import Dictionary, LanguagePairDataset

RANDOM = np.random.default_rng(3)
SIZES = np.minimum(RANDOM.geometric(0.1, (2, 300)) + 1, 40)


def collated(multiple: int, max_tokens: int) -> list[tuple[int, int, int]]:
    """(rows, source, target) of every batch of an epoch."""
    words = Dictionary()
    sides = [[torch.full((int(n),), 4) for n in sizes] for sizes in SIZES]
    dataset = LanguagePairDataset(
        sides[0], SIZES[0], words, sides[1], SIZES[1], words, left_pad_source=False, pad_to_multiple=multiple
    )
    rows = dataset.batch_by_size(dataset.ordered_indices(), max_tokens=max_tokens, required_batch_size_multiple=8)
    made = [dataset.collater([dataset[k] for k in batch]) for batch in rows]
    return [(*one["net_input"]["src_tokens"].shape, one["target"].shape[1]) for one in made]


def test_it_is_what_fairseq_does():
    plain = collated(1, 200)
    for multiple in (1, 4):
        found, shapes = cost(SIZES, batches(SIZES, 200), multiple), collated(multiple, 200)
        assert (found.batches, found.shapes) == (len(shapes), len(set(shapes)))
        assert found.pairs == sum(B * S * T for B, S, T in shapes) / sum(B * S * T for B, S, T in plain)
        assert found.target == sum(B * T for B, _, T in shapes) / sum(B * T for B, _, T in plain)
    assert found.shapes < len(set(plain)) and found.source > 1


def test_what_the_most_frequent_shapes_serve():
    sizes = np.array([[*range(1, 81), 7, 7]] * 2)
    alone = [np.array([k]) for k in range(82)]
    assert cost(sizes, alone, 1).shapes == 80
    assert cost(sizes, alone, 1).served == (3 + 63) / 82


def test_the_table(tmp_path):
    (tmp_path / "train.a").write_text("x y z\nx\n")
    (tmp_path / "train.b").write_text("x\nx y\n")
    sizes = lengths(tmp_path, "a", "b")
    assert sizes.tolist() == [[4, 2], [2, 3]]
    rows = [line.split(" | ") for line in table(sizes, [9])]
    assert rows[2][0] == "| 9" and [row[1] for row in rows[2:]] == ["1", "2", "4", "8", "16"]
