// The attention of one system for one sentence as a table: source words across, target words down.

const EOS = "</s>";
const SHOWN = 300; // words a side: a browser hangs on millions of cells
// As in stages/reporting/fonts.py: characters, kana, Hangul, their punctuation and widths stand; other words are turned.
const UPRIGHT =
  /^(.|[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]+)$/u;

/** sentence: {title, side, source, target, map, gold}; gold: {sure, possible} or undefined. */
function heatMap(sentence) {
  const { source, target, map } = sentence;
  const across = [...source, EOS].slice(0, SHOWN);
  const down = (map.rows > target.length ? [...target, EOS] : target).slice(0, SHOWN);
  const cut = Math.max(source.length, target.length) >= SHOWN ? ` The first ${SHOWN} words of either side.` : "";
  const head = element("tr", {}, [element("td"), ...across.map((word) => heading(word, "col"))]);
  const rows = down.map((word, t) =>
    element("tr", {}, [heading(word, "row"), ...across.map((_, s) => cell(sentence, across, down, t, s))]));
  const table = element("table", { class: "heat", role: "grid", "data-side": sentence.side }, [
    element("caption", { class: cut ? "hint" : "unseen" }, [
      `Attention of ${sentence.title}.${cut} Arrow keys go through the cells.`,
    ]),
    element("thead", {}, [head]),
    element("tbody", {}, rows),
  ]);
  table.querySelector("[data-t]")?.setAttribute("tabindex", 0);
  table.addEventListener("keydown", walk);
  return table;
}

/** A source word across (scope "col"), a target word down ("row"), in its language. */
function heading(word, scope) {
  const label = element("span", { dir: "auto", title: word, class: UPRIGHT.test(word) ? "upright" : "turned" }, [word]);
  const lang = page.languages[scope === "col" ? 0 : 1];
  return element("th", { scope, lang, class: word === EOS ? "eos" : "" }, [label]);
}

function cell({ map, gold }, across, down, t, s) {
  const weight = weightOf(map, t, s);
  const written = weight.toFixed(2);
  const says = `${down[t]} ← ${across[s]}: ${written}`;
  const made = element("td", { "data-t": t, "data-s": s, "data-weight": written, tabindex: -1, "aria-label": says });
  made.style.setProperty("--shade", `${Math.round(100 * weight ** 0.8)}%`);
  const has = (links) => links?.some(([i, j]) => i === s && j === t);
  for (const [kind, links] of [["sure", gold?.sure], ["possible", gold?.possible]]) {
    if (has(links)) {
      made.classList.add(`gold-${kind}`);
      made.setAttribute("aria-label", `${says}, ${kind} gold link`);
    }
  }
  return made;
}

/** Arrow keys in the table; one cell at a time can be reached by the tabulator. */
function walk(event) {
  const from = event.target.closest("[data-t]");
  const [t, s] = [Number(from?.dataset.t), Number(from?.dataset.s)];
  const steps = { ArrowUp: [t - 1, s], ArrowDown: [t + 1, s], ArrowLeft: [t, s - 1], ArrowRight: [t, s + 1] };
  if (!from || !(event.key in steps)) return;
  event.preventDefault();
  const [row, column] = steps[event.key];
  const to = event.currentTarget.querySelector(`[data-t="${row}"][data-s="${column}"]`);
  to?.focus({ preventScroll: true });
  to?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Cells are scrolled into sight beside the headings, which stay where they are. */
function clearHeadings(table) {
  const across = table.tHead.offsetHeight;
  const down = table.tBodies[0].rows[0]?.cells[0].offsetWidth ?? 0;
  table.parentElement.style.scrollPadding = `${across}px 4px 4px ${down}px`;
}
