// The controls: what they offer, and what they say is chosen.

const SIDES = ["a", "b"];

function fillControls() {
  const option = ({ name, title = name }) => element("option", { value: name }, [title]);
  byId("set").append(...page.sets.map(option));
  for (const side of SIDES) byId(`system-${side}`).append(...page.systems.map(option));
  byId("source").lang = page.languages[0];
  byId("references").lang = page.languages[1];
  for (const side of SIDES) {
    byId(`source-${side}`).lang = page.languages[0];
    byId(`translation-${side}`).lang = page.languages[1];
  }
}

function showControls(choice) {
  byId("set").value = page.sets[choice.set].name;
  for (const side of SIDES) byId(`system-${side}`).value = page.systems[choice[side]].name;
  const sorts = sortsOf(choice);
  for (const option of byId("sort").options) option.disabled = !sorts.includes(option.value);
  byId("sort").value = choice.sort;
  byId("about").textContent = aboutSet(page.sets[choice.set]);
}

/** Only where the address has changed: what is being typed stays as it is. */
function showFields(choice) {
  byId("search").value = choice.q;
  byId("min-length").value = choice.min ?? "";
  byId("max-length").value = choice.max ?? "";
}

function aboutSet({ name, forced, sentences, of }) {
  const what = forced
    ? `Forced decoding of the ${name} set: every system has to say the reference; hand-made links show where to look.`
    : `Each system's own translations of the ${name} set.`;
  const part = sentences < of ? ` The first ${sentences} of ${of} sentences, for the page's size.` : "";
  return `${what}${part} Seed ${page.seed}; weights to the nearest ${(1 / page.levels).toFixed(2)}.`;
}
