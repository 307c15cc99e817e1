import type { FlatValue } from "@lethe/serve/formats";
import type { WireType } from "../answers/wire-type.ts";
import type { SessionState } from "./session-state.ts";
import { serverVersion } from "./settings.ts";
import type { Statement } from "./statement.ts";
import { type Word, Words } from "./words.ts";

interface Item {
  readonly name: string;
  readonly type: WireType;
  readonly value: (session: SessionState) => FlatValue;
}

const user = (name: string): Item => ({ name, type: "text", value: (session) => session.user });
const database = (name: string): Item => ({ name, type: "text", value: (session) => session.database });
const fixed = (name: string, type: WireType, value: FlatValue): Item => ({ name, type, value: () => value });

/** Words that are values without parentheses. */
const bare: Readonly<Record<string, Item>> = {
  current_user: user("current_user"),
  session_user: user("session_user"),
  user: user("user"),
  current_role: user("current_role"),
  current_catalog: database("current_catalog"),
  current_schema: fixed("current_schema", "text", "public"),
  true: fixed("?column?", "bool", true),
  false: fixed("?column?", "bool", false),
  null: fixed("?column?", "text", null),
};

/** Functions without arguments, as drivers call them when they connect or give a connection back to a pool. */
const functions: Readonly<Record<string, Item>> = {
  current_database: database("current_database"),
  current_schema: fixed("current_schema", "text", "public"),
  version: fixed("version", "text", `PostgreSQL ${serverVersion} (the wire of Lethe)`),
  pg_backend_pid: { name: "pg_backend_pid", type: "int4", value: ({ process }) => process },
  pg_client_encoding: fixed("pg_client_encoding", "text", "UTF8"),
  pg_is_in_recovery: fixed("pg_is_in_recovery", "bool", false),
  pg_advisory_unlock_all: fixed("pg_advisory_unlock_all", "text", ""),
};

const types: Readonly<Record<string, WireType>> = {
  text: "text",
  varchar: "text",
  name: "text",
  int: "int4",
  int4: "int4",
  integer: "int4",
};

const mostItems = 50;
/** The most CAST that stand within one another: what has more is a question, and refused as one. */
const mostCasts = 20;

/**
 * Reads a SELECT that asks the connection about itself, or nothing at all, such as SELECT 1 and SELECT current_user: those that drivers send. Null for every other text, which is a question for the
 * service.
 */
export function sessionSelect(words: readonly Word[]): Extract<Statement, { kind: "shown" }> | null {
  const reader = new Words(words);
  if (reader.take("select") === null) return null;
  const items: Item[] = [];
  do {
    const item = readItem(reader);
    if (item === null || items.length >= mostItems) return null;
    items.push(item);
  } while (reader.take(",") !== null);
  if (!reader.isAtEnd) return null;
  return {
    kind: "shown",
    word: "SELECT",
    columns: items.map(({ name, type }) => ({ name, type })),
    rows: (session) => [items.map(({ value }) => value(session))],
  };
}

function readItem(words: Words): Item | null {
  const item = readValue(words);
  if (item === null) return null;
  const isNamed = words.take("as") !== null;
  const { next } = words;
  if (!isNamed && (next === undefined || next.text === ",")) return item;
  const name = words.name();
  return name === null ? null : { ...item, name };
}

function readValue(words: Words, casts = 0): Item | null {
  let item = words.takeAll("cast", "(") ? readCast(words, casts + 1) : readPlain(words);
  while (item !== null && words.takeAll(":", ":")) item = asType(item, words);
  return item;
}

function readCast(words: Words, casts: number): Item | null {
  const item = casts > mostCasts ? null : readValue(words, casts);
  if (item === null || words.take("as") === null) return null;
  const cast = asType(item, words);
  return cast !== null && words.take(")") !== null ? cast : null;
}

/** A number stays one, and a text a text: what would be converted is left to the service, which refuses it. */
function asType(item: Item, words: Words): Item | null {
  words.takeAll("pg_catalog", ".");
  const type = types[words.name() ?? ""];
  if (type === undefined || (type === "text") !== (item.type === "text")) return null;
  if (words.take("(") !== null && (words.number() === null || words.take(")") === null)) return null;
  return { ...item, type };
}

function readPlain(words: Words): Item | null {
  const text = words.text();
  if (text !== null) return fixed("?column?", "text", text);
  const number = words.number();
  if (number !== null) {
    const value = Number(number);
    const isSmall = /^-?\d+$/.test(number) && Math.abs(value) < 2 ** 31;
    return Number.isFinite(value) ? fixed("?column?", isSmall ? "int4" : "float8", value) : null;
  }
  words.takeAll("pg_catalog", ".");
  const { next } = words;
  if (next?.kind !== "word") return null;
  words.skip();
  if (words.take("(") === null) return Object.hasOwn(bare, next.text) ? (bare[next.text] ?? null) : null;
  if (next.text === "current_setting") return readSetting(words);
  if (words.take(")") === null || !Object.hasOwn(functions, next.text)) return null;
  return functions[next.text] ?? null;
}

function readSetting(words: Words): Item | null {
  const name = words.text();
  if (name === null || (words.take(",") !== null && words.take("true", "false") === null)) return null;
  if (words.take(")") === null) return null;
  return { name: "current_setting", type: "text", value: ({ settings }) => settings.value(name) };
}
