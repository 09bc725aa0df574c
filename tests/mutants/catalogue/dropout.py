"""Where dropout applies."""

from ..mutant import mutants

TESTS = "tests/fairseq_plugins/core/test_dropout.py"

MUTANTS = (
    *mutants("rnnsearch_star rnnsearch rnnencdec", "fairseq_plugins/core/decoder.py", TESTS, {
        "dropout on s_i instead of t_i": (
            "return self.readout_dropout(self.readout(states, embeddings, contexts, named))",
            "return self.readout(self.readout_dropout(states), embeddings, contexts, named)",
        ),
        "no dropout of the readout": (
            "return self.readout_dropout(self.readout(states, embeddings, contexts, named))",
            "return self.readout(states, embeddings, contexts, named)",
        ),
        "the readout with the rate of the embeddings":
            ("self.readout_dropout = nn.Dropout(readout_dropout)", "self.readout_dropout = nn.Dropout(embed_dropout)"),
        "target embeddings with the rate of the readout":
            ("self.embed_dropout = nn.Dropout(embed_dropout)", "self.embed_dropout = nn.Dropout(readout_dropout)"),
        "no dropout of target embeddings":
            ("embeddings = self.embed_dropout(self.embed_tokens(tokens))", "embeddings = self.embed_tokens(tokens)"),
    }),
    *mutants("rnnsearch_star rnnsearch rnnencdec bridging_source bridging_target", "fairseq_plugins/core/encoder.py",
        TESTS, {
        "no dropout of source embeddings": (
            "embeddings = self.embed_dropout(self.embed_tokens(src_tokens))",
            "embeddings = self.embed_tokens(src_tokens)",
        ),
        "bridging is given E_x without dropout": (
            "Source(src_tokens, mask, embeddings, hidden,",
            "Source(src_tokens, mask, self.embed_tokens(src_tokens), hidden,",
        ),
        "the RNN reads E_x without dropout":
            ("self.recur(embeddings, mask)", "self.recur(self.embed_tokens(src_tokens), mask)"),
        "no dropout of annotations": ("        hidden = self.annotation_dropout(hidden)\n", ""),
        "annotations with the rate of the embeddings": (
            "self.annotation_dropout = nn.Dropout(annotation_dropout)",
            "self.annotation_dropout = nn.Dropout(embed_dropout)",
        ),
    }),
)  # fmt: skip
