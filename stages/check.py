"""Stage `check`: whatever can be refused before the first sentence is read, in one place that everything depends on.

Every setting and every system of the study, what the report needs that no stage makes, and what would stop it at its
end. Systems are built only where an edit concerns them: to import what builds them takes most of the time.
"""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

from stages.files.main import arguments, run
from stages.files.text import write_lines
from stages.pipeline import packages
from stages.pipeline.packages import CHECKED
from stages.reporting.preconditions import check_report
from stages.settings.params import read
from stages.settings.schema import Params, load

CODE = ("stages", "fairseq_plugins")


def main() -> None:
    arguments(__doc__)
    check(CHECKED)


def check(out: Path) -> None:
    """out: a file; says which systems can be built, and what is installed. Raises InputError for whatever is wrong."""
    params = load()
    check_report(params)
    line = f"these systems can be built: {sum_of_systems(params)}"
    if not out.exists() or line not in out.read_text(encoding="utf-8").splitlines():
        from stages.training.check import check_models

        count = len(params.built)
        print(f"checking that the {f'{count} systems' if count != 1 else 'system'} can be built", flush=True)
        check_models(params)
    write_lines(out, ["params.yaml is in order", line, packages.line()])


def sum_of_systems(params: Params) -> str:
    """Of all that decides whether the systems can be built: their settings, the code, and what it stands on."""
    content = read()
    corpus = content["corpora"][params.corpus]
    settings = {
        "study": [params.corpus, params.systems, params.fine_tuned, params.also_reverse],
        "variants": {name: content["variants"][name] for name in params.built},
        "sizes": {name: one["model"] for name, one in content["corpora"].items()},
        "training": [corpus["training"], corpus["fine_tuning"]],
        "versions": [version(name) for name in ("torch", "fairseq")],
    }
    found = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for path in sorted(path for folder in CODE for path in Path(folder).rglob("*.py")):
        found.update(f"\n{path}\n".encode() + path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    run(main)
