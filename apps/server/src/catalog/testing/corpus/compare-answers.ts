import type { FilledQuery } from "./fill-query.ts";
import { differsInJson } from "./must-differ.ts";
import type { CatalogRows } from "./real-catalog.ts";

/** Asks one side. */
export type Ask = (query: FilledQuery) => Promise<CatalogRows> | CatalogRows;

/** What the objects of a policy are called, by their oids on one side: both sides number them as they like. */
export type Labels = ReadonlyMap<string, string>;

const objects = [
  "SELECT oid::text, 'schema ' || nspname FROM pg_catalog.pg_namespace WHERE oid >= 16383",
  "SELECT oid::text, 'role ' || rolname FROM pg_catalog.pg_roles WHERE oid >= 16383",
  "SELECT c.oid::text, 'relation ' || n.nspname || '.' || c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid >= 16383",
  "SELECT t.oid::text, 'type ' || n.nspname || '.' || t.typname FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE t.oid >= 16383",
  "SELECT c.oid::text, 'constraint ' || c.conname FROM pg_catalog.pg_constraint c WHERE c.oid >= 16383",
  "SELECT r.oid::text, 'rule ' || c.relname FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid = r.ev_class WHERE r.oid >= 16383",
];

/** Asks a side what it calls the objects that it numbers. */
export async function labelsOf(ask: Ask): Promise<Labels> {
  const labels = new Map<string, string>();
  for (const text of objects)
    for (const [oid, label] of (await ask({ text, parameters: [] })).rows)
      labels.set(String(oid), `<${label}>`);
  return labels;
}

/** An answer in which objects have their names instead of numbers, and columns that must differ are empty. */
export interface Comparable {
  readonly columns: readonly string[];
  readonly rows: readonly string[];
}

/** Makes an answer comparable with that of the other side: `differs` says of which columns values differ, or even whether there is one. */
export function comparable(
  { columns, rows }: CatalogRows,
  labels: Labels,
  differs: (column: string) => "value" | "null" | null,
): Comparable {
  const named = (text: string): string =>
    text.replace(/(?<![\d.])\d{5,}(?![\d.])/g, (number) => labels.get(number) ?? number);
  const hidden = columns.map(({ name }) => differs(name));
  return {
    columns: columns.map(({ name, type, typmod }) => `${name}: ${named(String(type))} (${typmod})`),
    rows: rows.map((row) =>
      JSON.stringify(
        row.map((cell, at) => {
          const way = hidden[at] ?? null;
          if (way === "null") return "…";
          return cell === null ? null : way === "value" ? "…" : named(cell.replace(differsInJson, '"…"'));
        }),
      ),
    ),
  };
}

/** Sorts the lists of objects within a text of JSON, whose order is that of oids. */
export function sortedJson(text: string): string {
  // An array begins with a bracket too, and no name stands behind it.
  if (!text.startsWith('{"') || !text.includes('":')) return text;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    // A number that was named is no JSON any more where it stood as a number: it is compared as it is.
    return text;
  }
  return JSON.stringify(read, (_, value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null)
      ? value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : value,
  );
}

/** Says how two answers differ; null where they do not. The order of rows counts where the statement states one. */
export function differenceOf(real: Comparable, ours: Comparable, isOrdered: boolean): string | null {
  const columns = firstDifference(real.columns, ours.columns);
  if (columns) return `columns: ${columns}`;
  const rows = firstDifference(real.rows.toSorted(), ours.rows.toSorted());
  if (rows) return `${real.rows.length} rows, and ${ours.rows.length} of ours: ${rows}`;
  const order = isOrdered ? firstDifference(real.rows, ours.rows) : null;
  return order && `order: ${order}`;
}

function firstDifference(real: readonly string[], ours: readonly string[]): string | null {
  const lacks = counted(real, ours);
  const adds = counted(ours, real);
  if (lacks.length > 0 || adds.length > 0)
    return `PostgreSQL alone has ${apart(lacks, adds)}, we alone have ${apart(adds, lacks)}`;
  const at = real.findIndex((text, place) => text !== ours[place]);
  return at < 0 ? null : `at ${at} PostgreSQL has ${real[at]}, we have ${ours[at]}`;
}

/** Shows three lines at most; of two long ones what is about the first character that differs. */
function apart(own: readonly string[], others: readonly string[]): string {
  const [line = "", other = ""] = [own[0], others[0]];
  if (line.length < 1_000 || other.length < 1_000) return own.slice(0, 3).join(" ") || "nothing";
  const at = [...line].findIndex((character, place) => character !== other[place]);
  return `… ${line.slice(Math.max(0, at - 200), at + 200)} …`;
}

/** Those of a list that another lacks, as often as it lacks them. */
function counted(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return all.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}
