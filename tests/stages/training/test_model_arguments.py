"""What fairseq is told of a system: options that do not fit are refused, sizes and flags reach it."""

import pytest

from stages.files.errors import InputError
from stages.settings.training import ModelSizes
from stages.settings.variants import VariantModel
from stages.training.run import model_arguments_of
from tests.helpers import tiny

SIZES = ModelSizes(**tiny.params()["corpora"][tiny.CORPUS]["model"])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            {"arch": "ba_nmt", "historydim": 3},
            "variants.mine: ba_nmt has no option historydim.*history_dim",
        ),
        ({"arch": "rnnsearch", "history_dim": 3}, "rnnsearch has no option history_dim"),
        ({"arch": "luong_global_concat", "attention_dim": 3}, "luong_global_concat has no option attention_dim"),
        ({"arch": "rnnencdec", "attention_dim": 3}, "rnnencdec has no option attention_dim"),
        ({"arch": "ba_nm"}, "variants.mine: There is no architecture 'ba_nm'.*ba_nmt"),
        ({"arch": "attnmt", "terms": ["histry"]}, "variants.mine: no term is called 'histry'.*source_history"),
        ({"arch": "attnmt", "terms": ["source_history"] * 2}, "source_history is named twice"),
        ({"arch": "sa_nmt", "terms": ["target_history"]}, "only a combination"),
        ({"arch": "attnmt"}, "variants.mine: a combination names its terms"),
    ],
)
def test_options_that_a_system_does_not_have(model, message):
    with pytest.raises(InputError, match=message) as error:
        model_arguments_of(VariantModel(**model), SIZES, "mine")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("model", [{"arch": "attnmt", "terms": []}, {"arch": "lvnmt"}])
def test_no_terms_may_be_what_is_meant(model):
    assert model["arch"] in model_arguments_of(VariantModel(**model), SIZES, "mine")


def test_sizes_of_the_corpus_reach_the_system_and_the_variant_overrides_them():
    arguments = model_arguments_of(VariantModel(arch="sa_nmt", hidden_dim=5), SIZES, "mine")
    given = dict(zip(arguments[::2], arguments[1::2], strict=True))
    assert given["--arch"] == "sa_nmt" and given["--hidden-dim"] == "5"
    assert given["--history-dim"] == str(SIZES.history_dim)
    assert "--attention-dim" not in given  # null: the architecture's own
    assert "--history-dim" not in model_arguments_of(VariantModel(arch="rnnsearch_star"), SIZES, "mine")


def test_flags_of_fairseq_are_bare():
    model = VariantModel(arch="transformer", share_all_embeddings=True, encoder_normalize_before=False)
    *given, last = model_arguments_of(model, SIZES, "mine")
    assert given == ["--arch", "transformer", "--criterion", "label_smoothed_cross_entropy"]
    assert last == "--share-all-embeddings"
