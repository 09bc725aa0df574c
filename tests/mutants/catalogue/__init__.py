"""The mutants, one file for each family of systems, and some for the stages and the kernels."""

from . import (
    agreement,
    alignments,
    bases,
    bridging,
    candidates,
    cohn,
    coverage,
    coverage_embeddings,
    dropout,
    feng,
    histories,
    kernels_cpp,
    loop,
    luong,
    luong_local,
    measures_attention,
    measures_text,
    mechanisms,
    recipes,
    recurrent_attention,
    scoring,
    sparse_attention,
    statistics,
    training,
    transfer,
    translating,
)

MUTANTS = (
    *bases.MUTANTS,
    *loop.MUTANTS,
    *histories.MUTANTS,
    *coverage.MUTANTS,
    *coverage_embeddings.MUTANTS,
    *bridging.MUTANTS,
    *cohn.MUTANTS,
    *agreement.MUTANTS,
    *recurrent_attention.MUTANTS,
    *mechanisms.MUTANTS,
    *luong.MUTANTS,
    *luong_local.MUTANTS,
    *feng.MUTANTS,
    *sparse_attention.MUTANTS,
    *alignments.MUTANTS,
    *candidates.MUTANTS,
    *transfer.MUTANTS,
    *dropout.MUTANTS,
    *recipes.MUTANTS,
)

STAGES = (
    *measures_text.MUTANTS,
    *measures_attention.MUTANTS,
    *scoring.MUTANTS,
    *statistics.MUTANTS,
    *training.MUTANTS,
    *translating.MUTANTS,
)
"""What trains, translates and measures every system."""

KERNELS = kernels_cpp.MUTANTS
"""What takes a compiler to make."""
