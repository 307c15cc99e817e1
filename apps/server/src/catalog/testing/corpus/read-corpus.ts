import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A statement that a tool sends to the catalog. Its text and its parameters have places, in braces, for what a policy names. */
export interface CorpusQuery {
  /** The tool, a dot, and what is done with it. */
  readonly id: string;
  /** Where the statement is from: a tool of a version that sent it, or the public source whose statement has this shape. */
  readonly sources: readonly string[];
  readonly text: string;
  readonly parameters: readonly (string | null)[];
}

const head = /^-- (id|from|parameters): (.*)$/;

/** Reads every statement of the folder `texts`. */
export function readCorpus(): readonly CorpusQuery[] {
  const folder = join(import.meta.dirname, "texts");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return files.sort().flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split(/^(?=-- id: )/m)
      .filter((part) => part.trim() !== "")
      .map((part) => readQuery(part, name)),
  );
}

function readQuery(part: string, file: string): CorpusQuery {
  const lines = part.trimEnd().split("\n");
  const heads = lines.slice(
    0,
    lines.findIndex((line) => !head.test(line)),
  );
  const values = (name: string): readonly string[] =>
    heads.flatMap((line) => {
      const [, word, value = ""] = head.exec(line) ?? [];
      return word === name ? [value] : [];
    });
  const [id] = values("id");
  const sources = values("from");
  if (!id || sources.length === 0) throw new Error(`a statement of ${file} has no id or no source`);
  const [parameters = "[]"] = values("parameters");
  return {
    id,
    sources,
    text: lines.slice(heads.length).join("\n"),
    parameters: JSON.parse(parameters) as (string | null)[],
  };
}
