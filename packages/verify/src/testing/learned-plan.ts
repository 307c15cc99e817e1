import { parseRational } from "@lethe/core";
import {
  applyLearnedBounds,
  cellTests,
  type Plan,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";

/** Units of several groups and rows, whose x has no bounds. */
export const policyOf = (limit: string, adjacency: string): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: zcdp, epsilon: 50, delta: 1e-5 }
tables:
  t:
    file: t.parquet
    unit: id
    max_groups_contributed: 3
    max_rows_contributed_per_group: 2
    limit: ${limit}
    columns:
      id: { type: text }
      x: { type: number }
      y: { type: number }
      age: { type: integer, bounds: [0, 1000000] }
      g: { type: text, categories: [a, b] }
`);
export const policy: Policy = policyOf("groups-after-filter", "add-or-remove-one");
const several =
  "SELECT g, SUM(x, contribution_bounds_per_row => auto), AVG(age, contribution_bounds_per_row => auto) FROM t GROUP BY g";

/** A plan whose bounds were learned, from counts that are made up. */
export async function planOf(given: Policy = policy, text: string = several): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), given);
  const options = { epsilon: parseRational("1") };
  const plan = planQuestion(question, given, options, policyHash(given));
  const counts = plan.learned!.stages.map(({ ends }) =>
    Array.from({ length: cellTests(ends).length + 1 }, (_, cell) => (cell > 8 && cell < 14 ? 2 ** 40 : cell)),
  );
  return applyLearnedBounds(plan, question, given, options, counts);
}
