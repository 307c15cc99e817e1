import type { OverFrame, OverRelation, OverWindow, Plan, PostExpression } from "@lethe/query";
import { leaves } from "../../derive/leaves.ts";
import { releasedTexts } from "../../derive/released-in.ts";
import { Misshapen } from "../shape.ts";

/** The most relations that one may be made of, one within the other. */
const deepest = 100;

/**
 * Demands of the relations over an answer that no two columns of one have one name, that they read nothing but columns of the rows that they are made of, and
 * that functions have their arguments. Errors: Misshapen.
 */
export function demandOverNames({ over, outputs, others = [] }: Plan, path: string): void {
  if (over === undefined) {
    if (others.length > 0)
      throw new Misshapen(`${path}.others`, "there where a relation reads their answers");
    return;
  }
  const namesOf = (columns: Plan["outputs"]): Names => new Set(columns.map(({ name }) => name));
  const answers = new Map<string | undefined, Names>([
    [undefined, namesOf(outputs)],
    ...others.map(({ name, plan }) => [name, namesOf(plan.outputs)] as const),
  ]);
  if (answers.size < others.length + 1) throw new Misshapen(`${path}.others`, "of different names");
  columnsOf(over, { answers, path: `${path}.over`, depth: 1 });
}

/**
 * Demands of the questions of a text that each reads values of the answers before it alone: of relations of one column, in which no public table stands. Errors: Misshapen.
 */
export function demandReleasedNames(plan: Plan, path: string): void {
  const { others = [], over: _, released = [], ...own } = plan;
  const answers = new Map<string | undefined, Names>();
  const unread = new Set(released.map(({ sql }) => sql));
  for (const { name, plan: question } of [{ name: undefined, plan: own }, ...others]) {
    for (const sql of releasedTexts(question)) {
      const at = released.findIndex((relation) => relation.sql === sql);
      const place = { answers, path: `${path}.released[${at}]`, depth: 1 };
      const relation = released[at];
      if (!relation) throw new Misshapen(`${path}.released`, "all that its questions read");
      if (columnsOf(relation.of, place).size !== 1) throw new Misshapen(place.path, "of one column");
      if (readsTable(relation.of)) throw new Misshapen(place.path, "of answers alone");
      unread.delete(sql);
    }
    answers.set(name, new Set(question.outputs.map((output) => output.name)));
  }
  if (unread.size > 0 || new Set(released.map(({ sql }) => sql)).size < released.length)
    throw new Misshapen(`${path}.released`, "what its questions read, each once");
}

function readsTable(over: OverRelation): boolean {
  switch (over.kind) {
    case "answer":
      return false;
    case "values":
      return over.table !== undefined;
    case "joined":
      return readsTable(over.left) || readsTable(over.right);
    case "union":
      return over.parts.some(readsTable);
    default:
      return readsTable(over.of);
  }
}

/** The names of a relation's columns. */
type Names = ReadonlySet<string>;

/** A relation's place among those that it is part of. */
interface Place {
  /** The names of the columns of each answer, by its own name; of the plan's own, which has none. */
  readonly answers: ReadonlyMap<string | undefined, Names>;
  readonly path: string;
  readonly depth: number;
}

