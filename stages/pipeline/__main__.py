"""`python -m stages.pipeline`: `make repro`, which a signal stops with one line from its first moment on.

What the runner imports takes a second, in which Ctrl-C would print where in DVC Python was. Some of it is no Python,
and makes an error of its own of what a signal raises there: so it waits until all is imported.
"""

from stages.pipeline.stopping import held, stoppable


def main() -> None:
    with held():
        from stages.files.main import run
        from stages.pipeline.repro import main

    run(main)


if __name__ == "__main__":
    stoppable(main)
