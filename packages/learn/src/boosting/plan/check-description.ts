import { invalidParameter } from "@lethe/core";
import type { BoostedColumn, BoostingTarget } from "./boosted-column.ts";
import type { BoostingDescription } from "./boosting-description.ts";

/** The most rounds, columns and cells: they bound the time and memory of a training whatever the rows are. */
export const most = { bins: 256, rounds: 10_000, columns: 10_000, cells: 65_535 } as const;

/** Refuses what is no description. Errors: parameter.invalid. */
export function checkDescription(description: BoostingDescription): void {
  const { target, features, adjacency, bins = 16, rounds = 8 } = description;
  const { rate = 1, clip = 1, rows = 1, countShare = 0.2, shrinkage = 1 } = description;
  const positive = (x: number): boolean => x > 0 && x < Number.POSITIVE_INFINITY;
  demand(
    adjacency === "add-or-remove-one" || adjacency === "replace-one",
    ["adjacency", adjacency],
    "add-or-remove-one or replace-one",
  );
  demandWhole("bins", bins, 2, most.bins);
  demandWhole("rounds", rounds, 1, most.rounds);
  demand(rate > 0 && rate <= 1, ["rate", rate], "above 0 and at most 1");
  demand(positive(clip), ["clip", clip], "above 0 and finite");
  demand(positive(rows), ["rows", rows], "above 0 and finite");
  demand(countShare > 0 && countShare < 1, ["countShare", countShare], "above 0 and below 1");
  demand(positive(shrinkage), ["shrinkage", shrinkage], "above 0 and finite");
  demandWhole("number of features", features.length, 1, most.columns);
  const names = [target, ...features].map(({ name }) => name);
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  demand(
    repeated === undefined,
    ["features", repeated],
    "columns that are named once, the target not among them",
  );
  checkTarget(target);
  for (const feature of features) checkFeature(feature);
}

function checkTarget(target: BoostingTarget): void {
  if (target.kind === "number") checkBounds(target.name, target.bounds);
  else {
    const classes = new Set(target.categories).size;
    demand(
      classes === 2 && target.categories.length === 2,
      [`categories of ${target.name}`, target.categories.length],
      "two classes; of more, learn each against the others",
    );
  }
}

function checkFeature(feature: BoostedColumn): void {
  const { name } = feature;
  if (feature.kind === "category") {
    const { categories } = feature;
    demandWhole(`number of categories of ${name}`, categories.length, 1, most.cells);
    demand(
      new Set(categories).size === categories.length,
      [`categories of ${name}`, "a repeated one"],
      "distinct",
    );
    return;
  }
  checkBounds(name, feature.bounds);
  const { cut, bounds } = feature;
  if (cut?.by === "quantiles") demandWhole(`cells of ${name}`, cut.cells, 2, most.cells);
  if (cut?.by === "width") demandWhole(`bins of ${name}`, cut.bins, 2, most.bins);
  if (cut?.by !== "edges") return;
  const ends = [bounds[0], ...cut.edges, bounds[1]];
  demandWhole(`number of edges of ${name}`, cut.edges.length, 1, most.bins - 1);
  demand(
    ends.every((edge, i) => i === 0 || edge > (ends[i - 1] ?? Number.NaN)),
    [`edges of ${name}`, cut.edges.join(", ")],
    `increasing, between ${bounds[0]} and ${bounds[1]}`,
  );
}

function checkBounds(name: string, [lo, hi]: readonly [number, number]): void {
  demand(
    Number.isFinite(hi - lo) && lo < hi,
    [`bounds of ${name}`, `${lo}, ${hi}`],
    "finite, the lowest below the highest",
  );
}

function demandWhole(name: string, value: number, least: number, largest: number): void {
  demand(
    Number.isInteger(value) && value >= least && value <= largest,
    [name, value],
    `a whole number from ${least} to ${largest}`,
  );
}

function demand(holds: boolean, [name, value]: readonly [string, unknown], domain: string): void {
  if (!holds) throw invalidParameter(name, value, domain);
}
