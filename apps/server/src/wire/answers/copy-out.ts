import { csvField, type FlatValue } from "@lethe/serve/formats";
import type { Format } from "../frames/client-message.ts";
import type { WireAnswer } from "./wire-answer.ts";
import { type ColumnForm, type WireCell, wireValue } from "./wire-type.ts";

/** How COPY writes rows. */
export interface CopyOptions {
  readonly format: "text" | "csv" | "binary";
  /** Whether the first line has the names of the columns; of no use in binary. */
  readonly header: boolean;
}

/** The form of the whole, as the protocol says it: CSV is text. */
export function copyForm({ format }: CopyOptions): Format {
  return format === "binary" ? "binary" : "text";
}

/** Yields the messages' data of COPY, one a row, with the row's own count beside. CSV is that of `lethe query --format csv`. In binary the header stands before the first row, in its message: ADBC's driver takes it nowhere else. */
export function* copyRows(
  { columns, rows }: WireAnswer,
  options: CopyOptions,
): Iterable<{ readonly data: Buffer; readonly rows: 0 | 1 }> {
  if (options.format === "binary") {
    let head = binaryHead;
    for (const row of rows()) {
      yield { data: Buffer.concat([head, binaryRow(row, columns)]), rows: 1 };
      head = Buffer.alloc(0);
    }
    yield { data: Buffer.concat([head, Buffer.from([0xff, 0xff])]), rows: 0 };
    return;
  }
  const isCsv = options.format === "csv";
  const line = (fields: readonly string[]): Buffer =>
    Buffer.from(`${fields.join(isCsv ? "," : "\t")}\n`, "utf8");
  if (options.header)
    yield { data: line(columns.map(({ name }) => (isCsv ? csvField(name) : escaped(name)))), rows: 0 };
  for (const row of rows()) {
    const fields = row.map((value, at) =>
      isCsv
        ? csvField(flat(value, columns[at]?.type ?? "text"))
        : textField(value, columns[at]?.type ?? "text"),
    );
    yield { data: line(fields), rows: 1 };
  }
}

/** The signature, no flags, and no further header. */
const binaryHead = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);

/** A value as CSV writes it: those of the catalog as texts. */
function flat(value: WireCell, type: ColumnForm): FlatValue {
  if (typeof type === "string") return value as FlatValue;
  return value === null ? null : type.text(value);
}

function binaryRow(row: readonly WireCell[], columns: WireAnswer["columns"]): Buffer {
  const count = Buffer.allocUnsafe(2);
  count.writeInt16BE(row.length);
  const fields = row.flatMap((value, at) => {
    const bytes = wireValue(value, columns[at]?.type ?? "text", "binary");
    const length = Buffer.allocUnsafe(4);
    length.writeInt32BE(bytes === null ? -1 : bytes.length);
    return bytes === null ? [length] : [length, bytes];
  });
  return Buffer.concat([count, ...fields]);
}

function textField(value: WireCell, type: ColumnForm): string {
  const bytes = wireValue(value, type, "text");
  return bytes === null ? "\\N" : escaped(Buffer.from(bytes).toString("utf8"));
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
