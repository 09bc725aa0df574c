"""Guard of every stage: names in params.yaml are names, or nothing runs.

DVC writes them into commands, paths and names of stages as they stand, and a shell reads the commands. So every `cmd`
in dvc.yaml begins with this one, into which nothing is written, and DVC runs what follows only if it succeeds.
"""

from stages.files.errors import InputError
from stages.files.main import run
from stages.files.strict_yaml import read_yaml
from stages.settings.names import PARAMS, wrong_names


def main() -> None:
    content = read_yaml(PARAMS)
    if not isinstance(content, dict):
        raise InputError(f"{PARAMS} must be a mapping of settings")
    if wrong := list(wrong_names(content)):
        raise InputError(f"{PARAMS}: " + "; ".join(wrong))


if __name__ == "__main__":
    run(main)