/** Returns the names of a relation's columns. Errors: Misshapen. */
function columnsOf(over: OverRelation, place: Place): Names {
  const { answers, path, depth } = place;
  if (depth > deepest) throw new Misshapen(path, `nested in fewer than ${deepest} relations`);
  const within = (of: OverRelation, member: string): Names =>
    columnsOf(of, { answers, path: `${path}.${member}`, depth: depth + 1 });
  switch (over.kind) {
    case "answer": {
      const columns = answers.get(over.name);
      if (!columns) throw new Misshapen(`${path}.name`, "that of an answer of the plan");
      return columns;
    }
    case "values": {
      if (over.rows.some((row) => row.length !== over.columns.length))
        throw new Misshapen(`${path}.rows`, "rows of a value for each column");
      return different(
        over.columns.map(({ name }) => name),
        path,
      );
    }
    case "filtered": {
      const columns = within(over.of, "of");
      demandRead(over.where, columns, `${path}.where`);
      return columns;
    }
    case "shown":
      return shownNames(over, within(over.of, "of"), path);
    case "grouped":
      return groupedNames(over, within(over.of, "of"), path);
    case "windowed": {
      const columns = within(over.of, "of");
      for (const [at, window] of over.windows.entries())
        demandWindow(window, columns, `${path}.windows[${at}]`);
      return different([...columns, ...over.windows.map(({ name }) => name)], path);
    }
    case "ordered": {
      const columns = within(over.of, "of");
      for (const [at, { by }] of over.orderBy.entries()) demandRead(by, columns, `${path}.orderBy[${at}]`);
      return columns;
    }
    case "distinct":
      return within(over.of, "of");
    case "joined": {
      const columns = different([...within(over.left, "left"), ...within(over.right, "right")], path);
      if (over.on) demandRead(over.on, columns, `${path}.on`);
      return columns;
    }
    case "union": {
      const [first, ...others] = over.parts.map((part, at) => within(part, `parts[${at}]`));
      if (first === undefined || others.some(({ size }) => size !== first.size))
        throw new Misshapen(`${path}.parts`, "relations of equally many columns, one at least");
      return first;
    }
  }
}

type Of<Kind extends OverRelation["kind"]> = Extract<OverRelation, { readonly kind: Kind }>;

function shownNames(over: Of<"shown">, columns: Names, path: string): Names {
  for (const [at, { expression }] of over.columns.entries())
    demandRead(expression, columns, `${path}.columns[${at}]`);
  return different(
    over.columns.map(({ name }) => name),
    path,
  );
}

function groupedNames(over: Of<"grouped">, columns: Names, path: string): Names {
  for (const [at, name] of over.by.entries())
    demandRead({ kind: "key", key: name }, columns, `${path}.by[${at}]`);
  for (const [at, { value }] of over.values.entries()) {
    const there = `${path}.values[${at}]`;
    if (value.expression === null && (value.function !== "count" || value.distinct))
      throw new Misshapen(there, "of an expression, or COUNT(*)");
    for (const part of [value.expression, value.where]) if (part) demandRead(part, columns, there);
  }
  return different([...over.by, ...over.values.map(({ name }) => name)], path);
}

/** The numbers of arguments that functions have, where these are not one. */
const counts: Readonly<Partial<Record<OverWindow["function"], readonly number[]>>> = {
  count: [0, 1],
  row_number: [0],
  rank: [0],
  dense_rank: [0],
  percent_rank: [0],
  cume_dist: [0],
  lag: [3],
  lead: [3],
  nth_value: [2],
};

function demandWindow(window: OverWindow, columns: Names, path: string): void {
  const due = counts[window.function] ?? [1];
  if (!due.includes(window.arguments.length))
    throw new Misshapen(`${path}.arguments`, "as many as the function has");
  const read = [...window.arguments, ...window.partitionBy, ...window.orderBy.map(({ by }) => by)];
  for (const part of window.where ? [...read, window.where] : read) demandRead(part, columns, path);
  demandFrame(window.frame, `${path}.frame`);
}

/** A frame of peers has no other ends than the row itself. */
function demandFrame({ peers, from, to }: OverFrame, path: string): void {
  if (peers && [from, to].some((end) => end !== null && end !== 0))
    throw new Misshapen(path, "of places, or from or to the row itself and its peers");
}

function demandRead(expression: PostExpression, columns: Names, path: string): void {
  for (const leaf of leaves(expression))
    if (leaf.kind !== "key" || !columns.has(leaf.key))
      throw new Misshapen(path, "of columns of the rows that it is made of");
}

function different(all: readonly string[], path: string): Names {
  const names = new Set(all);
  if (names.size < all.length) throw new Misshapen(path, "of columns with different names");
  return names;
}
