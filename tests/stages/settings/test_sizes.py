"""The sizes of a corpus: those that every system has, and the widths that some architecture declares."""

import pytest

from stages.files.errors import InputError
from stages.settings.params import validate
from stages.settings.training import ModelSizes
from stages.settings.variants import VariantModel
from stages.training.arguments import model_arguments
from stages.training.check import check_sizes

SIZES = {
    "embed_dim": 6, "hidden_dim": 5, "attention_dim": None, "readout_dim": None, "embed_dropout": 0,
    "annotation_dropout": 0, "readout_dropout": 0, "init_range": 0.1,
}  # fmt: skip


def sizes(**further: object) -> ModelSizes:
    return validate(SIZES | further, ModelSizes, "corpora.mine.model")


def test_a_width_of_some_architectures_reaches_those_alone():
    model = VariantModel(arch="mine")
    given = model_arguments(model, sizes(history_dim=3), {"hidden_dim", "history_dim"})
    assert given[given.index("--history-dim") + 1] == "3"
    assert "--history-dim" not in model_arguments(model, sizes(history_dim=3), {"hidden_dim"})


@pytest.mark.parametrize("further", [{}, {"history_dim": None}])
def test_a_width_that_the_corpus_leaves_open_is_the_architectures_own(further):
    assert "--history-dim" not in model_arguments(VariantModel(arch="mine"), sizes(**further), {"history_dim"})


@pytest.mark.parametrize(
    ("further", "message"),
    [
        ({"history_width": 3}, r"corpora\.mine\.model\.history_width: unknown key; remove it or correct its spelling"),
        ({"history_dim": 0}, r"corpora\.mine\.model\.history_dim: .*greater than 0 \(is 0\)"),
        ({"history_dim": "wide"}, r"corpora\.mine\.model\.history_dim: .*integer.* \(is 'wide'\)"),
        ({"hidden_dim": None}, r"corpora\.mine\.model\.hidden_dim: "),
    ],
)
def test_refused_sizes(further, message):
    with pytest.raises(InputError, match=message):
        sizes(**further)


def test_a_width_that_no_architecture_has_is_one_sentence():
    check_sizes({"mine": sizes(history_dim=3, covemb_dim=None)})
    message = r"corpora\.mine\.model: no architecture has a size histori_dim; remove it .*\(there are: .*history_dim"
    with pytest.raises(InputError, match=message):
        check_sizes({"good": sizes(), "mine": sizes(histori_dim=3)})


@pytest.mark.parametrize(
    ("name", "expected"), [("embed_dropout", True), ("my_dim", True), ("luong_layers", False), ("cohn_window", False)]
)
def test_what_a_size_is(name, expected):
    assert ModelSizes.has(name) == expected
