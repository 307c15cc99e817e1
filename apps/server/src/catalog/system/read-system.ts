import { inflateRawSync } from "node:zlib";
import { packedSystem } from "./system-data.generated.ts";

/** The rows of one relation as texts. */
export interface SystemRows {
  readonly names: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

let read: ReadonlyMap<string, SystemRows> | null = null;

/** Returns what a new PostgreSQL says of itself, by relation. It is unpacked once, when it is first needed. */
export function systemRows(): ReadonlyMap<string, SystemRows> {
  read ??= unpacked();
  return read;
}

function unpacked(): ReadonlyMap<string, SystemRows> {
  const text = inflateRawSync(Buffer.from(packedSystem, "base64")).toString("utf8");
  return new Map(
    text.split("\n\n").map((part) => {
      const [head = "", ...lines] = part.split("\n");
      const [name = "", ...names] = head.split("\t");
      return [name, { names, rows: lines.map((line) => line.split("\t").map(field)) }];
    }),
  );
}

const escapes: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", "\\": "\\" };

/** Reads a field as COPY writes it. */
function field(written: string): string | null {
  if (written === "\\N") return null;
  return written.includes("\\")
    ? written.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)
    : written;
}
