import { LetheError } from "@lethe/core";
import type { TableDescription } from "@lethe/query";
import {
  type Ask,
  type Comparable,
  comparable,
  differenceOf,
  type Labels,
  labelsOf,
  sortedJson,
} from "./compare-answers.ts";
import { fillQuery, type Subject } from "./fill-query.ts";
import { anyOrder, mustDiffer, ownRows } from "./must-differ.ts";
import type { CorpusQuery } from "./read-corpus.ts";
import type { CatalogRows } from "./real-catalog.ts";

/** One of the two that are compared, and what it calls the objects of the policy. */
export interface Side {
  readonly ask: Ask;
  readonly labels: Labels;
  readonly subject: Subject;
}

/** Says how a statement fares: "same", "refused: …" or "differs: …". */
export type Outcome = string;

/** Makes a side of what answers it. The statements are about the first table, and the last of another schema where there is one. */
export async function sideOf(ask: Ask, tables: readonly TableDescription[]): Promise<Side> {
  const labels = await labelsOf(ask);
  const byLabel = new Map([...labels].map(([oid, label]) => [label, oid]));
  const oid = (kind: string, { schema, name }: TableDescription): string => {
    const found = byLabel.get(`<${kind} ${schema}.${name}>`);
    if (!found) throw new Error(`there is no ${kind} ${schema}.${name}`);
    return found;
  };
  const [first] = tables;
  if (!first) throw new Error("a policy has no tables");
  const second = tables.findLast(({ schema }) => schema !== "public") ?? tables.at(-1) ?? first;
  const subject = {
    table: first.name,
    second: second.name,
    schema: second.schema,
    oid: oid("relation", first),
    secondOid: oid("relation", second),
    rowType: oid("type", first),
    secondRowType: oid("type", second),
  };
  return { ask, labels, subject };
}

/** Asks both sides a statement. Where PostgreSQL itself refuses it, a refusal is the same. */
export async function compareQuery(query: CorpusQuery, real: Side, ours: Side): Promise<Outcome> {
  const [theirs, own] = [await answerOf(query, real), await answerOf(query, ours)];
  if ("refusal" in theirs) return "refusal" in own ? "same" : `differs: PostgreSQL says ${theirs.refusal}`;
  if ("refusal" in own) return `refused: ${own.refusal}`;
  const hidden = (column: string): "value" | "null" | null => {
    const found = mustDiffer.find((each) => each.column === column && ["*", query.id].includes(each.query));
    return found ? (found.isNull ? "null" : "value") : null;
  };
  const made = (answer: CatalogRows, labels: Labels): Comparable => {
    const whole = comparable(query.id in ownRows ? { ...answer, rows: [] } : answer, labels, hidden);
    return query.id in anyOrder ? { ...whole, rows: whole.rows.map(sortedCells) } : whole;
  };
  const difference = differenceOf(
    made(theirs.answer, real.labels),
    made(own.answer, ours.labels),
    isOrdered(query.text) && !(query.id in anyOrder),
  );
  return difference === null ? "same" : `differs: ${difference}`;
}

function sortedCells(row: string): string {
  const cells = JSON.parse(row) as (string | null)[];
  return JSON.stringify(cells.map((cell) => cell && sortedJson(cell)));
}

type Answer = { readonly answer: Awaited<ReturnType<Ask>> } | { readonly refusal: string };

async function answerOf(query: CorpusQuery, { ask, subject }: Side): Promise<Answer> {
  try {
    return { answer: await ask(fillQuery(query, subject)) };
  } catch (error) {
    if (error instanceof LetheError) return { refusal: `${error.code}: ${error.message}` };
    // An error of PostgreSQL has the code of its state; every other one is a fault.
    if (error instanceof Error && /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code)))
      return { refusal: error.message };
    throw error;
  }
}

/** Whether the outermost SELECT states an order. */
function isOrdered(text: string): boolean {
  let depth = 0;
  let ordered = false;
  for (const [part] of text.matchAll(/'(?:[^']|'')*'|"[^"]*"|--[^\n]*|[()]|\bORDER\s+BY\b/gi)) {
    if (part === "(") depth += 1;
    else if (part === ")") depth -= 1;
    else if (depth === 0 && /^order/i.test(part)) ordered = true;
  }
  return ordered;
}
