/** Makes an element with attributes and children. Texts become text, never HTML. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The same, with numbers that the style sheet reads. */
export function measured(tag, attributes, numbers, ...children) {
  const made = element(tag, attributes, ...children);
  for (const [name, value] of Object.entries(numbers)) made.style.setProperty(`--${name}`, String(value));
  return made;
}

export const percent = (share) => `${(100 * share).toFixed(1)} %`;
export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
