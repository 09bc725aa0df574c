"""gpu.json as a page."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from benchmarks.gpu.aims import aim_of, reached
from benchmarks.gpu.parts import PARTS
from benchmarks.spread import NONE, number

SOME = 3  # parameters of a test that fails that are named
Found = dict[str, Any]


def page(content: Found) -> str:
    """Markdown."""
    parts = content["parts"]
    lines = [*_head(content), *_summary(parts)]
    for part in PARTS:
        if part.name in parts:
            body = SECTIONS[part.name](parts[part.name]["found"]) if parts[part.name]["found"] else []
            lines += [f"## {part.title}", "", *body, *([""] if body else [])]
    return "\n".join(lines).rstrip() + "\n"


def _head(content: Found) -> list[str]:
    machine = {name: value for name, value in content["machine"].items() if value is not None}
    if "gpu_bytes" in machine:
        machine["gpu_bytes"] = f"{machine['gpu_bytes'] / 2**30:.0f} GiB"
    named = [f"{name} {value}" for part in (machine, content["versions"]) for name, value in part.items() if value]
    title = "# On a GPU" if not content["smoke"] else "# On a GPU: the smoke form, on a CPU"
    return [title, "", "Made by `make gpu`.", "", "; ".join(named) + ".", ""]


def _summary(parts: dict[str, Found]) -> list[str]:
    """What passes, first; then every part."""
    run = [(part, parts[part.name]) for part in PARTS if part.name in parts]
    well = [f"{part.title} ({what})" for part, one in run if (what := _passing(part.name, one))]
    lines = [f"**Passes:** {'; '.join(well) or 'nothing'}.", ""]
    lines += [f"**Fails:** {part.title}: {one['failure']}." for part, one in run if one["failure"]]
    lines += [f"**Since then:** {one['since']}" for _, one in run if one.get("since")]
    missing = [part.title for part in PARTS if part.name not in parts]
    lines += [f"**Has not run:** {'; '.join(missing)}."] if missing else []
    rows = [
        [part.title, one.get("date") or NONE, one.get("commit") or NONE, f"{one['seconds']:.0f} of {one['limit']}",
         one["failure"] or "all is well"]
        for part, one in run
    ]  # fmt: skip
    apart = [part for line in lines if line for part in (line, "")]
    return [*apart, *_table(["part", "date", "commit", "seconds", "outcome"], rows), ""]


def _passing(name: str, one: Found) -> str:
    """How many of what are well; empty if the part has failed, but for tests, each of which speaks for itself."""
    found = one["found"]
    if found and name == "waiting_tests":
        return f"{found['counts']['passed']} of {sum(found['counts'].values())} tests"
    if one["failure"] or (found and "skipped" in found):
        return ""
    what, of = COUNTED[name]
    missed = f", {len(found['missed'])} not reached" if found and found.get("missed") else ""
    return f"{len(found[of])} {what}{missed}" if found else "all of it"


COUNTED = {
    "kernels": ("checks", "checks"), "waiting_tests": ("tests", "counts"), "parity": ("systems", "systems"),
    "aims": ("measurements", "rows"), "speed": ("measurements", "rows"), "training": ("systems", "systems"),
}  # fmt: skip


def _kernels(found: Found) -> list[str]:
    if not found["checks"]:
        return ["There is no Triton, or nothing that its kernels run on."]
    rows = [
        [
            one["kernel"], one["type"], number(one["difference"], ".1e"), f"{one['allowed']:.0e}",
            f"{one['first_seconds']:.2f}", f"{one['again_seconds']:.3f}", one["objection"] or "serves",
        ]
        for one in found["checks"]
    ]  # fmt: skip
    again = sum(one["again_seconds"] for one in found["checks"])
    heads = ["kernel", "type", "difference", "allowed", "first check, s", "compiled, s", "verdict"]
    return [*_table(heads, rows), "", f"All checks take {again:.2f} s when the kernels are compiled already."]


def _tests(found: Found) -> list[str]:
    counts = ", ".join(f"{count} {name}" for name, count in found["counts"].items() if count)
    return [f"{counts}.", *([""] if found["failures"] else []), *_items(found["failures"])]


def _items(failures: dict[str, str]) -> Iterator[str]:
    """A line for all parameters of a test that say the same."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name, reason in failures.items():
        test, _, parameters = name.partition("[")
        groups.setdefault((test, reason), []).append(parameters.removesuffix("]"))
    for (test, reason), of in groups.items():
        some = ", ".join(filter(None, of[:SOME])) + (", …" if len(of) > SOME else "")
        times = f", {len(of)} times" if len(of) > 1 else ""
        yield f"- `{test}`{times}{f' ({some})' if some else ''}: {reason or 'its reason was not kept'}"


COMPARED = ("fp64", "fp32", "graphs", "bf16_products")
"""Names of `benchmarks.gpu.parity.ROWS`, which takes fairseq to be imported."""


