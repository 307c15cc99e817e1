import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { z } from "zod";
import type { FileKind } from "./file-kind.ts";
import type { Path, YamlTree } from "./yaml-tree.ts";

/** tables.people.columns.wage.bounds[0]; names that are not plain words are quoted. */
function describePath(path: Path): string {
  return path
    .map(String)
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : /^[\w-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`,
    )
    .join("")
    .replace(/^\./, "");
}

/** The places that one refusal names at most. */
const mostPlaces = 5;

/** Returns the refusal of a file: every place that is wrong, up to five, and what to do about the first. */
export function invalidFile(
  issues: readonly z.core.$ZodIssue[],
  tree: YamlTree,
  { noun, invalid: code }: FileKind,
): LetheError {
  const places = issues.map((issue) => {
    // A bad key is reported at the key, an unknown one below the map that holds it.
    const path = issue.code === "unrecognized_keys" ? [...issue.path, elementAt(issue.keys, 0)] : issue.path;
    const said = issue.code === "invalid_key" ? elementAt(issue.issues, 0).message : issue.message;
    const [wrong, fix] = said.split("\n");
    const { line, column } = tree.place(path);
    const text = `line ${line}, ${describePath(issue.path) || `the ${noun}`}: ${wrong}`;
    return { path: describePath(path), line, column, text, fix };
  });
  const [{ path, line, column, fix }] = places as [(typeof places)[number]];
  const more = places.length > mostPlaces ? [`${places.length - mostPlaces} more`] : [];
  const texts = places.slice(0, mostPlaces).map(({ text }) => text);
  return new LetheError(code, [...texts, ...more].join("; "), {
    fix: fix ?? `follow the published JSON Schema of the ${noun}`,
    fields: { path, line, column },
  });
}
