"""One whole attention mechanism per file: what cannot be said as a term inside the tanh of additive attention."""
