"""Recipes of the papers: what reaches fairseq, reversed sources, other bases, and what is learnt from."""

from ..mutant import mutants

LUONG = "luong_global_dot luong_global_general luong_global_concat luong_global_location luong_local_m luong_local_p"
REVERSED = "tests/fairseq_plugins/mechanisms/test_luong_reversed.py"
VALUES = "tests/stages/settings/test_training_values.py -k machine"
REACH = "tests/stages/training/test_lengths.py -k settings_reach"

MUTANTS = (
    *mutants(LUONG, "fairseq_plugins/core/stacked_encoder.py", REVERSED, {
        "eos is turned round too": ("mask.sum(1, keepdim=True) - 1", "mask.sum(1, keepdim=True)"),
        "words turned over the padding": ("mask.sum(1, keepdim=True) - 1", "mask.shape[1] - 1"),
        "states stay turned": ("return _places(states, order), last", "return states, last"),
        "nothing is turned": ("super().recur(_places(embeddings, order), mask)", "super().recur(embeddings, mask)"),
    }),
    *mutants(LUONG, "fairseq_plugins/models/_luong.py", REVERSED, {
        "the option is forgotten": ("luong.luong_layers, luong.reverse_source,", "luong.luong_layers, False,"),
        "two directions are turned": ('"reverse_source", "input_feeding")', '"input_feeding")'),
    }),
    *mutants("attnmt lvnmt", "fairseq_plugins/models/attnmt.py",
        "tests/fairseq_plugins/models/test_bases.py -k 'no_term or readout'", {
        "a bias on RNNsearch": ("bias=not cls._on_rnnsearch(args)", "bias=True"),
        "the other recurrence": ("build = RNNSearch.build_cell if cls", "build = RNNSearch.build_cell if not cls"),
        "the readout of RNNsearch*": ("readout=RNNSearch.default_readout", "readout=None"),
        "no other readout on RNNsearch": (" and options.readout is None:", ":"),
    }),
    *mutants("lvnmt", "stages/training/check.py", "tests/stages/training/test_supervision.py -k refused", {
        "candidates alone": ('for name, does in learns.items() if does) or', 'for name in ["candidates"]) or'),
    }),
    *mutants("lvnmt supervised_attention", "stages/supervision.py", "tests/stages/test_supervision.py", {
        "links or candidates": ('            if "candidates" in', '            elif "candidates" in'),
        "no candidates": ('if "candidates" in settings', 'if "candidate" in settings'),
    }),
    *mutants("attnmt", "stages/training/arguments.py", REACH, {
        "rho is fairseq's": ('"adadelta-rho": optimizer.rho, ', ""),
        "epsilon is fairseq's": (', "adadelta-eps": optimizer.eps}', "}"),
        "no momentum": ('"momentum": optimizer.momentum', '"momentum": 0.0'),
        "Adam whatever was asked for": ('"optimizer": "sgd"', '"optimizer": "fused_adamw"'),
        "no weight decay": ('"weight-decay": optimizer.weight_decay', '"weight-decay": 0.0'),
        "a mean over pieces": ('["--sentence-avg"] if', '[] if'),
        "batches of eights": ("math.gcd(training.max_sentences, 8)", "8"),
        "no limit of sentences": ('"batch-size": training.max_sentences,', ""),
        "no limit of pieces beside sentences":
            ("if training.max_tokens is None else", "if training.max_sentences else"),
        "never annealed": ("if training.first_annealed is not None:", "if False:"),
    }),
    *mutants("attnmt", "stages/settings/machine.py", VALUES, {
        "one thread more": ("threads > PER_CORE * cores", "threads > PER_CORE * cores + 1"),
    }),
    *mutants("attnmt", "stages/training/batch_limits.py", "tests/stages/training/test_batch_limits.py -k 'that'", {
        "eos is not counted": ('side.count(" ") + 2', 'side.count(" ") + 1'),
        "what is left out is refused": ("left_out(lengths[0], lengths[1], settings.max_length)", "False"),
        "long pairs of dev are let through": ('name == "train" and left_out', "left_out"),
        "dev is not looked at": ('for name in ("train", *held_out):', 'for name in ("train",):'),
        "any number of positions": ("if length > min(most, room)]", "if length > room]"),
        "tests need room in a batch": ("(settings.max_tokens if batched else None)", "settings.max_tokens"),
    }),
)  # fmt: skip
