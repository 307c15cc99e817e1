import { createReadStream, statSync } from "node:fs";
import { LetheError } from "@lethe/core";
import type { TablePolicy } from "@lethe/query";
import { fileOf } from "../source-file.ts";
import { Utf8Check } from "./utf8-check.ts";

/** The longest record that DuckDB reads. */
export const longestRecord = 2_000_000;

const lineFeed = 10;
const carriageReturn = 13;
/** The states of the scan within a field. */
const state = { start: 0, plain: 1, quoted: 2, closed: 3, carriageReturn: 4 } as const;

/**
 * Reads a CSV file once for its form alone and counts its records: UTF-8; as many fields in each as in the first; a quote
 * only around a whole field, inside doubled; lines that all end in LF, or all in CR LF. A file that keeps to this has one reading, in
 * which each record stands for one row, so adding or removing a row changes no other. Anything else is refused: one open
 * quote would swallow the rows behind it, and a stray line break would make two rows of one person's. Empty lines are no
 * records, but in a file of one column. `tell` hears which share of the file is read.
 * Errors: engine.source, with the number of the first faulty line and no value; it is for the owner alone.
 */
export async function checkCsv(
  table: string,
  policy: TablePolicy,
  path: string,
  width: number,
  tell: (share: number) => void = () => undefined,
): Promise<number> {
  const { delimiter, quote, header } = policy.csv;
  const fault = (line: number, problem: string, fix: string): never => {
    throw new LetheError("engine.source", `${fileOf(policy)}, line ${line}: ${problem}`, {
      fix,
      fields: { table, file: fileOf(policy), line },
    });
  };
  const scan = new CsvScan({ delimiter: mark(policy, delimiter), quote: mark(policy, quote), width, fault });
  const { size } = statSync(path);
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    scan.read(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    tell(Math.min(1, bytes / size));
  }
  return scan.end() - (header ? 1 : 0);
}

function mark(policy: TablePolicy, character: string): number {
  const code = character.charCodeAt(0);
  if (character.length === 1 && code < 0x80) return code;
  throw new LetheError(
    "engine.source",
    `${fileOf(policy)} is delimited or quoted by a mark that is not ASCII`,
    {
      fix: "write the file with commas, semicolons, tabs or bars between its fields",
      fields: { file: fileOf(policy) },
    },
  );
}

interface CsvForm {
  readonly delimiter: number;
  readonly quote: number;
  /** The number of fields in a record. */
  readonly width: number;
  readonly fault: (line: number, problem: string, fix: string) => never;
}

class CsvScan {
  readonly #form: CsvForm;
  readonly #utf8 = new Utf8Check();
  #state: number = state.start;
  #line = 1;
  #recordLine = 1;
  /** The bytes and fields of the record so far. */
  #bytes = 0;
  #fields = 1;
  #records = 0;
  #isFirst = true;
  /** Whether lines end in CR LF; null before the first has ended. */
  #returns: boolean | null = null;

  constructor(form: CsvForm) {
    this.#form = form;
  }

  /** Reads the next bytes of the file; the first are at least three, or all. */
  read(chunk: Uint8Array): void {
    const { delimiter, quote } = this.#form;
    const utf8 = this.#utf8;
    let now = this.#state;
    let bytes = this.#bytes;
    // A byte order mark is no content.
    let at = this.#isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    this.#isFirst = false;
    // The loop goes by index, since for…of over bytes takes several times as long.
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === undefined) throw new RangeError("a chunk lacks a byte");
      if ((byte >= 0x80 || !utf8.isWhole) && !utf8.accepts(byte)) this.#notUtf8();
      bytes += 1;
      if (now === state.quoted) {
        if (byte === quote) now = state.closed;
        else if (byte === lineFeed) this.#line += 1;
      } else if (byte === lineFeed) {
        const returns = now === state.carriageReturn;
        this.#returns ??= returns;
        if (returns !== this.#returns) this.#mixed();
        this.#endRecord(bytes - (returns ? 2 : 1));
        bytes = 0;
        now = state.start;
      } else if (now === state.carriageReturn) {
        this.#loneReturn();
      } else if (byte === delimiter) {
        this.#fields += 1;
        now = state.start;
      } else if (byte === carriageReturn) {
        now = state.carriageReturn;
      } else if (byte === quote) {
        if (now === state.plain) this.#strayQuote();
        now = state.quoted;
      } else {
        if (now === state.closed) this.#textBehindQuote();
        now = state.plain;
      }
      if (bytes > longestRecord) this.#tooLong();
    }
    this.#state = now;
    this.#bytes = bytes;
  }

  /** Ends the file and returns the number of records, the header included. */
  end(): number {
    if (this.#state === state.quoted)
      this.#fault("opens a quote that is never closed", "close it; double the quotes inside quoted fields");
    if (this.#state === state.carriageReturn) this.#loneReturn();
    if (!this.#utf8.isWhole) this.#notUtf8();
    if (this.#bytes > 0) this.#endRecord(this.#bytes);
    return this.#records;
  }

  /** Ends a record; `bytes` are those before the end of its line. */
  #endRecord(bytes: number): void {
    const { width } = this.#form;
    if (bytes > 0 || width === 1) {
      if (this.#fields !== width) this.#ragged();
      this.#records += 1;
    }
    this.#line += 1;
    this.#recordLine = this.#line;
    this.#fields = 1;
  }

  /** Reports a fault at the line in which the record begins: where a quote went wrong, that is the line to look at. */
  #fault(problem: string, fix: string): never {
    return this.#form.fault(this.#recordLine, problem, fix);
  }

  #notUtf8(): never {
    return this.#fault("is not written in UTF-8", "save the file as UTF-8");
  }

  #loneReturn(): never {
    return this.#fault(
      "has a carriage return that ends no line",
      "quote the field that holds it, or end lines with line feeds",
    );
  }

  #mixed(): never {
    return this.#fault("does not end as the first line does", "end all lines alike: with LF, or with CR LF");
  }

  #strayQuote(): never {
    return this.#fault(
      "has a quote in a field that is not quoted",
      "quote the whole field and double the quote",
    );
  }

  #textBehindQuote(): never {
    return this.#fault("has text behind a closing quote", "double the quotes inside quoted fields");
  }

  #ragged(): never {
    const { width } = this.#form;
    return this.#fault(
      `has ${this.#fields} fields, but ${width} are needed`,
      "give every line as many fields as there are columns; quote fields that hold the delimiter",
    );
  }

  #tooLong(): never {
    return this.#fault(
      `begins a record of more than ${longestRecord} bytes`,
      "close its quotes, or shorten it",
    );
  }
}
