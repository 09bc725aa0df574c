"""Systems that start from the weights of another one."""

from ..mutant import mutants

MUTANTS = mutants(
    "bridging_direct direct_bridging cohn_globalfert cohn_agreement",
    "stages/training/transfer.py",
    "tests/stages/training/test_transfer.py "
    "-k 'taken_over or new_columns or what_is_new or padding or tables or within or not_fit or apart or begins_as'",
    {
        "trained columns behind the new ones": (
            "new[:, : old.shape[1]] = old",
            "new[:, new.shape[1] - old.shape[1] :] = old",
        ),
        "trained columns are lost": ("    new[:, : old.shape[1]] = old\n", ""),
        "what terms add to an input follows a wider context": (
            "if name not in RECURRENCE or old.shape[1] == was:",
            "if True:",
        ),
        "trained weights of the same shape are lost": ("        return old\n", "        return new\n"),
        "new weights are large": ("NEW = 0.01", "NEW = 1"),
        "the other direction takes the place of the first": ("return {prefix + name:", "return {name:"),
        "the embedding of padding is new": (".masked_fill(fresh == 0, 0)", ""),
        "tables of integers are taken over": ("        return fresh\n", "        return trained.get(name, fresh)\n"),
        "a weight without a place is dropped": ("    if lost:\n", "    if False:\n"),
    },
)
