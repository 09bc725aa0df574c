"""The command `list`: every variant with its paper, formula, state, loss and size."""
