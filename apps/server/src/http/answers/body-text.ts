import { renderJson } from "@lethe/serve/formats";

const texts = new WeakMap<object, string>();

/**
 * Writes what is told as JSON. What is told again, such as an explanation or an answer that stands, is the same object, and its text is kept as long as that is.
 * @param told never changes; `body` makes the JSON's value of it, the same for the same object.
 */
export function bodyText<T extends object>(told: T, body: (told: T) => object = (value) => value): string {
  const text = texts.get(told) ?? renderJson(body(told));
  texts.set(told, text);
  return text;
}
