import { canonicalJson } from "@lethe/core/canonical";
import { withPublicRows } from "../../over/public-values.ts";
import { allSources, type Source } from "../../relations/relation.ts";
import type { ResolvedQuery } from "./resolved-query.ts";

/**
 * Returns a text that two questions under one policy, with the same options, share only where they ask the same. It leaves out how a question is written and what things are
 * called in it: comments, spaces, whether a value stands in the text or is given as a parameter, the names of its columns, and those of its tables and subqueries, for which their places stand. A name
 * that is not known to be one of these stays, so that at worst two questions that ask the same are told apart.
 */
export function questionIdentity(query: ResolvedQuery): string {
  const values = numbered(
    "value",
    (query.released ?? []).map(({ sql }) => sql),
  );
  return canonicalJson(withoutText(query, query.over !== undefined, values));
}

function withoutText(
  query: ResolvedQuery,
  namesColumns: boolean,
  values: ReadonlyMap<string, string>,
): object {
  const { text: _, options: __, parameters: ___, over: stated, others, released, ...asked } = query;
  // Whether rows of public tables changed is for the version of the data to say.
  const over = stated && withPublicRows(stated, () => []);
  const { outputs, groupBy, groupings, aggregates, ...question } = asked;
  const places = { ...placesOf(query), values };
  const ofKey = (name: string): string => places.keys.get(name) ?? name;
  return {
    ...(placed(question, places) as object),
    // Each value stands where its parameter did. Answers of questions without any were kept under an empty list.
    parameters: [],
    groupBy: groupBy.map(({ expression }) => placed(expression, places)),
    ...(groupings ? { groupings: groupings.map((keys) => keys.map(ofKey)) } : {}),
    aggregates: aggregates.map(({ name: _name, ...aggregate }) => placed(aggregate, places)),
    // A SELECT over the answer speaks of the answer's columns by their names.
    outputs: placed(namesColumns ? outputs : withoutNames(outputs), places),
    ...(over
      ? { over: over.kind === "shown" ? { ...over, columns: withoutNames(over.columns) } : over }
      : {}),
    ...(others
      ? {
          others: others.map(({ name, query: other }) => ({ name, query: withoutText(other, true, values) })),
        }
      : {}),
    ...(released ? { released: released.map(({ of }) => of) } : {}),
  };
}

/** Leaves the names of columns out, unless one of them is an end of the interval of another, which it names. */
function withoutNames(columns: readonly { readonly name: string; readonly kind?: string }[]): unknown {
  if (columns.some(({ kind }) => kind === "interval-end")) return columns;
  return columns.map(({ name: _, ...column }) => column);
}

/** For each name of a question, the place that stands for it. */
interface Places {
  readonly sources: ReadonlyMap<string, string>;
  /** The columns of each source whose columns the text names: those of subqueries and lists. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly keys: ReadonlyMap<string, string>;
  readonly aggregates: ReadonlyMap<string, string>;
  /** The subqueries whose values the text reads. */
  readonly values: ReadonlyMap<string, string>;
}

function placesOf({ from, groupBy, aggregates }: ResolvedQuery): Omit<Places, "values"> {
  const sources = allSources(from).filter(hasName);
  return {
    sources: numbered(
      "source",
      sources.map(({ source }) => source),
    ),
    columns: new Map(
      sources
        .filter(({ kind }) => kind !== "table")
        .map(({ source, columns }) => [source, numbered("column", Object.keys(columns))]),
    ),
    keys: numbered(
      "key",
      groupBy.map(({ name }) => name),
    ),
    aggregates: numbered(
      "aggregate",
      aggregates.map(({ name }) => name),
    ),
  };
}

function hasName(source: Source): source is Source & { readonly source: string } {
  return source.source !== null;
}

function numbered(what: string, names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name, at) => [name, `${what} ${at + 1}`]));
}

type Members = Readonly<Record<string, unknown>>;

/** Puts places where names stand: in what has a source, and in the references to keys and aggregates. Values of the question stay as they are. */
function placed(value: unknown, places: Places): unknown {
  if (Array.isArray(value)) return value.map((each) => placed(each, places));
  if (typeof value === "number" && !Number.isFinite(value)) return { number: String(value) };
  if (typeof value !== "object" || value === null) return value;
  const members = value as Members;
  if ("num" in members && typeof members.num === "bigint") return value;
  if (members.kind === "released")
    return { ...members, sql: places.values.get(String(members.sql)) ?? members.sql };
  const inner = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, placed(member, places)]),
  );
  return { ...inner, ...placedSource(members, inner, places), ...placedReference(members, places) };
}

/** A reference to a key or an aggregate of the question. */
function placedReference({ kind, key, aggregate }: Members, { keys, aggregates }: Places): Members {
  if (typeof key === "string" && (kind === "key" || kind === "grouped-away" || kind === "other"))
    return { key: keys.get(key) ?? key };
  if (typeof aggregate === "string" && kind === "aggregate")
    return { aggregate: aggregates.get(aggregate) ?? aggregate };
  return {};
}

/** A column of a source, a key that a source has, or a source itself. */
function placedSource({ source, ...members }: Members, inner: Members, places: Places): Members {
  if (typeof source !== "string") return {};
  const columns = places.columns.get(source);
  const placeOf = (name: string): string => columns?.get(name) ?? name;
  const own = { source: places.sources.get(source) ?? source };
  if (typeof members.column === "string") return { ...own, column: placeOf(members.column) };
  if (members.kind === "column" && typeof members.name === "string")
    return { ...own, name: placeOf(members.name) };
  if (!columns) return own;
  const record = (named: unknown): Members =>
    Object.fromEntries(Object.entries(named as Members).map(([name, member]) => [placeOf(name), member]));
  const records = ["columns", "keys", "values"].filter((name) => isRecord(members[name]));
  const { parts } = inner;
  return {
    ...own,
    ...Object.fromEntries(records.map((name) => [name, record(inner[name])])),
    ...(Array.isArray(members.names) ? { names: members.names.map(placeOf) } : {}),
    ...(Array.isArray(parts)
      ? { parts: parts.map((part) => ({ ...part, values: record(part.values) })) }
      : {}),
  };
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
