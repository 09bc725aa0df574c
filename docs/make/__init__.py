"""What `make docs` writes: the drawing of the architecture, and the parts of pages that are made from code."""
