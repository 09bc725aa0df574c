// What attention says of a sentence, as stages/measures/hard_links.py (eos: drop) and stages/measures/rot.py define it.

/** The weight in [0, 1] of target word t and source word s; the last of each may be the end of sentence. */
const weightOf = (map, t, s) => map.weights[t * map.columns + s] / page.levels;

/** Per target word the source word with the highest weight, the first of equals; null for the end of sentence. */
function strongest(map, targetLength) {
  return Array.from({ length: targetLength }, (_, t) => {
    let best = 0;
    for (let s = 1; s < map.columns; s += 1) if (weightOf(map, t, s) > weightOf(map, t, best)) best = s;
    return best < map.columns - 1 && weightOf(map, t, best) > 0 ? best : null;
  });
}

/** Per source word {repeats: t(w), linked}: target words too many, and whether any target word looks at it most. */
function fates(map, target) {
  const said = Array.from({ length: map.columns - 1 }, () => []);
  strongest(map, target.length).forEach((s, t) => {
    // Nearly Python's casefold: ß is ss, and the two small sigmas are one.
    if (s !== null) said[s].push(target[t].toUpperCase().toLowerCase());
  });
  return said.map((all) => ({ repeats: all.length - new Set(all).size, linked: all.length > 0 }));
}
