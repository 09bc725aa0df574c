"""The systems of the miniature study: some ten units each, a few of them trained as the papers did."""

from typing import Any

EPOCHS, RATE = 3, 0.05

STAR = {"arch": "rnnsearch_star"}
SMALL_TRANSFORMER = {
    "encoder_layers": 1, "decoder_layers": 2, "encoder_embed_dim": 8, "encoder_ffn_embed_dim": 8,
    "encoder_attention_heads": 2, "decoder_attention_heads": 2, "share_decoder_input_output_embed": True,
}  # fmt: skip
BY_SENTENCES = {"max_tokens": None, "warmup_updates": 0, "sentence_avg": True, "save_seconds": 1e-6}
VARIANTS = {
    "rnnsearch_star": {**STAR},
    "often_saved": {**STAR, "training": {"save_seconds": 1e-6}},
    "one_epoch": {**STAR, "training": {"max_epoch": 1, "save_seconds": 1e-6}},
    "never_better": {**STAR, "training": {"max_epoch": 9, "patience": 2, "lr": 1e-9, "save_seconds": 1e-6}},
    "rounded": {**STAR, "training": {"precision": "bf16_products"}},
    "rounded_often_saved": {**STAR, "training": {"precision": "bf16_products", "save_seconds": 1e-6}},
    "half": {**STAR, "training": {"precision": "bf16"}},
    "half_often_saved": {**STAR, "training": {"precision": "bf16", "save_seconds": 1e-6}},
    "two": {**STAR, "training": {"gpus": 2}},
    "two_often_saved": {**STAR, "training": {"gpus": 2, "save_seconds": 1e-6}},
    "two_never_better": {**STAR, "training": {"gpus": 2, "max_epoch": 9, "patience": 2, "lr": 1e-9}},
    "graphs": {**STAR, "training": {"max_epoch": 3, "cuda_graphs": True, "length_multiple": 8}},
    "my_combination": {
        "arch": "attnmt", "terms": ["target_history", "source_history"], "history_dim": 2,
        "training": {"max_epoch": 1},
    },
    "rnnencdec": {"arch": "rnnencdec", "training": {"max_epoch": 1}},
    "transformer": {"arch": "transformer", **SMALL_TRANSFORMER, "training": {"max_epoch": 1}},
    "transformer_often_saved": {
        "arch": "transformer", **SMALL_TRANSFORMER, "training": {"max_epoch": 1, "save_seconds": 1e-6},
    },
    "transformer_aligned": {
        "arch": "transformer_aligned", **SMALL_TRANSFORMER, "training": {"max_epoch": 1, "supervision": "links"},
    },
    "ba_nmt": {"arch": "ba_nmt", "training": {"max_epoch": 1}},
    "cohn_all": {"arch": "cohn_all", "training": {"max_epoch": 1}},
    "supervised_attention": {
        "arch": "supervised_attention", "training": {"max_epoch": 1, "supervision": "links"},
    },
    "adadelta": {
        **STAR,
        "training": BY_SENTENCES | {
            "optimizer": {"name": "adadelta", "rho": 0.95, "eps": 1e-6}, "lr": 1.0, "max_sentences": 7,
            "anneal_epoch": None, "lr_shrink": None, "clip_norm": 1.0,
        },
    },
    "sgd": {
        **STAR,
        "training": BY_SENTENCES | {
            "optimizer": {"name": "sgd", "momentum": 0.0}, "lr": 0.5, "max_sentences": 8,
            "anneal_epoch": 2, "lr_shrink": 0.5, "clip_norm": 5.0,
        },
    },
    "mi_whole": {
        "arch": "lvnmt", "terms": ["coverage_embedding_gru", "coverage_embedding_sub"],
        "covemb_objective": "supervised", "covemb_gru_lambda": 0.1, "candidate_frequent": 1,
        "training": {"max_epoch": 1, "supervision": "links_and_candidates"},
    },
    "short_and_annealed": {**STAR, "training": {"max_length": 13, "anneal_epoch": 2, "lr_shrink": 0.1}},
}  # fmt: skip
PAPERS = {
    "xue2019": "ba_nmt", "kuang2018": "bridging_target", "mi2016": "lvnmt_covemb_gru_sub_supobj",
    "bahdanau2015": "rnnsearch_50", "luong2015": "luong_local_p_2015",
}  # fmt: skip
"""A system of each recipe, trained with it in all but widths and the number of epochs, under the recipe's name."""
FINE_TUNED = {
    "unmoved": {**STAR, "training": {"max_epoch": 1, "lr": 1e-9}},
    "two_unmoved": {**STAR, "training": {"max_epoch": 1, "lr": 1e-9, "gpus": 2}},
    "bridging_direct": {
        "arch": "bridging_direct",
        "training": {"max_epoch": 2, "anneal_epoch": "last", "save_seconds": 1e-6},
    },
    "ba_bridging": {
        "arch": "attnmt",
        "terms": ["source_history", "target_history", "source_bridging", "direct_bridging"],
        "training": {"max_epoch": 1},
    },
    "cohn_globalfert": {"arch": "cohn_globalfert", "training": {"max_epoch": 1}},
    "cohn_agreement": {"arch": "cohn_agreement", "training": {"max_epoch": 1}},
}
BASES = {
    "unmoved": "rnnsearch_star",
    "two_unmoved": "rnnsearch_star",
    "bridging_direct": "rnnsearch_star",
    "ba_bridging": "ba_nmt",
    "cohn_globalfert": "cohn_all",
    "cohn_agreement": "cohn_all",
}
REVERSE = ["cohn_all"]


def with_recipe(content: dict[str, Any], name: str) -> dict[str, Any]:
    """The system of the recipe ``name`` in ``content``, the whole of params.yaml, with the recipe's numbers."""
    recipe, system = content["recipes"][name], content["variants"][PAPERS[name]]
    numbers = {key: value for key, value in recipe["model"].items() if not key.endswith("_dim")}
    own = {key: value for key, value in system.items() if key != "by_corpus"}
    training = recipe["training"] | system.get("training", {}) | {"max_epoch": 1}
    return numbers | own | {"training": training}
