import { BodyReader } from "./body-reader.ts";
import type { Frame } from "./frame-buffer.ts";
import { protocolError } from "./protocol-error.ts";

/** The form of a value: as text, or as PostgreSQL writes its type in bytes. */
export type Format = "text" | "binary";

/** A statement that was parsed, or a portal that was bound, by its name. */
export interface Target {
  readonly of: "statement" | "portal";
  readonly name: string;
}

/** A message of a client that is signed in. */
export type ClientMessage =
  | { readonly kind: "query"; readonly text: string }
  | {
      readonly kind: "parse";
      readonly name: string;
      readonly text: string;
      readonly types: readonly number[];
    }
  | {
      readonly kind: "bind";
      readonly portal: string;
      readonly statement: string;
      /** None for text, one for all values, or one for each. */
      readonly formats: readonly Format[];
      readonly values: readonly (Buffer | null)[];
      /** As `formats`, of the answer's columns. */
      readonly results: readonly Format[];
    }
  | { readonly kind: "describe" | "close"; readonly target: Target }
  /** `most` is 0 for all rows. */
  | { readonly kind: "execute"; readonly portal: string; readonly most: number }
  | { readonly kind: "sync" | "flush" | "terminate" | "call" | "copy" };

/** The most bytes of the rest of a message whose text is as long as a question may be. */
const beside = 4_096;
const mostSmall = 1_024;

/** Returns the most bytes of a message of a kind; null for what is no kind. `mostText` is that of a question with its values. */
export function mostBytes(mostText: number): (kind: string) => number | null {
  return (kind) => {
    if ("QPB".includes(kind)) return mostText + beside;
    if ("DECSHXFdcf".includes(kind)) return mostSmall;
    return null;
  };
}

/** Reads a message. Errors: serve.protocol. */
export function readMessage({ kind, body }: Frame): ClientMessage {
  const reader = new BodyReader(body);
  const message = read(kind, reader);
  if (message.kind !== "call" && message.kind !== "copy") reader.end();
  return message;
}

function read(kind: string, reader: BodyReader): ClientMessage {
  switch (kind) {
    case "Q":
      return { kind: "query", text: reader.text() };
    case "P":
      return {
        kind: "parse",
        name: reader.text(),
        text: reader.text(),
        types: list(reader, () => reader.int32()),
      };
    case "B":
      return {
        kind: "bind",
        portal: reader.text(),
        statement: reader.text(),
        formats: list(reader, () => formatOf(reader.int16())),
        values: list(reader, () => {
          const length = reader.int32();
          return length === -1 ? null : reader.bytes(length);
        }),
        results: list(reader, () => formatOf(reader.int16())),
      };
    case "D":
      return { kind: "describe", target: targetOf(reader) };
    case "C":
      return { kind: "close", target: targetOf(reader) };
    case "E":
      return { kind: "execute", portal: reader.text(), most: Math.max(0, reader.int32()) };
    case "S":
      return { kind: "sync" };
    case "H":
      return { kind: "flush" };
    case "X":
      return { kind: "terminate" };
    case "F":
      return { kind: "call" };
    case "d":
    case "c":
    case "f":
      return { kind: "copy" };
  }
  throw protocolError("a message is of no kind that a client sends");
}

function list<T>(reader: BodyReader, one: () => T): readonly T[] {
  const count = reader.count();
  const parts: T[] = [];
  for (let at = 0; at < count; at += 1) parts.push(one());
  return parts;
}

function formatOf(code: number): Format {
  if (code === 0) return "text";
  if (code === 1) return "binary";
  throw protocolError("a format is neither text nor binary");
}

function targetOf(reader: BodyReader): Target {
  const letter = String.fromCharCode(reader.byte());
  if (letter !== "S" && letter !== "P") throw protocolError("neither a statement nor a portal is named");
  return { of: letter === "S" ? "statement" : "portal", name: reader.text() };
}
