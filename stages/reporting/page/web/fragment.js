// What is shown as a link: #set=test&a=ba_nmt&b=rnnsearch_star&row=12&sort=bleu&q=word&min=5&max=30

const SORTS = ["position", "length", "bleu", "aer", "over-translation"];
const setAt = (name) => page.sets.findIndex((one) => one.name === name);
const systemAt = (name) => page.systems.findIndex((one) => one.name === name);
const whole = (text) => (/^\d+$/.test(text ?? "") ? Number(text) : null);
const hasFragment = () => location.hash.length > 1;

/** Sorts that both systems have values for. */
const sortsOf = ({ set, a, b }) =>
  SORTS.filter((sort, k) => k < 2 || [a, b].every((system) => page.sets[set].measures[system].includes(sort)));

/** The choice in the address; what it does not name, or names wrongly, is as at first. */
function readFragment() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const set = Math.max(setAt(asked.get("set")), 0);
  const system = (name, first) => systemAt(systemAt(name) < 0 ? first : name);
  return applicable({
    set,
    a: system(asked.get("a"), page.first[0]),
    b: system(asked.get("b"), page.first[1]),
    row: whole(asked.get("row")) ?? 0,
    sort: asked.get("sort"),
    q: asked.get("q") ?? "",
    min: whole(asked.get("min")),
    max: whole(asked.get("max")),
  });
}

/** The choice with a row and a sort that the set has. */
function applicable(choice) {
  return {
    ...choice,
    row: choice.row < page.sets[choice.set].sentences ? choice.row : 0,
    sort: sortsOf(choice).includes(choice.sort) ? choice.sort : "position",
  };
}

function writeFragment({ set, a, b, row, sort, q, min, max }) {
  const named = { set: page.sets[set].name, a: page.systems[a].name, b: page.systems[b].name, row, sort, q, min, max };
  const given = Object.entries(named).filter(([, value]) => value !== null && value !== "");
  history.replaceState(null, "", `#${new URLSearchParams(given)}`);
}
