// What the study found of the papers' claims, before everything else; where the page is from, and what is beside it.

function showFindings() {
  const { text, headings, rows } = page.findings;
  byId("findings").append(element("p", {}, [text]));
  if (rows.length > 0) byId("findings").append(scrolled("Claims by verdict", countsOf(headings, rows)));
  byId("made").textContent = page.made;
  byId("links").append(...page.links.map(([title, href]) => element("a", { href }, [title])));
}

function countsOf(headings, rows) {
  const line = (tag, scope, [first, ...others]) => element("tr", {}, [
    element("th", { scope }, [first]),
    ...others.map((text) => element(tag, tag === "th" ? { scope } : {}, [text])),
  ]);
  return element("table", { class: "counts" }, [
    element("thead", {}, [line("th", "col", headings)]),
    element("tbody", {}, rows.map((row) => line("td", "row", row))),
  ]);
}
