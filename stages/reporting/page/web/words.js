// A line of words, each an element of its own; a word of another direction does not turn its neighbours round.

const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** That of the first letter, as browsers have it for `dir="auto"`, which does not look into elements with a `dir`. */
function directionOf(line) {
  return FROM_RIGHT.test(/\p{L}/u.exec(line.join(""))?.[0] ?? "") ? "rtl" : "ltr";
}

function showWords(place, line, marks = []) {
  place.dir = directionOf(line);
  place.replaceChildren(...line.flatMap((word, k) => [wordElement(word, k, marks[k]), " "]));
}

/** mark: {kind, sign, meaning}; the sign is drawn by the style, so that the text stays the word. */
function wordElement(word, place, mark) {
  const made = element("span", { class: "word", dir: "auto", "data-place": place }, [word]);
  if (mark) {
    made.classList.add(mark.kind);
    made.dataset.mark = mark.sign;
    made.title = mark.meaning;
  }
  return made;
}

/** What became of a source word, for all that see or hear it. */
function markOf({ repeats, linked }) {
  if (repeats > 0) return { kind: "over-translated", sign: `+${repeats}`, meaning: `over-translated by ${repeats}` };
  return linked ? undefined : { kind: "untranslated", sign: "∅", meaning: "untranslated" };
}
