import { LetheError } from "@lethe/core";
import type { DescribedParameter } from "@lethe/query";
import { decode } from "../frames/body-reader.ts";
import type { Format } from "../frames/client-message.ts";

/** A value that a question may be given. */
export type Value = string | number | boolean | null;

type Kind = "number" | "boolean" | "text";

interface ParameterForm {
  readonly kind: Kind;
  readonly bytes: (bytes: Buffer) => Value;
}

/** PostgreSQL counts from 2000. */
const epochMs = Date.UTC(2000, 0, 1);
const dayMs = 86_400_000;

const text: ParameterForm = { kind: "text", bytes: decode };

/** The types whose values are taken, by their numbers in PostgreSQL. */
const forms: ReadonlyMap<number, ParameterForm> = new Map<number, ParameterForm>([
  [16, { kind: "boolean", bytes: (bytes) => bytes.readUInt8(0) !== 0 }],
  [20, { kind: "number", bytes: (bytes) => exact(bytes.readBigInt64BE(0)) }],
  [21, { kind: "number", bytes: (bytes) => bytes.readInt16BE(0) }],
  [23, { kind: "number", bytes: (bytes) => bytes.readInt32BE(0) }],
  [700, { kind: "number", bytes: (bytes) => bytes.readFloatBE(0) }],
  [701, { kind: "number", bytes: (bytes) => bytes.readDoubleBE(0) }],
  [1700, { kind: "number", bytes: numericOf }],
  [1082, { kind: "text", bytes: (bytes) => writtenDay(bytes.readInt32BE(0)) }],
  [1114, { kind: "text", bytes: (bytes) => writtenTime(bytes.readBigInt64BE(0)) }],
  [1184, { kind: "text", bytes: (bytes) => writtenTime(bytes.readBigInt64BE(0)) }],
  ...[0, 18, 19, 25, 705, 1042, 1043].map((oid) => [oid, text] as const),
]);

/** The types whose values a question takes as the described type, whatever the client calls them. */
const undecided: ReadonlySet<number> = new Set([0, 705]);

/** The number of the type that a described parameter has, where the client states none. */
export const parameterOids: Readonly<Record<DescribedParameter["type"], number>> = {
  number: 701,
  text: 25,
  boolean: 16,
  date: 1082,
  timestamp: 1114,
};

/**
 * Reads the value of a parameter.
 * @param oid the type that the client states; 0 for none
 * @param described the type that the question asks for; null where it asks for none
 * Errors: query.parameter, which names the parameter and never its value.
 */
export function decodeParameter(
  name: string,
  bytes: Buffer | null,
  format: Format,
  oid: number,
  described: DescribedParameter["type"] | null,
): Value {
  if (bytes === null) return null;
  const stated = undecided.has(oid) && described !== null ? parameterOids[described] : oid;
  const form = forms.get(stated) ?? (format === "text" ? text : null);
  if (form === null)
    throw refused(
      name,
      `has a type that is not taken in binary, number ${oid} of PostgreSQL`,
      "send it as text",
    );
  if (format === "text") return readText(name, decode(bytes), form.kind);
  const value = fromBytes(name, bytes, form);
  if (form.kind === "number" && !Number.isFinite(value)) throw notFinite(name);
  return value;
}

function fromBytes(name: string, bytes: Buffer, form: ParameterForm): Value {
  try {
    return form.bytes(bytes);
  } catch (error) {
    if (error instanceof LetheError) throw error;
    throw refused(name, "has too few bytes for its type", "send it as text");
  }
}

function readText(name: string, written: string, kind: Kind): Value {
  switch (kind) {
    case "text":
      return written;
    case "boolean": {
      const word = written.trim().toLowerCase();
      if (["t", "true", "on", "yes", "y", "1"].includes(word)) return true;
      if (["f", "false", "off", "no", "n", "0"].includes(word)) return false;
      throw refused(name, "is neither true nor false", "send t or f");
    }
    case "number": {
      const number = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(written)
        ? Number(written)
        : Number.NaN;
      if (!Number.isFinite(number)) throw notFinite(name);
      if (/^\s*[+-]?\d+\s*$/.test(written)) return exact(BigInt(written.trim().replace("+", "")));
      return number;
    }
  }
}

function exact(whole: bigint): number {
  const number = Number(whole);
  if (Number.isSafeInteger(number)) return number;
  throw new LetheError("query.parameter", "a parameter is a whole number beyond 2^53", {
    fix: "send it as a text, or write it in the question",
  });
}

/** Reads numeric: its digits in base 10,000, of which the first has the weight 10,000^weight. */
function numericOf(bytes: Buffer): number {
  const [digits, weight, sign] = [bytes.readUInt16BE(0), bytes.readInt16BE(2), bytes.readUInt16BE(4)];
  if (sign !== 0 && sign !== 0x4000) throw new RangeError("no finite number");
  let text = sign === 0 ? "" : "-";
  for (let at = 0; at < digits; at += 1) text += String(bytes.readUInt16BE(8 + 2 * at)).padStart(4, "0");
  return Number(`${text || 0}${digits === 0 ? "0" : ""}e${4 * (weight - digits + 1)}`);
}

function writtenDay(days: number): string {
  return new Date(epochMs + days * dayMs).toISOString().slice(0, 10);
}

function writtenTime(microseconds: bigint): string {
  const rest = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = Number((microseconds - rest) / 1_000_000n);
  const whole = new Date(epochMs + seconds * 1_000).toISOString().slice(0, 19).replace("T", " ");
  return rest === 0n ? whole : `${whole}.${String(rest).padStart(6, "0")}`;
}

function notFinite(name: string): LetheError {
  return refused(name, "is not a finite number", "send a number, such as 42");
}

function refused(name: string, what: string, fix: string): LetheError {
  return new LetheError("query.parameter", `the value of ${name} ${what}`, { fix });
}
