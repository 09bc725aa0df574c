"""An artificial study: the stages, settings and arrows of this project's, whose commands write one line and end."""

import re
import shutil
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]

SYSTEMS = 50
"""At most; a larger study has more seeds."""

SCRIPT = r"""# Stands for a stage: makes what other stages read of its output, a line each.
module=$1; shift
while [ $# -gt 0 ]; do
    case $1 in --out*) out="$out $2" ;; --variant) variant=$2 ;; --seed) seed=$2 ;; --smaller) : ;; esac
    shift
done
for one in $out; do
    case $module in
    stages.check | stages.candidates) mkdir -p "$(dirname "$one")"; echo "$module" >"$one" ;;
    stages.manifest)
        mkdir -p "$one/train" "$one/evaluate"
        for stage in STAGES; do [ -d "$one/$stage" ] || echo "$stage" >"$one/$stage"; done
        for name in NAMES; do echo "$name" >"$one/train/$name"; echo "$name" >"$one/evaluate/$name"; done ;;
    stages.supervision) for name in NAMES; do mkdir -p "$one/$name"; echo "$name" >"$one/$name/nothing"; done ;;
    stages.initialise) for name in SEEDS; do mkdir -p "$one/$name"; echo "$name" >"$one/$name/nothing"; done ;;
    stages.train)
        mkdir -p "$one"
        for file in model.pt training.json log.txt curve.csv; do echo "$variant $seed $file" >"$one/$file"; done ;;
    stages.report)
        mkdir -p "$one/tables" "$one/figures" "$one/latex" "$one/vector"
        for file in README.md metrics.json summary.json learning_curves.csv examples.md comparisons.json index.html \
            tables/main.md figures/one latex/one vector/one; do echo "$file" >"$one/$file"; done ;;
    *) mkdir -p "$one"; echo "$module $variant $seed" >"$one/nothing" ;;
    esac
done
"""


def write_study(folder: Path, runs: int) -> list[str]:
    """Make a DVC repository below `folder` with so many systems × seeds; the names of its systems.

    Commands are as long as the real ones, and say what to write too; code is a file or two, for DVC to hash.
    """
    pipeline = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))
    params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    count = min(runs, SYSTEMS)
    rows = params["sets"]["all"][:count]
    fine_tuned = {name: base for name, base in params["fine_tuned_sets"]["all"].items() if base in rows}
    fine_tuned = dict(list(fine_tuned.items())[: count - len(rows)])
    seeds = list(range(1, runs // count + 1))
    params |= {"systems": rows, "fine_tuned": fine_tuned, "seeds": seeds, "also_reverse": [], "training_sizes": []}
    for key in ("defaults", "studies", "sets", "fine_tuned_sets"):
        params.pop(key)
    folder.mkdir(parents=True)
    (folder / ".dvc").mkdir()
    (folder / ".dvc" / "config").write_text("[core]\n    analytics = false\n    no_scm = True\n", encoding="utf-8")
    for name in (".dvcignore", "requirements.lock"):
        shutil.copyfile(ROOT / name, folder / name)
    names = [*rows, *fine_tuned]
    stages = {block["cmd"][-1].split()[2].removeprefix("stages.") for block in _blocks(pipeline)} - {
        "check",
        "manifest",
    }
    script = SCRIPT.replace("STAGES", " ".join(sorted(stages))).replace("NAMES", " ".join(names))
    (folder / "nothing.sh").write_text(script.replace("SEEDS", " ".join(map(str, seeds))), encoding="utf-8")
    for block in _blocks(pipeline):
        block["cmd"] = [*block["cmd"][:-1], _nothing(block)]
    for name in ("stages", "fairseq_plugins/models", "fairseq_plugins/terms", "fairseq_plugins/mechanisms"):
        (folder / name).mkdir(parents=True)
        (folder / name / "code.txt").write_text(f"{name}\n", encoding="utf-8")
    for name, content in (("dvc.yaml", {"stages": pipeline["stages"]}), ("params.yaml", params)):
        (folder / name).write_text(yaml.safe_dump(content, sort_keys=False, width=1000), encoding="utf-8")
    return names


def _blocks(pipeline: dict[str, Any]) -> list[dict[str, Any]]:
    blocks = [block.get("do", block) for block in pipeline["stages"].values()]
    for block in blocks:
        block["cmd"] = [block["cmd"]] if isinstance(block["cmd"], str) else list(block["cmd"])
    return blocks


def _nothing(block: dict[str, Any]) -> str:
    """In the place of the stage's command: one that is told what to write."""
    paths = [next(iter(out)) if isinstance(out, dict) else out for out in block["outs"]]
    reports = {path.rpartition("/")[0] for path in paths if path.startswith("reports/")}
    outs = "".join(f" --out '{path}'" for path in (reports if len(paths) > 5 else paths))
    return re.sub(r"^python -m (?=stages)", "sh nothing.sh ", block["cmd"][-1]) + outs
