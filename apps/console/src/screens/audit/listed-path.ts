import { momentOf } from "./moment-of.ts";

/**
 * Returns the path of a list of the service with what is looked for in it, as the address names it. What is left empty or is unknown is not asked.
 * @example listedPath("charges", ["person", "word"], { word: "age", x: "1" }) // => "charges?word=age"
 */
export function listedPath(
  list: string,
  names: readonly string[],
  query: Readonly<Record<string, string>>,
): string {
  const asked = new URLSearchParams();
  for (const name of names) {
    const given = query[name]?.trim() ?? "";
    const value = name === "from" || name === "to" ? momentOf(given) : given;
    if (value) asked.set(name, value);
  }
  return asked.size === 0 ? list : `${list}?${asked}`;
}
