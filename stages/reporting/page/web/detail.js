// One sentence: its texts, and what both systems made of it.

function showSentence(set, sides, choice) {
  const { row } = choice;
  const source = set.source[row];
  const gold = set.gold?.[row];
  byId("detail-title").textContent = `Sentence ${row + 1}, ${page.sets[choice.set].name} set`;
  showWords(byId("source"), source);
  byId("references").replaceChildren(...set.references[row].map((line) => element("li", { dir: "auto" }, [line])));
  byId("detail").classList.toggle("has-gold", gold !== undefined);
  byId("weight").textContent = "Point at a cell of a map, or go to it with the arrow keys.";
  ["a", "b"].forEach((side, k) => {
    const { title } = page.systems[choice[side]];
    byId(`title-${side}`).textContent = title;
    byId(`values-${side}`).textContent = valuesOf(sides[k], row);
    showSide({ title, side, source, target: sides[k].target[row], map: sides[k].attention[row], gold });
  });
}

function valuesOf(side, row) {
  const given = Object.keys(MEASURES).filter((measure) => side.values[measure]);
  const texts = given.map((measure) => `${MEASURES[measure].label} ${written(measure, side.values[measure][row])}`);
  return texts.join(" · ");
}

function showSide(sentence) {
  const { side, source, target, map } = sentence;
  showWords(byId(`translation-${side}`), target);
  if (target.length === 0) byId(`translation-${side}`).append(element("em", {}, ["no words"]));
  showWords(byId(`source-${side}`), source, map ? fates(map, target).map(markOf) : []);
  const shown = map ? heatMap(sentence) : element("p", { class: "hint" }, ["This system has no attention to show."]);
  byId(`map-${side}`).replaceChildren(shown);
  if (map) clearHeadings(shown);
}

/** Say the weight of the cell under the pointer or the focus, and light up its two words. */
function showWeight(event) {
  const cell = event.target.closest?.("[data-t]");
  if (!cell) return;
  const table = cell.closest("table");
  const { t, s } = cell.dataset;
  const [across, down] = [table.tHead.rows[0].cells[Number(s) + 1], cell.parentElement.cells[0]];
  const [said, read] = [down, across].map((heading) => element("bdi", { lang: heading.lang }, [heading.textContent]));
  byId("weight").replaceChildren(said, " ← ", read, `: ${cell.dataset.weight}`);
  for (const lit of byId("detail").querySelectorAll(".lit")) lit.classList.remove("lit");
  const side = table.dataset.side;
  const partners = [
    across,
    down,
    byId(`source-${side}`).querySelector(`[data-place="${s}"]`),
    byId(`translation-${side}`).querySelector(`[data-place="${t}"]`),
  ];
  for (const partner of partners) partner?.classList.add("lit");
}

/** The focused cell is the one to come back to. */
function keepCell(event) {
  const cell = event.target.closest("[data-t]");
  if (!cell) return;
  for (const other of cell.closest("table").querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
  cell.tabIndex = 0;
}
