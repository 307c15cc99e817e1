import type { Stated } from "../../thread/works.ts";

/**
 * Writes a value that a person typed as YAML of one line: a number as it is, a text that YAML would read as another value in quotes.
 * @example yamlValue("1/3") // => '"1/3"'
 */
export function yamlValue(typed: string, kind: "text" | "number"): string {
  if (kind === "number" && /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(typed)) return typed;
  if (kind === "text" && /^[A-Za-z_][\w.-]*$/.test(typed) && !/^(true|false|null|nan)$/i.test(typed))
    return typed;
  return JSON.stringify(typed);
}

/** Writes what is stated somewhere as YAML of one line. */
export function writtenAs(stated: Stated | undefined): string {
  if (stated === undefined || stated === null) return "";
  if (typeof stated === "string") return stated;
  if (typeof stated === "boolean") return String(stated);
  return flow(stated);
}

function flow(stated: Stated): string {
  if (Array.isArray(stated)) return `[${stated.map(flow).join(", ")}]`;
  if (typeof stated === "object" && stated !== null)
    return `{ ${Object.entries(stated)
      .map(([key, value]) => `${yamlValue(key, "text")}: ${flow(value)}`)
      .join(", ")} }`;
  if (typeof stated === "string") return yamlValue(stated, /^[+-]?\d/.test(stated) ? "number" : "text");
  return String(stated);
}
