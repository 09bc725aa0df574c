"""Builds the kernels for this machine: ``python -m fairseq_plugins.kernels``."""

import sys

from fairseq_plugins.kernels.native import BuildError, built

if __name__ == "__main__":
    try:
        built()
    except BuildError as error:
        sys.exit(str(error))
