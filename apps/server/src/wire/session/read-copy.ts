import { LetheError } from "@lethe/core";
import type { CopyOptions } from "../answers/copy-out.ts";
import { notUnderstood } from "./not-understood.ts";
import type { Statement } from "./statement.ts";
import { type Word, Words } from "./words.ts";

/**
 * Reads COPY (question) TO STDOUT [WITH] (FORMAT text | csv | binary, HEADER [true | false]), and the older words CSV, BINARY and HEADER. Errors: query.syntax; query.unsupported for a table, a file, FROM, and
 * other options.
 */
export function readCopy(text: string, given: readonly Word[]): Statement {
  const words = new Words(given);
  words.skip();
  if (words.take("(") === null) throw unsupported("COPY gives the answer to a question");
  const from = words.next?.start ?? 0;
  let end = from;
  for (let depth = 1; depth > 0; ) {
    const { next } = words;
    if (!next) throw notUnderstood();
    depth += next.kind === "open" ? 1 : next.kind === "close" ? -1 : 0;
    if (depth > 0) end = next.end;
    words.skip();
  }
  if (!words.takeAll("to", "stdout")) throw unsupported("COPY writes to STDOUT alone");
  words.take("with");
  const options = words.take("(") === null ? olderOptions(words) : listedOptions(words);
  if (!words.isAtEnd) throw unsupported("COPY takes FORMAT and HEADER alone");
  return { kind: "copy", text: text.slice(from, end), offset: from, options };
}

function listedOptions(words: Words): CopyOptions {
  let options: CopyOptions = { format: "text", header: false };
  do {
    if (words.take("format") !== null) options = { ...options, format: formatOf(words) };
    else if (words.take("header") !== null)
      options = { ...options, header: words.take("false", "off", "0") === null };
    else throw unsupported("COPY takes FORMAT and HEADER alone");
    words.take("true", "on", "1");
  } while (words.take(",") !== null);
  if (words.take(")") === null) throw notUnderstood();
  return options;
}

function olderOptions(words: Words): CopyOptions {
  let options: CopyOptions = { format: "text", header: false };
  for (;;) {
    const word = words.take("csv", "binary", "header");
    if (word === null) return options;
    options =
      word === "header" ? { ...options, header: true } : { ...options, format: word as "csv" | "binary" };
  }
}

function formatOf(words: Words): CopyOptions["format"] {
  const name = words.text() ?? words.name();
  if (name === "text" || name === "csv" || name === "binary") return name;
  throw unsupported("COPY writes text, csv and binary");
}

function unsupported(what: string): LetheError {
  return new LetheError("query.unsupported", what, {
    fix: "write COPY (SELECT …) TO STDOUT (FORMAT csv, HEADER)",
  });
}
