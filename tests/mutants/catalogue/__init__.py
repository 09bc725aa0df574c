"""The mutants, one file for each family of systems, and some for the kernels and the report page."""

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
    kernels_cpp,
    loop,
    luong,
    luong_local,
    mechanisms,
    page_list,
    page_maps,
    page_style,
    page_tables,
    page_text,
    recipes,
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
    *recipes.MUTANTS,
)

KERNELS = kernels_cpp.MUTANTS
"""What takes a compiler to make."""

PAGE = (
    *page_text.MUTANTS,
    *page_maps.MUTANTS,
    *page_list.MUTANTS,
    *page_tables.MUTANTS,
    *page_style.MUTANTS,
)
"""What only a browser can notice."""
