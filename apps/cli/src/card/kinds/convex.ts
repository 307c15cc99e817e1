import { elementAt } from "@lethe/core/numeric";
import { wordsOf } from "@lethe/learn";
import { type ConvexModel, type ConvexTraining, convexEntries } from "@lethe/learn/convex";
import { algorithmWords, upward } from "../../render/convex.ts";
import { explainedConvex } from "../../train/convex.ts";
import { counted, figure } from "../figures.ts";
import { type Block, code, plain, points, table } from "../markdown.ts";
import type { ModelPart, ProcedurePart } from "../model-part.ts";
import { declaredColumn } from "./declared-column.ts";
import { names, shownCategory } from "./model-columns.ts";

/** The plan of a convex model as its certificate holds it. */
export type ConvexRecord = ConvexTraining & Pick<ModelPart, "source" | "where" | "purpose" | "limits">;

/** So many weights are shown: the largest. */
const mostShown = 12;

/** A convex model: its largest weights, and what was proven of it before any data. */
export function convexPart(record: ConvexRecord, model: ConvexModel): ProcedurePart {
  const { source, where, target, features, method } = record;
  const { plans, units, tuning } = explainedConvex(method);
  const { loss, radius, steps, algorithm } = elementAt(plans, model.tuning?.candidate ?? 0);
  return {
    title: `Convex model of ${code(target.name)}`,
    ...{ source, where, ...wordsOf(record) },
    about: [
      target.kind === "number"
        ? `It predicts ${code(target.name)} of a row, in half widths of its bounds from their middle, as a weighted sum of ${names(features)}, each scaled to [−1, 1].`
        : `It tells whether ${code(target.name)} of a row is ${shownCategory(target.categories[1] ?? "")} by the sign of a weighted sum of ${names(features)}, each scaled to [−1, 1].`,
      `The weights lie in a ball of radius ${figure(radius)} and make the mean ${loss} loss of ${counted(units, "declared unit")} small, by ${algorithmWords[algorithm]} in ${counted(steps, "step")}.`,
      ...(tuning === null ? [] : [chosen(plans.length, tuning.tries)]),
    ],
    columns: [
      declaredColumn(target, "predicted", "left out"),
      ...features.map((each) => declaredColumn(each, "feature", "neutral")),
    ],
    exactness: [weightTable(model), proven(model.report)],
    unmeasured: [
      "How small the loss on the rows became: the bound above was proven before any row was read.",
    ],
    unit: {
      ...{ adjacency: model.adjacency, rows: null },
      limits: [
        "A unit's loss is the mean of its rows' losses, and its gradient is bounded by the policy's bounds of columns.",
      ],
    },
  };
}

/** How one of several candidates was chosen. */
function chosen(candidates: number, tries: number): string {
  return `It is the best of about ${figure(tries)} tries. Each tried one of ${counted(candidates, "candidate")}, drawn by coins, and was scored by a noisy sum of how much less than the weights 0 it loses on each unit. The price pays for all tries.`;
}

function weightTable(model: ConvexModel): Block {
  const entries = convexEntries(model);
  const largest = model.weights
    .map((weight, at) => ({ entry: entries[at] ?? "", weight }))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, mostShown);
  const left = model.weights.length - largest.length;
  const rows = largest.map(({ entry, weight }) => [plain(entry), figure(weight)]);
  return table(["entry", "weight"], left > 0 ? [...rows, [`${left} smaller ones`, ""]] : rows);
}

function proven({ bound }: ConvexModel["report"]): Block {
  const { risk, proven: excess, withoutData, vacuous } = bound;
  const over = risk === "empirical" ? "of the data's units" : "of the population that units are drawn from";
  const claim = vacuous
    ? `Nothing is proven of how good the weights are: the theorem allows an excess of ${upward(excess)}, and the weights 0, which need no data, have at most ${figure(withoutData)}.`
    : `It was proven before any data that the mean loss ${over} exceeds the least in the ball by at most ${upward(excess)}, on average over the noise; the weights 0, which need no data, by at most ${figure(withoutData)}.`;
  return points([claim, "There are no intervals, for weights or for predictions."]);
}
