import {
  type Expression,
  type Plan,
  type Policy,
  parseQuestion,
  type ResolvedQuery,
  resolveQuestion,
} from "@lethe/query";
import { named } from "../derive/named.ts";
import { isPlain } from "../procedure/stated-condition.ts";
import { rowsKey } from "./described-rows.ts";
import { type ScaledColumn, scaledProduct, shapeOf } from "./expression-shape.ts";

/** A question of the release, read as sums over rows. */
export interface AskedQuestion {
  readonly plan: Plan;
  /** The relation that is read, and the conditions on its rows. */
  readonly rows: string;
  /** The expressions that rows are grouped by, in the order of the answer. */
  readonly keys: readonly Expression[];
  /**
   * The columns of its answer: the products of scaled columns that are summed, of none for COUNT(*), and null for a key or for whatever else is
   * asked.
   */
  readonly sums: readonly (readonly ScaledColumn[] | null)[];
}

/** Reads the question of a plan. Null where it shows not every row of its answer. Errors: those of resolving a question. */
export async function askedQuestion(plan: Plan, policy: Policy): Promise<AskedQuestion | null> {
  const question = resolveQuestion(
    await parseQuestion(plan.text, plan.parameters, plan.today ?? null),
    policy,
  );
  if (!isPlain(question.post) || question.groupings !== undefined) return null;
  return {
    plan,
    rows: rowsKey(question),
    keys: question.groupBy.map(({ expression }) => expression),
    sums: question.outputs.map((output) => {
      const asked = output.kind === "aggregate" ? named(question.aggregates, output.aggregate) : null;
      return asked && factorsOf(asked);
    }),
  };
}

/** Sums with bounds of their own are clamped to these, and so are other sums. */
function factorsOf(aggregate: ResolvedQuery["aggregates"][number]): readonly ScaledColumn[] | null {
  if (aggregate.kind === "count") return aggregate.argument === null ? [] : null;
  return aggregate.kind === "sum" && aggregate.bounds === null ? scaledProduct(aggregate.argument) : null;
}

/** Returns a text that two sums over the same rows share where they have the same keys and multiply the same columns. */
export function sumKey(keys: readonly string[], factors: readonly string[]): string {
  return JSON.stringify([keys.toSorted(), factors.toSorted()]);
}

/** A sum that the release holds, with the scales of its factors. */
export interface AskedSum {
  readonly question: AskedQuestion;
  readonly factors: readonly ScaledColumn[];
}

/** Indexes the sums of questions by their rows, and then by {@link sumKey}. */
export function indexedSums(
  questions: readonly AskedQuestion[],
): ReadonlyMap<string, ReadonlyMap<string, readonly AskedSum[]>> {
  const byRows = new Map<string, Map<string, AskedSum[]>>();
  for (const question of questions) {
    const sums = byRows.get(question.rows) ?? new Map<string, AskedSum[]>();
    byRows.set(question.rows, sums);
    const keys = question.keys.map(shapeOf);
    for (const factors of question.sums) {
      if (factors === null) continue;
      const key = sumKey(
        keys,
        factors.map(({ column }) => column),
      );
      sums.set(key, [...(sums.get(key) ?? []), { question, factors }]);
    }
  }
  return byRows;
}
