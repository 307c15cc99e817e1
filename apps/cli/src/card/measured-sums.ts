import { explainPlan, type Plan, type Policy } from "@lethe/query";
import { confidencePercent } from "../render/number.ts";
import { figure } from "./figures.ts";
import { type Block, code, paragraph, table } from "./markdown.ts";

/** The sums that left the database for models, and the noise of each question's: alike questions are told once. */
export function measuredSums(plans: readonly Plan[], policy: Policy, confidence: number): readonly Block[] {
  const rows = new Map<string, { readonly cells: readonly string[]; readonly count: number }>();
  for (const plan of plans) {
    const cells = rowOf(plan, policy, confidence);
    const key = cells.join("\n");
    rows.set(key, { cells, count: (rows.get(key)?.count ?? 0) + 1 });
  }
  return [
    paragraph(
      `Only these sums left the database, each with noise of its own: counts of rows, and sums of numbers that were scaled to [−1, 1] by their bounds and of their products. Half of the ${confidencePercent(confidence)} interval of the noise:`,
    ),
    table(
      ["questions", "grouped by", "sums a group", "± of the least noisy", "± of the noisiest"],
      [...rows.values()].map(({ cells, count }) => [String(count), ...cells]),
    ),
  ];
}

function rowOf(plan: Plan, policy: Policy, confidence: number): readonly string[] {
  const { measurements } = explainPlan(plan, policy, confidence);
  const widths = measurements.map(({ halfWidth }) => halfWidth);
  const keys = plan.outputs.filter(({ kind }) => kind === "key").map(({ name }) => code(name));
  return [
    keys.length === 0 ? "—" : keys.join(", "),
    String(measurements.length),
    figure(Math.min(...widths)),
    figure(Math.max(...widths)),
  ];
}
