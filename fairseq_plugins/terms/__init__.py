"""One idea of one paper per file: what it adds inside the tanh of additive attention, and what it remembers."""
