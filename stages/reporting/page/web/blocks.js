// The data: small things at once, sentences when they are needed. stages/reporting/page/blocks.py says what is in them.

const page = JSON.parse(byId("data").textContent);
const words = (line) => (line === "" ? [] : line.split(" "));
const opened = new Map();

async function inflate(base64) {
  const packed = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function readBlock(name) {
  const block = JSON.parse(byId(`block-${name}`).textContent);
  const text = JSON.parse(new TextDecoder().decode(await inflate(block.text)));
  return { ...text, weights: block.weights && (await inflate(block.weights)) };
}

/** What `read` makes of a block, once. */
function once(name, read) {
  if (!opened.has(name)) opened.set(name, readBlock(name).then(read));
  opened.get(name).catch(() => opened.delete(name)); // another try may do
  return opened.get(name);
}

/** A set: source and references as lists of words, gold links. */
function openSet(set) {
  return once(`${set}`, (block) => ({ ...block, source: block.source.map(words) }));
}

/** A system on an opened set: its translations, its values and, per sentence, its attention or null. */
function openSide(set, { source, references }, system) {
  return once(`${set}-${system}`, ({ target, rows, weights, ...values }) => {
    let from = 0;
    const attention = source.map(({ length }, row) => {
      if (!weights) return null;
      const map = { rows: rows[row], columns: length + 1, weights: weights.subarray(from) };
      from += map.rows * map.columns;
      return map;
    });
    return { values, attention, target: (target ?? references.map(([only]) => only)).map(words) };
  });
}
