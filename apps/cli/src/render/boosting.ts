import type { BoostedModel, Shape } from "@lethe/learn/boosting";
import type { ExplainedBoosting } from "../train/boosting.ts";
import { renderGrid } from "./grid.ts";

const digits = (x: number): string => String(Number(x.toPrecision(3)));

/** A boosted model for a person to read: of each shape, the bins that add least and most. */
export function renderBoosted({ target, intercept, shapes }: BoostedModel): string {
  const unit =
    target.kind === "number" ? target.name : `log-odds of ${target.name} = ${target.categories[1]}`;
  const rows = shapes.flatMap((shape) => {
    const bins = binsOf(shape);
    const sorted = [...bins].sort((a, b) => a.value - b.value);
    const ends = [...new Set([sorted[0], sorted.at(-1)])];
    return ends.flatMap((bin) =>
      bin ? [[shape.name, bin.where, digits(bin.value), digits(bin.deviation), digits(bin.weight)]] : [],
    );
  });
  return [
    `Boosted model of ${target.name}: ${digits(intercept)} and a value of every feature, in ${unit}`,
    renderGrid(
      ["feature", "least and most", "adds", "± deviation of its noise", "rows"],
      [...rows],
      [false, false, true, true, true],
    ),
  ].join("\n");
}

interface PlacedBin {
  readonly where: string;
  readonly value: number;
  readonly deviation: number;
  readonly weight: number;
}

/** The bins of values, each with what is in it. */
function binsOf(shape: Shape): readonly PlacedBin[] {
  if (shape.kind === "category")
    return shape.bins.map((bin, at) => ({ ...bin, where: (shape.groups[at] ?? []).map(String).join(", ") }));
  const ends = [shape.bounds[0], ...shape.edges, shape.bounds[1]];
  return shape.bins.map((bin, at) => ({
    ...bin,
    where: `${digits(ends[at] ?? Number.NaN)} … ${digits(ends[at + 1] ?? Number.NaN)}`,
  }));
}

/** How noisy the steps of a boosting are, line by line, for a person to read before paying. */
export function renderExplainedBoosting({ counts, rounds, steps }: ExplainedBoosting): readonly string[] {
  return [
    `Counts  of the cells of ${counts.features} features, each with noise of deviation ${digits(counts.deviation)} rows`,
    `Steps   ${steps.count}: ${rounds} rounds of ${counts.features} features; each sum of residuals has noise of deviation ${digits(steps.deviation)}`,
    `Clip    the residuals of a unit have a norm of at most ${digits(steps.clip)} in one step`,
  ];
}
