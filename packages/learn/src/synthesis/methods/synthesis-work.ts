import { sizesOf } from "../domain/index.ts";
import { estimate, measured } from "../inference/index.ts";
import { addWork, type SynthesisPlan, targetOf, type Work } from "../plan/index.ts";
import { methods } from "./methods.ts";

/** Returns the work of a plan, from the plan alone: of measuring and fitting, beside what the database does, and of drawing so many rows. */
export function synthesisWork(
  plan: Pick<SynthesisPlan, "method" | "domain" | "target" | "stages" | "modelBytes">,
  rows: number,
): Work {
  const { stages, modelBytes } = plan;
  const shape = { sizes: sizesOf(plan.domain), target: targetOf(plan) };
  const method = methods[plan.method];
  return addWork(method.work({ ...shape, stages, modelBytes }), method.drawing({ ...shape, stages }, rows));
}

const sample = { size: 16, steps: 150 } as const;

/** Fits a model to invented tables, always the same, and returns how many visits that took: for whoever has a clock. */
export function sampleWork(): number {
  const { size, steps } = sample;
  const sizes = [size, size, size, size];
  const cells = size * size;
  const tables = [
    [0, 1],
    [1, 2],
    [2, 3],
  ].map((attributes, at) =>
    measured(
      attributes,
      new Float64Array(cells).map((_, cell) => (cell * 7919 + at) % 97),
      4,
    ),
  );
  estimate(sizes, tables, { steps });
  return steps * cells * tables.length;
}
