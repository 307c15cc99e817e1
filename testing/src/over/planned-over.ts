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

/** Answers a plan of public keys from noisy integers that `integerOf` makes up: those of each measurement, in each group. */
export function answerOver(
  plan: Plan,
  integerOf: (measurement: string, group: number) => bigint,
  confidence = 0.95,
): AnsweredRows {
  const { keys } = releaseProgram(plan);
  const groups = (keys.kind === "public" ? keys.groups : [[]]).map(
    (key, group): NoisyGroup => ({
      key,
      values: plan.measurements.map(({ name }) => integerOf(name, group)),
      trees: [],
    }),
  );
  return answeredRows(plan, confidence)(groups);
}
