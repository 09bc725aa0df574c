// Which sentences are listed, and in which order.

const MEASURES = {
  bleu: { label: "BLEU", digits: 1 },
  aer: { label: "AER", digits: 1 },
  "over-translation": { label: "over-translated", digits: 0 },
};

/** A value of a measure as text; null is a sentence for which it is undefined. */
const written = (measure, value) => value?.toFixed(MEASURES[measure].digits) ?? "–";

/** The values of both systems by a measure; null where one has none. */
function pairOf(sides, measure, row) {
  const pair = sides.map((side) => side.values[measure]?.[row] ?? null);
  return pair.includes(null) ? null : pair;
}

/** Rows of the set that fit the choice; a measure puts first where the systems differ most, and last what has none. */
function listed(set, sides, { sort, q, min, max }) {
  const rows = set.source.map((_, row) => row).filter((row) => {
    const { length } = set.source[row];
    return length >= (min ?? 0) && length <= (max ?? Infinity) && says(set, sides, row, q);
  });
  if (sort === "position") return rows;
  if (sort === "length") return rows.sort((one, other) => set.source[one].length - set.source[other].length);
  const apart = new Map(rows.map((row) => [row, distance(pairOf(sides, sort, row))]));
  return rows.sort((one, other) => apart.get(other) - apart.get(one));
}

/** To three decimals: values have four, so that equal differences stay equal. */
const distance = (pair) => (pair === null ? -1 : Math.round(1000 * Math.abs(pair[0] - pair[1])));

/** Whether source, a reference or a translation has the text; case does not count. */
function says(set, sides, row, text) {
  const wanted = text.trim().toLowerCase();
  const lines = [set.source[row].join(" "), ...set.references[row], ...sides.map((side) => side.target[row].join(" "))];
  return lines.some((line) => line.toLowerCase().includes(wanted));
}
