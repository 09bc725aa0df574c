// The explorer: one choice, shown by the controls, the list, the sentence and the address.

let choice;
let turn = 0;
let rows = [];
let listShows = "";

async function openChosen() {
  const set = await openSet(choice.set);
  return [set, await Promise.all(SIDES.map((side) => openSide(choice.set, set, choice[side])))];
}

/** Show the choice; a later one overtakes it. */
async function show() {
  turn += 1;
  const mine = turn;
  showControls(choice);
  const [set, sides] = await openChosen();
  if (mine !== turn) return;
  showRows(set, sides);
  showSentence(set, sides, choice);
  markChosen(choice.row);
  writeFragment(choice);
  byId("problem").hidden = true;
  const { name } = page.sets[choice.set];
  byId("detail").dataset.shown = [name, choice.row, ...SIDES.map((side) => page.systems[choice[side]].name)].join("/");
}

/** Build the list anew only if it changes: the focus is in it. */
function showRows(set, sides) {
  const { row, ...others } = choice;
  const shows = JSON.stringify(others);
  if (shows === listShows) return;
  listShows = shows;
  rows = listed(set, sides, choice);
  showList(set, rows, (at) => noteOf(set, sides, at), page.languages[0]);
}

function noteOf(set, sides, row) {
  if (["position", "length"].includes(choice.sort)) return `${set.source[row].length} words`;
  const pair = pairOf(sides, choice.sort, row);
  return pair ? pair.map((value, k) => `${"AB"[k]} ${written(choice.sort, value)}`).join(" · ") : "–";
}

/** Show what the address says. */
function follow() {
  choice = readFragment();
  showFields(choice);
  return show();
}

function choose(change) {
  choice = applicable({ ...choice, ...change });
  return show();
}

/** Choose the sentence at a place of the list, or at its nearer end. */
function go(place) {
  const row = rows[Math.min(Math.max(place, 0), rows.length - 1)];
  if (row !== undefined) choose({ row });
}

/** Control -> what its value changes. */
const CHANGES = {
  set: (value) => ({ set: setAt(value), row: 0 }),
  "system-a": (value) => ({ a: systemAt(value) }),
  "system-b": (value) => ({ b: systemAt(value) }),
  search: (value) => ({ q: value }),
  "min-length": (value) => ({ min: whole(value) }),
  "max-length": (value) => ({ max: whole(value) }),
  sort: (value) => ({ sort: value }),
};

function listen() {
  choice = readFragment(); // a control may be used before the first sentence is shown
  for (const [id, change] of Object.entries(CHANGES)) {
    const kind = byId(id).matches("select") ? "change" : "input";
    byId(id).addEventListener(kind, ({ target }) => choose(change(target.value)));
  }
  byId("sentences").addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button) choose({ row: Number(button.dataset.row) });
  });
  byId("sentences").addEventListener("keydown", walkList);
  byId("previous").addEventListener("click", () => go(rows.indexOf(choice.row) - 1));
  byId("next").addEventListener("click", () => go(rows.indexOf(choice.row) + 1));
  for (const kind of ["pointerover", "focusin"]) byId("detail").addEventListener(kind, showWeight);
  byId("detail").addEventListener("focusin", keepCell);
  addEventListener("hashchange", follow);
}

/** Arrow keys choose the sentence above or below, and the focus goes along. */
function walkList(event) {
  const buttons = [...byId("sentences").querySelectorAll("button")];
  const at = buttons.indexOf(event.target);
  const places = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 };
  if (!(event.key in places)) return;
  event.preventDefault();
  buttons[Math.min(Math.max(places[event.key], 0), buttons.length - 1)].focus({ preventScroll: true });
  go(places[event.key]);
}
