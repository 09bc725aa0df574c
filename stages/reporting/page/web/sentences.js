// The list of sentences.

/** Show `rows`; note: what stands beside a sentence, by row. */
function showList(set, rows, note, language) {
  byId("sentences").replaceChildren(...rows.map((row) =>
    element("li", {}, [
      element("button", { type: "button", "data-row": row, tabindex: -1 }, [
        element("span", { class: "number" }, [`${row + 1}`]),
        element("span", { class: "snippet", dir: "auto", lang: language }, [set.source[row].join(" ")]),
        element("span", { class: "note" }, [note(row)]),
      ]),
    ])));
  const none = rows.length === 0 ? ": none fits, so the last one stays" : "";
  byId("count").textContent = `${rows.length} of ${set.source.length} sentences${none}`;
}

/** Mark the chosen sentence; it, or else the first of the list, is what the tabulator reaches. */
function markChosen(row) {
  const buttons = [...byId("sentences").querySelectorAll("button")];
  const chosen = buttons.find((button) => Number(button.dataset.row) === row);
  for (const button of buttons) {
    button.tabIndex = button === (chosen ?? buttons[0]) ? 0 : -1;
    if (button === chosen) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  if (chosen) reveal(chosen);
}

/** Scroll the list, never the page. */
function reveal(button) {
  const list = byId("sentences");
  const [outer, inner] = [list.getBoundingClientRect(), button.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
