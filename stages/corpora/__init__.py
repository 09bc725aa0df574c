"""Where sentences come from: one module a kind of corpus."""
