"""The encoder, the one decoder loop, the two protocols and the model base that every system stands on."""

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
