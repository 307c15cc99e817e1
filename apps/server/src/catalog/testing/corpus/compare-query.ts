import { LetheError } from "@lethe/core";
import type { TableDescription } from "@lethe/query";
import { type Ask, comparable, differenceOf, type Labels, labelsOf } from "./compare-answers.ts";
import { fillQuery, type Subject } from "./fill-query.ts";
import { mustDiffer, ties } from "./must-differ.ts";
import type { CorpusQuery } from "./read-corpus.ts";

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
  const hidden = (column: string): boolean =>
    mustDiffer.some((each) => each.column === column && (each.query === "*" || each.query === query.id));
  const difference = differenceOf(
    comparable(theirs.answer, real.labels, hidden),
    comparable(own.answer, ours.labels, hidden),
    isOrdered(query.text) && !(query.id in ties),
  );
  return difference === null ? "same" : `differs: ${difference}`;
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
