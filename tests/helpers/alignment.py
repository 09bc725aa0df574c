"""Settings of an aligner that is done at once, for the tests."""

from stages.settings.alignment import AlignmentSettings

SETTINGS = AlignmentSettings(model=3, iterations=(2, 2, 4), samplers=2, null_prior=0.2, seed=1)
