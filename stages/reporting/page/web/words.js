// A line of words, each an element of its own; a word of another direction does not turn its neighbours round.

function showWords(place, line, marks = []) {
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
