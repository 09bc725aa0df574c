"""results.json as a page of tables."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.baseline import BASELINES
from benchmarks.decoder_loop import latency_limit
from benchmarks.decoding import BEAM
from benchmarks.rounds import ATTEMPTS, STEPS
from benchmarks.sizes import Size
from benchmarks.spread import NONE, number, shown
from benchmarks.systems import BASE, FAIRSEQ
from stages.files.atomic import new_file

BASELINE_OF = {of: name for name, of in BASELINES.items()}
Row = dict[str, Any]
Column = tuple[str, Callable[[str, Row], str]]

HEAD = """# Benchmark

{machine} {made}

Made by `make bench`, everything in one run. Rounds, in each of which every system is visited once: {repeats}. A visit
builds the system with random weights, warms up with a whole batch and measures {steps} warm steps: those for which the
process has all its memory, as it has for nearly all of a training's. If {attempts} attempts yield fewer, others count
too; {warm}. Baselines in a process of their own have {steps} steps as they come. Numbers are medians, with the least
and the greatest in brackets. A system is left out unless the tests that hold its logits, losses and gradients to its
reference implementation (`tests/naive`) pass at that moment. Sentences of equal length, E = H = A = R = D; states of
coverage, coverage embeddings and recurrent attention are 100 wide, as in the papers' code.

- **tokens/s**: target pieces a second in training: forward, label-smoothed and auxiliary losses, backward, clipping,
  the study's Adam, fairseq's LSTM and Transformer too (of the baselines below, those as they come have PyTorch's).
- **× base, × LSTM, × unoptimised**: how many times faster than `{base}`, than fairseq's own `lstm` (`{lstm}`:
  bidirectional encoder, attention, one layer, equal sizes, fairseq's own label-smoothed loss), and than the
  unoptimised baseline of the same system (`baseline.py`: batched, torch's own layers, nothing hoisted but the encoder;
  in a process of its own, with PyTorch's Adam and memory as they come). Those called `…_tuned` have the study's
  optimiser and settings of the process.
- **bf16 tokens/s, × fp32**: with `training.precision: bf16_products`, each step after one in fp32 with which it is
  compared; fairseq's own and the unoptimised baselines have no such products. Everything else is fp32.
- **GFLOP/s**: of those products by themselves, in fp32 and with factors in bf16 that have been rounded beforehand.
- **of limit**: the share of a step's time that its necessary matrix products take by themselves (–: nobody has counted
  them), each timed warm at its own shape and layout, after every step: others may use the machine too, and change its
  speed within seconds. `products/` derives them from the formulas after hoisting: forward, gradients of inputs, and
  gradients of weights, in the loop as one product after it. Products alone: no look-up of embeddings, tanh, softmax,
  v^T tanh, outer product or optimiser.
- **sentences/s**: beam search of {beam} through the study's own decoding; every translation has T pieces; bf16
  sentences/s: with `decoding.precision: bf16_products`.
- **memory**: the most that torch has allocated during forward and backward, above model, gradients and moments, as a
  multiple of `{base}`'s.
"""
TOOLKITS = f"""## Other toolkits

Additive attention and one layer on either side in other toolkits, from PyPI, each in an environment of its own but with
the study's torch; equal hidden widths, lengths in training, batch, threads and label smoothing, random words. Not all
is equal: eole's annotations are H wide (ours and JoeyNMT's: 2H), and its attention stands outside the recurrence. In
runs before 2026-12-01 ours translated sentences of 16 positions, theirs of 15. × `{BASE}`: how many times faster
`{BASE}` trains and translates, in the same run.

