"""The mutants, one file for each family of systems."""

from . import (
    agreement,
    alignments,
    bases,
    bridging,
    candidates,
    cohn,
    coverage,
    coverage_embeddings,
    feng,
    histories,
    loop,
    luong,
    luong_local,
    mechanisms,
    recurrent_attention,
    transfer,
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
    *alignments.MUTANTS,
    *candidates.MUTANTS,
    *transfer.MUTANTS,
)
