// Begins.

function goTo(part) {
  byId(part).scrollIntoView();
  byId(part).focus({ preventScroll: true });
}

/** The fonts inside the page, before a word is drawn in them. One that cannot be read is no reason to stop. */
function fonts() {
  return Promise.allSettled([...document.fonts].map((font) => font.load()));
}

async function begin() {
  const linked = hasFragment();
  showFindings();
  showTables();
  openOnPaper();
  showFigures();
  for (const button of document.querySelectorAll("[data-part]")) {
    button.addEventListener("click", () => goTo(button.dataset.part));
  }
  fillControls();
  listen();
  await fonts();
  await follow();
  if (linked) goTo("explorer");
  document.body.dataset.ready = "true";
}

addEventListener("unhandledrejection", ({ reason }) => {
  byId("problem").hidden = false;
  byId("problem").textContent = `The page cannot show this (${reason?.message}). It needs a browser of 2023 or later.`;
});
begin();
