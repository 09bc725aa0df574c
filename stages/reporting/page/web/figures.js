// The figures, inside the page or, where there is no room for them, as links to the files beside it.

function showFigures() {
  byId("figures").hidden = page.figures.length === 0;
  document.querySelector('[data-part="figures"]').hidden = page.figures.length === 0;
  byId("figures").append(...page.figures.map(({ title, about, file, data }) => {
    const caption = element("figcaption", {}, [element("b", {}, [`${title}.`]), ` ${about}`]);
    const shown = data
      ? enlarged(element("img", { src: data, alt: `${title}. ${about}`, loading: "lazy" }))
      : element("a", { href: file }, [`${file}, a file beside this page`]);
    return element("figure", {}, [caption, element("div", { class: "scroll" }, [shown])]);
  }));
}

/** An image that fits the screen and that a click shows in full size, scrolled in its box, and back. */
function enlarged(image) {
  const button = element("button", { type: "button", class: "zoom", "aria-pressed": "false", title: "Full size" }, [image]);
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  });
  return button;
}
