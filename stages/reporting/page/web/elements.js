// Elements of the page. Text is set as text only, so nothing in the data can become markup.

const byId = (id) => document.getElementById(id);

/** A new element; children: elements and texts. */
function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A box that keys can scroll, with the name of what is in it. */
function scrolled(label, content) {
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, [content]);
}
