"""`python -m stages.pipeline`: `make repro`, which a signal stops with one line from its first moment on.

What the runner imports takes a second, in which Ctrl-C would print where in DVC Python was.
"""

from stages.pipeline.stopping import stoppable


def main() -> None:
    from stages.files.main import run
    from stages.pipeline.repro import main

    run(main)


if __name__ == "__main__":
    stoppable(main)
