// The figures, inside the page or, if they are too large for it, as links to the files beside it.

function showFigures() {
  byId("figures").hidden = page.figures.length === 0;
  document.querySelector('[data-part="figures"]').hidden = page.figures.length === 0;
  byId("figures").append(...page.figures.map(({ caption, file, data }) => {
    const shown = data
      ? element("img", { src: data, alt: caption, loading: "lazy" })
      : element("a", { href: file }, [`${file}, a file beside this page`]);
    return element("figure", {}, [element("figcaption", {}, [caption]), element("div", { class: "scroll" }, [shown])]);
  }));
}
