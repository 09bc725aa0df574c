"""The papers' own tables: their figures as printed, and the study's systems beside them."""
