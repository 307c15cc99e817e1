import { noiseVariance } from "@lethe/core/accuracy";
import { wordsOf } from "@lethe/learn";
import type { BoostedModel, BoostingPlan, Shape } from "@lethe/learn/boosting";
import { counted, figure } from "../figures.ts";
import { code, points, table } from "../markdown.ts";
import type { ModelPart, ProcedurePart } from "../model-part.ts";
import { declaredColumn } from "./declared-column.ts";
import { names, shownCategory } from "./model-columns.ts";

/** The plan of a boosting as its certificate holds it. */
export type BoostingRecord = BoostingPlan & Pick<ModelPart, "source" | "where" | "purpose" | "limits">;

/** Noise is drawn in steps of 2⁻²⁰ of what a unit is clipped to. */
const step = 2 ** -20;

/** A boosted model: what each shape adds, and the noise in it. */
export function boostingPart(plan: BoostingRecord, model: BoostedModel): ProcedurePart {
  const { source, where, target, features, rounds, rate, clip, rows } = plan;
  const unit =
    target.kind === "number"
      ? code(target.name)
      : `the log-odds of ${code(target.name)} = ${shownCategory(target.categories[1] ?? "")}`;
  const deviation = (noise: BoostingPlan["stepNoise"], norm: number): number =>
    Math.sqrt(noiseVariance(noise)) * norm * step;
  return {
    title: `Boosted model of ${code(target.name)}`,
    ...{ source, where, ...wordsOf(plan) },
    about: [
      `It predicts ${unit} of a row as ${figure(model.intercept)} and one value for each of ${names(features)}, which is read off that feature's bins: a shape that one can see and edit.`,
      `The shapes were bettered in turn, ${counted(rounds, "round")} of ${counted(features.length, "feature")}, each by ${figure(rate)} of a Newton step.`,
    ],
    columns: [
      declaredColumn(target, "predicted", "left out"),
      ...features.map((each) => declaredColumn(each, "feature", "a value of its own")),
    ],
    exactness: [
      table(
        ["feature", "bins", "adds from … to", "deviation of the noise in a value, at most"],
        model.shapes.map(shapeRow),
      ),
      points([
        "The deviation is that of the noise which a bin's own sums put into its value, as if no later round corrected it.",
        `Rows of each cell were counted with noise of deviation ${figure(deviation(plan.countNoise, rows))}.`,
        `Each sum of a round had noise of deviation ${figure(deviation(plan.stepNoise, clip))}.`,
      ]),
    ],
    unmeasured: [],
    unit: {
      ...{ adjacency: plan.adjacency, rows },
      limits: [
        `In each step its residuals are clipped to a norm of ${figure(clip)}, over all bins together.`,
      ],
    },
  };
}

function shapeRow({ name, bins }: Shape): readonly string[] {
  const values = bins.map(({ value }) => value);
  const deviations = bins.map(({ deviation }) => deviation);
  return [
    code(name),
    String(bins.length),
    `${figure(Math.min(...values))} … ${figure(Math.max(...values))}`,
    figure(Math.max(...deviations)),
  ];
}
