import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("asked/", import.meta.url);

/** The names of the files of questions: each is a theme. */
export const themes = readdirSync(folder)
  .filter((file) => file.endsWith(".sql"))
  .map((file) => file.slice(0, -4));

/**
 * The questions of a theme, in order: {theme, name, schema, text, expect, about, dialect, parameters}. A question starts at its line `-- name:`, which
 * lines like it may follow, and ends before the next one.
 */
export function questionsOf(theme) {
  const parts = readFileSync(new URL(`${theme}.sql`, folder), "utf8")
    .split(/^-- name: /m)
    .slice(1);
  return parts.map((part) => {
    const [name, ...lines] = part.split("\n");
    const start = lines.findIndex((line) => !/^-- \w+: /.test(line));
    const words = Object.fromEntries(lines.slice(0, start).map((line) => line.slice(3).split(/: (.*)/, 2)));
    const text = lines.slice(start).join("\n").trim().replace(/;$/, "");
    const parameters = Object.values(JSON.parse(words.parameters ?? "{}"));
    return {
      expect: "answer",
      about: "people",
      dialect: "duckdb",
      ...words,
      theme,
      name: name.trim(),
      text,
      parameters,
    };
  });
}
