import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { FunctionAt } from "@lethe/audit";
import { LetheError } from "@lethe/core";
import { readText } from "../workspace.ts";

/** FILE#NAME, or FILE for its default export. */
export function auditedFunction(named: string): FunctionAt {
  const mark = named.lastIndexOf("#");
  const [file, name] = mark < 0 ? [named, "default"] : [named.slice(0, mark), named.slice(mark + 1)];
  readText(file, "the function's file");
  return { url: pathToFileURL(resolve(file)).href, name };
}

/** Pairs of neighbouring data sets. Errors: cli.usage, cli.file. */
export function pairsOf(path: string | undefined): readonly (readonly [unknown, unknown])[] {
  const fix = "write a JSON list of pairs, such as [[[1, 2], [1, 2, 9]]], and name it with --neighbours";
  if (path === undefined) throw new LetheError("cli.usage", "a function is audited on neighbours", { fix });
  let pairs: unknown;
  try {
    pairs = JSON.parse(readText(path, "the neighbours"));
  } catch (error) {
    if (error instanceof LetheError) throw error;
    throw new LetheError("cli.usage", `${path} is not JSON`, { fix });
  }
  if (
    Array.isArray(pairs) &&
    pairs.length > 0 &&
    pairs.every((pair) => Array.isArray(pair) && pair.length === 2)
  ) {
    return pairs as [unknown, unknown][];
  }
  throw new LetheError("cli.usage", `${path} is not a list of pairs`, { fix });
}
