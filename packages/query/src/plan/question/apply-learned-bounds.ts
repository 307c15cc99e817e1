import { LetheError } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { Policy } from "../../policy/policy.ts";
import { byName } from "../../refusals/by-name.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { chooseBounds } from "../learned-bounds/choose-bounds.ts";
import { learnedArguments, withBounds } from "../learned-bounds/learned-arguments.ts";
import type { PlanOptions } from "../merge-options.ts";
import { fittedNoise } from "../nominal-noise.ts";
import type { DerivedNoised } from "../passes/derive-tree.ts";
import { treeWithNoise, withNoise } from "../passes/noise/with-noise.ts";
import type { Plan } from "../plan.ts";
import { deriveQuestion } from "./derive-question.ts";

/**
 * The plan of a question whose bounds have been learned: the same losses, the same measurements, on the grids and with the noise
 * that those bounds make. A function of the plan, the question it was made for, and the noisy counts of its stages; whatever those
 * are, none fails. Errors: internal.invariant for another question's plan.
 */
export function applyLearnedBounds(
  plan: Plan,
  question: ResolvedQuery,
  policy: Policy,
  options: PlanOptions,
  counts: readonly (readonly number[])[],
): Plan {
  const { learned: planned } = plan;
  if (!planned) return plan;
  const stages = planned.stages.map((stage, at) => ({
    ...stage,
    counts: elementAt(counts, at),
    bounds: chooseBounds(stage.ends, elementAt(counts, at), stage.noise),
  }));
  const learned = learnedArguments(question);
  const applied = withBounds(
    question,
    learned,
    stages.map(({ bounds }) => bounds),
  );
  const { sums, measurements, trees, aggregates } = deriveQuestion(applied, policy, options, learned);
  if (measurements.length !== plan.measurements.length || trees.length !== (plan.trees ?? []).length)
    throw new LetheError("internal.invariant", "bounds changed what is measured", {
      fix: "report this with the question asked",
    });
  const noiseFor = ({ name, ...sensitivity }: DerivedNoised): Noise =>
    fittedNoise(byName(planned.nominal, name), sensitivity);
  return {
    ...plan,
    sums,
    measurements: measurements.map((each) => withNoise(each, noiseFor(each))),
    ...(trees.length === 0 ? {} : { trees: trees.map((each) => treeWithNoise(each, noiseFor(each))) }),
    learned: { ...planned, stages },
    aggregates,
  };
}
