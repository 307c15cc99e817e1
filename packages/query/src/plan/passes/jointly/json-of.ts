const texts = new WeakMap<object, string>();

/** Returns the JSON of what never changes. It is written once, however often the same object is compared. */
export function jsonOf(value: object | null): string {
  if (value === null) return "null";
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

/** Returns a text that is the same for objects whose members are, in the same order: the JSON of each member. */
export function membersOf(object: object): string {
  return Object.entries(object)
    .map(([name, value]) => `${name} ${typeof value === "object" ? jsonOf(value) : JSON.stringify(value)}`)
    .join();
}