def _parity(found: Found) -> list[str]:
    rows = [
        [
            f"`{one['system']}`", *(number(one.get(name), ".1e") for name in COMPARED),
            one["failure"] or "equal",
        ]
        for one in found["systems"]
    ]  # fmt: skip
    return [
        "Largest difference of loss, logits and gradients from those in fp64 on the CPU, relative to the largest",
        "number of each tensor; graphs: fp32 with CUDA graphs; bf16_products: with graphs and rounded factors, beside",
        "fp32 on the CPU with rounded factors (–: no pass was replayed, or this was not asked yet).",
        "",
        *_table(["system", *COMPARED, "verdict"], rows),
    ]


def _aims(found: Found) -> list[str]:
    rows = [
        [f"`{row['system']}`", str(row["processes"]), "yes" if row["mps"] else "no",
         f"{row['tokens_per_second']:,.0f}", aim_of(row), number(reached(row, found["rows"]), ".0%")]
        for row in found["rows"]
    ]  # fmt: skip
    heads = ["system", "processes", "MPS", "tokens/s", "aim", "reached"]
    return ["Target pieces a second of all processes, with CUDA graphs and TF32; H = 512, B = 50, S = T = 20.", "",
            *_table(heads, rows)]  # fmt: skip


def _speed(found: Found) -> list[str]:
    lines = [
        "tokens/s: target pieces a second in training, median of the steps; with CUDA graphs beside it. Of FLOP limit:",
        "the time of the necessary matrix products by themselves, at their shapes and precision, over that of the",
        "quicker step. Of launch limit: T (4 + 8) dependent kernels of 2 µs over the time of the decoder, forward and",
        "backward. Share: of the decoder in the whole step. Sentences/s: beam search of 10.",
        "",
    ]
    groups: dict[tuple[str, str], list[Found]] = {}
    for row in found["rows"]:
        groups.setdefault((row["size"]["name"], row["precision"]), []).append(row)
    for (_, precision), rows in groups.items():
        size = rows[0]["size"]
        title = ", ".join(f"{name} = {size[name]:,}" for name in ("H", "S", "T", "B", "V"))
        lines += [f"### {title}, {precision}", "", *_table(SPEED_HEADS, (_speed_row(row) for row in rows)), ""]
    if found["missed"]:
        lines += [f"Not reached within the time: {'; '.join(found['missed'])}."]
    return lines


SPEED_HEADS = [
    "system", "tokens/s", "with graphs", "GFLOP", "of FLOP limit", "decoder, ms", "share", "with graphs", "share",
    "of launch limit", "sentences/s", "memory, MB",
]  # fmt: skip


def _speed_row(row: Found) -> list[str]:
    if row["failure"]:
        return [f"`{row['system']}`", row["failure"], *[NONE] * (len(SPEED_HEADS) - 2)]
    graphs = row["graphs_decoder_seconds"]
    return [
        f"`{row['system']}`", f"{row['tokens_per_second']['median']:,.0f}",
        number(row["graphs"] and row["graphs"]["median"], ",.0f"), number(row["gigaflop"], ",.0f"),
        number(row["of_flop_limit"], ".0%"), f"{1000 * row['decoder_seconds']:.1f}", f"{row['decoder_share']:.0%}",
        number(graphs and 1000 * graphs, ".1f"), number(row["graphs_decoder_share"], ".0%"),
        f"{row['of_launch_limit']:.0%}",
        number(row["sentences_per_second"], ".1f"), f"{row['peak_bytes'] / 1e6:,.0f}",
    ]  # fmt: skip


def _training(found: Found) -> list[str]:
    if "skipped" in found:
        return [f"Skipped: {found['skipped']}"]
    rows = [
        [
            f"`{one['variant']}`", f"{one['train_tokens_per_second']:,.0f}", str(one["updates"]),
            f"{one['wall_seconds']:.0f}", ", ".join(f"{epoch['dev_bleu']:.2f}" for epoch in one["curve"]),
        ]
        for one in found["systems"]
    ]  # fmt: skip
    corpus = found["settings"]["corpus"]
    training = found["settings"]["training"] | found["systems"][0].get("auto", {})
    names = ("max_tokens", "length_multiple", "precision", "cuda_graphs")
    named = {"kind": corpus["kind"], **{name: str(training[name]).lower() for name in names}}
    heads = ["system", "tokens/s", "updates", "seconds", "dev BLEU of each epoch"]
    return [", ".join(f"{name} {value}" for name, value in named.items()) + ".", "", *_table(heads, rows)]


SECTIONS: dict[str, Callable[[Found], list[str]]] = {
    "kernels": _kernels, "waiting_tests": _tests, "parity": _parity, "aims": _aims, "speed": _speed,
    "training": _training,
}  # fmt: skip


def _table(heads: list[str], rows: Iterable[list[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
