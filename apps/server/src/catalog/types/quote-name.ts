import { system } from "../system/system.ts";

let reserved: ReadonlySet<string> | null = null;

/** Returns a name as it is written in SQL: in quotes where it must have them. */
export function quoteName(name: string): string {
  reserved ??= new Set(
    system()
      .keywords.filter(([, code]) => code !== "U")
      .map(([word]) => String(word)),
  );
  return /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Splits a name that may be in quotes and may have points; null where it is none. */
export function splitName(text: string): readonly string[] | null {
  const parts: string[] = [];
  const pattern = /\s*(?:"((?:[^"]|"")+)"|([^\s."(),]+))\s*(\.|$)/gy;
  for (;;) {
    const found = pattern.exec(text);
    if (!found) return null;
    const [, quoted, bare, end] = found;
    parts.push(quoted === undefined ? (bare ?? "").toLowerCase() : quoted.replaceAll('""', '"'));
    if (end !== ".") return pattern.lastIndex >= text.length ? parts : null;
  }
}
