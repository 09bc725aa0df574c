"""The matrix products that each system cannot do without, from its formulas (never from what the code does)."""
