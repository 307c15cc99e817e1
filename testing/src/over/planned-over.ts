import { parseRational } from "@lethe/core";
import type { NoisyGroup } from "@lethe/core/mechanisms";
import { type AnsweredRows, answeredRows } from "@lethe/gateway";
import {
  type Plan,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  releaseProgram,
  resolveQuestion,
} from "@lethe/query";

export const overPolicy: Policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  t:
    file: t.csv
    unit: row
    columns:
      m: { type: integer, bounds: [1, 12], default: 1 }
      g: { type: text, categories: [a, b, c] }
      d: { type: date, bounds: [2024-01-01, 2024-03-31], default: 2024-01-01 }
      x: { type: integer, bounds: [0, 100], default: 0 }
      y: { type: integer, bounds: [0, 100] }
`);

export async function planOver(text: string, policy: Policy = overPolicy): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  const options = { epsilon: parseRational("1"), delta: parseRational("1e-7") };
  return planQuestion(question, policy, options, policyHash(policy));
}

/** The integers of a question of the text: those of each measurement, in each group. */
export type IntegerOf = (measurement: string, group: number) => bigint;

/** Answers a plan of public keys from noisy integers that `integerOf` makes up, and those of each other question of its text. */
export function answerOver(
  plan: Plan,
  integerOf: IntegerOf,
  confidence = 0.95,
  ofOthers: readonly IntegerOf[] = [],
): AnsweredRows {
  const others = (plan.others ?? []).map((other, at) => ({
    groups: groupsOf(other.plan, ofOthers[at] ?? integerOf),
  }));
  return answeredRows(plan, confidence)(groupsOf(plan, integerOf), [], others);
}

function groupsOf(plan: Plan, integerOf: IntegerOf): readonly NoisyGroup[] {
  const { keys } = releaseProgram(plan);
  return (keys.kind === "public" ? keys.groups : [[]]).map(
    (key, group): NoisyGroup => ({
      key,
      values: plan.measurements.map(({ name }) => integerOf(name, group)),
      trees: [],
    }),
  );
}
