"""Is a difference between two systems more than chance: pure functions, no input or output.

Chance has two sources. Another test set of the same kind: `resampling`, `sign_test`, and `multiple` for many systems at
once. Another training of the same system: `seeds`, `seed_spread`. Both together: `crossed`.
"""
