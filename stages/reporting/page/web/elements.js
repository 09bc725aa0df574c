// Elements of the page. Text is set as text only, so nothing in the data can become markup.

const byId = (id) => document.getElementById(id);

/** A new element; children: elements and texts. */
function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
