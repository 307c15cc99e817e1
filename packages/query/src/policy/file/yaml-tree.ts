import { LetheError } from "@lethe/core";
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";
import type { FileKind } from "./file-kind.ts";

export type Path = readonly PropertyKey[];

export interface YamlTree {
  /** Plain JSON data. Numbers below the kind's `exactSections` are the very text that was written. */
  readonly data: unknown;
  /** Returns the place where the value at a path begins, or its nearest ancestor that exists; both numbers count from 1. */
  place(path: Path): { readonly line: number; readonly column: number };
}

const maxLength = 1 << 20;

/**
 * Reads one YAML 1.2 document of plain maps, lists, texts, numbers, booleans and nulls.
 * Errors: the kind's own code for anything else (anchors, tags, several documents, repeated keys, more than 1 MiB).
 */
export function readYaml(text: string, { noun, unreadable: code, exactSections }: FileKind): YamlTree {
  const unreadable = (message: string, fix: string, line?: number): LetheError =>
    new LetheError(code, `${line === undefined ? "" : `line ${line}: `}${message}`, {
      fix,
      fields: line === undefined ? {} : { line },
    });
  if (text.length > maxLength)
    throw unreadable(`the ${noun} is longer than 1 MiB`, "split it, or shorten its lists");
  const lines = new LineCounter();
  const places = new Map<string, number>();
  const line = (offset: number): number => lines.linePos(offset).line;

  function plain(node: unknown, path: readonly string[]): unknown {
    const offset = (node as Node | null)?.range?.[0] ?? 0;
    if (!places.has(JSON.stringify(path))) places.set(JSON.stringify(path), offset);
    if (isAlias(node) || (isScalar(node) && node.anchor) || ((isMap(node) || isSeq(node)) && node.anchor))
      throw unreadable(`a ${noun} uses no anchors and aliases`, "write the value out", line(offset));
    if (isScalar(node)) {
      const exact = typeof node.value === "number" && exactSections.has(path[0] ?? "");
      return exact ? node.source : node.value;
    }
    if (isSeq(node)) return node.items.map((item, index) => plain(item, [...path, String(index)]));
    if (isMap(node)) return members(node, path);
    return null;
  }

  function members(map: YAMLMap, path: readonly string[]): Record<string, unknown> {
    const entries = map.items.map(({ key, value }) => {
      if (!isScalar(key))
        throw unreadable("a key must be a plain text", "write key: value", line(map.range?.[0] ?? 0));
      const name = typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
      const at = key.range?.[0] ?? 0;
      if (name === "__proto__")
        throw unreadable('"__proto__" cannot be a name', "choose another name", line(at));
      places.set(JSON.stringify([...path, name]), at);
      return [name, plain(value, [...path, name])] as const;
    });
    return Object.fromEntries(entries);
  }

  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      version: "1.2",
      schema: "core",
      prettyErrors: false,
    });
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault)
      throw unreadable(
        `this is not the YAML of a ${noun}: ${fault.message.split("\n")[0]}`,
        "correct the YAML at that line (indent with spaces, write `key: value`, each key once)",
        line(fault.pos[0]),
      );
    const data = plain(document.contents, []);
    return {
      data,
      place(path) {
        for (let length = path.length; length > 0; length -= 1) {
          const offset = places.get(JSON.stringify(path.slice(0, length).map(String)));
          if (offset !== undefined) {
            const { line: row, col } = lines.linePos(offset);
            return { line: row, column: col };
          }
        }
        return { line: 1, column: 1 };
      },
    };
  } catch (error) {
    if (error instanceof RangeError)
      throw unreadable(`the ${noun} nests too deeply`, `a ${noun} needs six levels at most`);
    throw error;
  }
}