| toolkit | tokens/s | × `{BASE}` | sentences/s | × `{BASE}` | |
|---|---:|---:|---:|---:|---|"""


def write_report(content: dict[str, Any], path: Path) -> None:
    """The page of what ``Results.summary`` returned."""
    parts = [_head(content)]
    parts += [_speed(size) for size in content["sizes"].values()]
    parts += [toolkits_table(content)]
    dropped = [f"- `{name}`: {reason}" for name, reason in content["dropped"].items()]
    parts += ["\n".join(["## Left out\n", *dropped, ""])] if dropped else []
    with new_file(path) as handle:
        handle.write("\n".join(part for part in parts if part))


def _head(content: dict[str, Any]) -> str:
    machine, versions = content["machine"], content["versions"]
    memory = f", {machine['memory_bytes'] / 2**30:.0f} GiB of memory" if machine["memory_bytes"] else ""
    gpu = f", {machine['gpu']}" if machine["gpu"] else ""
    software = ", ".join(f"{name} {found}" for name, found in versions.items())
    described = (
        f"{machine['processor']}, {machine['cores']} cores, {machine['threads']} threads{memory}{gpu}; {software}."
    )
    made = f"Measured on {content['date']}, commit {content['commit'] or 'not kept'}."
    kept = any(row["warm"] is not None for size in content["sizes"].values() for row in size["systems"].values())
    warm = "tokens/s says how many are warm" if kept else "this run did not keep how many"
    return HEAD.format(
        machine=described, made=made, repeats=content["repeats"], steps=STEPS, attempts=ATTEMPTS, warm=warm, beam=BEAM,
        base=BASE, lstm=FAIRSEQ,
    )  # fmt: skip


def _speed(size: dict[str, Any]) -> str:
    """One size; rows in the order of params.yaml, then fairseq's LSTM and the baselines."""
    rows: dict[str, Row] = size["systems"]

    def speed(name: str) -> float | None:
        return rows[name]["tokens_per_second"]["median"] if name in rows else None

    def times_faster(other: str | None) -> Callable[[str, Row], str]:
        def cell(name: str, row: Row) -> str:
            reference = speed(other or BASELINE_OF.get(name, ""))
            return f"{row['tokens_per_second']['median'] / reference:.2f}" if reference else NONE

        return cell

    def memory(name: str, row: Row) -> str:
        reference = rows[BASE]["peak_bytes"] if BASE in rows else None
        return f"{row['peak_bytes']['median'] / reference['median']:.2f}" if row["peak_bytes"] and reference else NONE

    columns: list[Column] = [
        ("system", lambda name, row: f"`{name}`"),
        ("tokens/s", lambda name, row: shown(row["tokens_per_second"]) + _cold(row)),
        ("forward, ms", lambda name, row: f"{1000 * row['forward_seconds']['median']:.0f}"),
        ("backward, ms", lambda name, row: f"{1000 * row['backward_seconds']['median']:.0f}"),
        ("× base", times_faster(BASE)),
        ("× LSTM", times_faster(FAIRSEQ)),
        ("× unoptimised", times_faster(None)),
        ("GFLOP", lambda name, row: number(row["gigaflop"], ".0f")),
        ("GFLOP/s", lambda name, row: _rate(row, row["product_seconds"])),
        ("of limit", lambda name, row: _percent(row["fraction_of_limit"])),
        ("bf16 tokens/s", lambda name, row: _of_rounded(row, "tokens_per_second", shown)),
        ("× fp32", lambda name, row: _of_rounded(row, "times", lambda found: f"{found['median']:.2f}")),
        ("bf16 GFLOP/s", lambda name, row: _of_rounded(row, "product_seconds", lambda found: _rate(row, found))),
        ("of limit", lambda name, row: _of_rounded(row, "fraction_of_limit", _percent)),
        ("sentences/s", lambda name, row: shown(row["sentences_per_second"])),
        ("bf16 sentences/s", lambda name, row: shown(row["rounded_sentences_per_second"])),
        ("memory", memory),
    ]
    if any(row["decoder_seconds"] for row in rows.values()):
        least = latency_limit(Size(**{name: size[name] for name in Size._fields}))
        columns += [
            ("decoder, ms", lambda name, row: f"{1000 * row['decoder_seconds']['median']:.1f}"),
            ("of its latency limit", lambda name, row: f"{least / row['decoder_seconds']['median']:.0%}"),
        ]
    title = f"## H = {size['H']}, S = {size['S']}, T = {size['T']}, B = {size['B']}, V = {size['V']:,}\n"
    lines = [f"| {' | '.join(heading for heading, _ in columns)} |", "|---" + "|---:" * (len(columns) - 1) + "|"]
    lines += [f"| {' | '.join(cell(name, row) for _, cell in columns)} |" for name, row in rows.items()]
    return "\n".join([title, *lines, ""])


def toolkits_table(content: dict[str, Any]) -> str:
    """Of what ``Results.summary`` returned; empty where no toolkit was measured."""
    found: dict[str, dict[str, Any]] = content["toolkits"]
    lines = [TOOLKITS] if found else []
    for name, row in found.items():
        base = content["sizes"][row["size"]]["systems"].get(BASE, {})
        cells = [f"`{name}`"]
        for key in ("tokens_per_second", "sentences_per_second"):
            cells += [shown(row[key]), _times(base.get(key), row[key])]
        said = f"{row['title']}; failed: {row['failed']}" if row["failed"] else row["title"]
        lines.append(f"| {' | '.join(cells)} | {said} |")
    return "\n".join([*lines, ""]) if lines else ""


def _times(base: dict[str, float] | None, other: dict[str, float] | None) -> str:
    return f"{base['median'] / other['median']:.2f}" if base and other else NONE


def _percent(found: dict[str, float] | None) -> str:
    if found is None:
        return NONE
    if found["min"] == found["max"]:
        return f"{found['median']:.0%}"
    return f"{found['median']:.0%} ({found['min']:.0%}–{found['max']:.0%})"


def _cold(row: Row) -> str:
    """That some steps were not warm; nothing where nobody looked."""
    return f", {row['warm']} of {row['steps']} warm" if row["warm"] is not None and row["warm"] < row["steps"] else ""


def _rate(row: Row, seconds: dict[str, float] | None) -> str:
    """Of the products by themselves."""
    return f"{row['gigaflop'] / seconds['median']:,.0f}" if seconds else NONE


def _of_rounded(row: Row, key: str, show: Callable[[dict[str, float]], str]) -> str:
    return show(row["rounded"][key]) if row["rounded"] and row["rounded"][key] else NONE
