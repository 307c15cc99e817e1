import { closeSync, openSync, readSync } from "node:fs";
import { invalidParameter, LetheError } from "@lethe/core";

const maxHeaderBytes = 1 << 20;

/**
 * The column names of a CSV file: its first line and nothing more. The header is public, the values are not.
 * Errors: engine.source for a file that cannot be read, is not UTF-8 or has no usable names; parameter.invalid for an
 * empty delimiter.
 * @example readCsvHeader("people.csv", { delimiter: ",", quote: '"' }) // => ["wage", "sector"]
 */
export function readCsvHeader(
  path: string,
  format: { readonly delimiter: string; readonly quote: string },
): string[] {
  if (format.delimiter === "") throw invalidParameter("the delimiter", '""', "one character");
  const names = splitLine(firstLine(path, format.quote), format.delimiter, format.quote);
  checkNames(path, names);
  return names;
}

function firstLine(path: string, quote: string): string {
  const bytes = firstBytes(path);
  let end = 0;
  let quoted = false;
  const quoteByte = quote.charCodeAt(0);
  while (end < bytes.length && (quoted || (bytes[end] !== 10 && bytes[end] !== 13))) {
    if (bytes[end] === quoteByte) quoted = !quoted;
    end++;
  }
  if (quoted) throw badHeader(path, "has an open quote in its first line", "close the quote");
  if (end === maxHeaderBytes)
    throw badHeader(path, "has no end of its first line", "check that it is a CSV file");
  // UTF-16 has zeros between letters. What stands below the first line is data and decides nothing here.
  if (bytes.subarray(0, end).includes(0))
    throw badHeader(path, "is not written in UTF-8", "save it as UTF-8");
  try {
    // Drops a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end));
  } catch {
    throw badHeader(path, "is not written in UTF-8", "save it as UTF-8");
  }
}

function firstBytes(path: string): Uint8Array {
  const buffer = new Uint8Array(maxHeaderBytes);
  try {
    const file = openSync(path, "r");
    try {
      return buffer.subarray(0, readSync(file, buffer, 0, maxHeaderBytes, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    throw badHeader(path, "cannot be read", "check the path");
  }
}

function splitLine(line: string, delimiter: string, quote: string): string[] {
  const names: string[] = [];
  let name = "";
  let quoted = false;
  for (let at = 0; at < line.length; ) {
    if (quote !== "" && line.startsWith(quote, at)) {
      // Inside quotes a doubled quote stands for one.
      if (quoted && line.startsWith(quote, at + quote.length)) {
        name += quote;
        at += quote.length;
      } else quoted = !quoted;
      at += quote.length;
    } else if (!quoted && line.startsWith(delimiter, at)) {
      names.push(name);
      name = "";
      at += delimiter.length;
    } else name += line[at++];
  }
  return [...names, name];
}

function checkNames(path: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (name.trim() === "") {
      throw badHeader(path, `has no name for column ${at + 1}`, "name every column in the first line");
    }
    if (/\p{Cc}/u.test(name)) {
      throw badHeader(path, `has a control character in the name of column ${at + 1}`, "write plain names");
    }
    // Databases do not tell names apart by capitals.
    const folded = name.toLowerCase();
    if (seen.has(folded)) {
      throw badHeader(path, `names the column ${name} twice`, "give every column a name of its own");
    }
    seen.add(folded);
  }
}

function badHeader(path: string, problem: string, fix: string): LetheError {
  return new LetheError("engine.source", `${path} ${problem}`, { fix, fields: { file: path } });
}
