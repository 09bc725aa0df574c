"""One published system per file; the file stem is the ``--arch``."""
