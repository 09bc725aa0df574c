// Tables that their headings sort.

/** On paper nobody can open what is closed. */
function openOnPaper() {
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...closed, ...document.querySelectorAll("details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
    closed = [];
  });
}

function showTables() {
  byId("tables").append(...page.tables.map(({ title, about, notes, parts }, k) =>
    element("details", k === 0 ? { open: "" } : {}, [
      element("summary", {}, [element("h3", {}, [title])]),
      element("p", { class: "hint" }, [about]),
      ...parts.flatMap((part) => partOf(part, title)),
      element("ul", { class: "hint" }, notes.map((note) => element("li", {}, [note]))),
    ])));
}

function partOf(part, title) {
  const label = part.name ? `${title}: ${part.name}` : title;
  return [...(part.name ? [element("h4", {}, [part.name])] : []), scrolled(label, tableOf(part))];
}

function tableOf({ headings, words, lower, top, rows }) {
  const kind = (column) => ({ class: words.includes(column) ? "words" : "" });
  const heads = headings.map((heading, column) =>
    element("th", { scope: "col", ...kind(column) }, [element("button", { type: "button" }, [heading])]));
  const cellOf = ([text, best, marks], k) =>
    element("td", kind(k + 1), [best ? element("b", {}, [text]) : text, marks]);
  const original = rows.map(([title, ...cells]) =>
    element("tr", {}, [element("th", { scope: "row" }, [title]), ...cells.map(cellOf)]));
  const body = element("tbody", {}, original);
  heads.forEach((head, column) => {
    const numeric = !words.includes(column);
    head.firstChild.addEventListener("click", () => {
      const order = nextOrder(head, !numeric || lower.includes(column));
      for (const other of heads) other.removeAttribute("aria-sort");
      if (order) head.setAttribute("aria-sort", order);
      const below = original.slice(top);
      body.append(...original.slice(0, top), ...(order ? sorted(below, column, order, numeric) : below));
    });
  });
  return element("table", { class: "sortable" }, [element("thead", {}, [element("tr", {}, heads)]), body]);
}

/** The best first, then the worst, then as at first (undefined). up: whether the least is the best. */
function nextOrder(head, up) {
  const orders = up ? ["ascending", "descending"] : ["descending", "ascending"];
  return orders[orders.indexOf(head.getAttribute("aria-sort")) + 1];
}

/** Rows by the column; what has no value stays last. */
function sorted(rows, column, order, numeric) {
  const sign = order === "ascending" ? 1 : -1;
  const keys = new Map(rows.map((row) => {
    const text = row.cells[column].textContent;
    return [row, numeric ? numberIn(text) : text];
  }));
  const compare = (one, other) => (numeric ? one - other : one.localeCompare(other, "en"));
  const known = rows.filter((row) => keys.get(row) !== null);
  known.sort((one, other) => sign * compare(keys.get(one), keys.get(other)));
  return [...known, ...rows.filter((row) => keys.get(row) === null)];
}

/** The first number of a text, a clock time in seconds; null without one. */
function numberIn(text) {
  const clock = /^(\d+):(\d\d):(\d\d)/.exec(text);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const found = /[-+−]?\d[\d,]*(\.\d+)?/.exec(text);
  return found && Number(found[0].replaceAll(",", "").replace("−", "-"));
}
