import { parseRational, type Rational } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import { compare, divide, elementAt, multiply } from "@lethe/core/numeric";
import { cellTests } from "../../expressions/operators/bound-cells.ts";
import { byName } from "../../refusals/by-name.ts";
import { rowWeight } from "../cell-tree.ts";
import type { AllocatedQuestion } from "../passes/allocate-loss.ts";
import type { Measurement, NominalNoise, TreeMeasurement } from "../plan.ts";
import { unitContribution } from "../unit-contribution.ts";

/** The most cells of one stage: each draws noise. */
const mostCells = 256;

/**
 * Returns the noises that the event lists: all noises as they are drawn or, where bounds are learned, those of the stages and the
 * nominal ones. Demands then that no noise costs more than the nominal one in its place, and that no stage moves further than its
 * noise covers.
 */
export function verifyLearned(
  { pricedStages, nominal, contribution, adjacency, unit }: AllocatedQuestion,
  drawn: readonly (Measurement | TreeMeasurement)[],
  demand: (holds: boolean, broken: string) => void,
): readonly NominalNoise[] {
  demand((nominal === null) === (pricedStages.length === 0), "nominal noise without learned bounds");
  if (nominal === null) return drawn;
  demand(coversAll(nominal, drawn), "noise that costs more than what the event says");
  const isRow = unit.kind === "row";
  const rowsBefore = !isRow && contribution.limit === "rows-before-filter";
  const weight = BigInt(rowWeight) * BigInt(rowsBefore ? unitContribution(contribution).rows : 1);
  const units = adjacency === "replace-one" ? 2n : 1n;
  for (const { ends, l1, l2Squared, noise, bounds } of pricedStages) {
    demand(BigInt(l1) === units * weight, "cells of another ℓ1 sensitivity");
    demand(BigInt(l2Squared) === units * weight * weight, "cells of another ℓ2 sensitivity");
    demand(noise.mechanism !== "constant@1", "cells without noise");
    demand(
      ends.length >= 2 && ends.every((end, place) => place === 0 || end > elementAt(ends, place - 1)),
      "ends that do not increase",
    );
    demand(cellTests(ends).length < mostCells, "more cells than one stage may have");
    demand(bounds[0] < bounds[1], "learned bounds without an inside");
  }
  return [...pricedStages, ...nominal];
}

/** Whether each noise that is drawn has its nominal one, and costs no more. */
export function coversAll(
  nominal: readonly NominalNoise[],
  drawn: readonly (Measurement | TreeMeasurement)[],
): boolean {
  return nominal.length === drawn.length && drawn.every((each) => covers(byName(nominal, each.name), each));
}

/** Whether a noise at its sensitivity costs no more than the nominal one at its own: ε = Δ₁/scale, and Δ₂²/σ². */
function covers(nominal: NominalNoise, drawn: NominalNoise): boolean {
  if (nominal.noise.mechanism !== drawn.noise.mechanism) return false;
  if (nominal.noise.mechanism === "discrete-laplace@1" && nominal.l1 !== "1") return false;
  if (nominal.noise.mechanism === "rounded-gaussian@1" && nominal.l2Squared === "1") return false;
  return compare(costOf(drawn), costOf(nominal)) <= 0;
}

function costOf({ noise, l1, l2Squared }: { noise: Noise; l1: string; l2Squared: string }): Rational {
  switch (noise.mechanism) {
    case "constant@1":
      return parseRational(l1);
    case "discrete-laplace@1":
      return divide(parseRational(l1), parseRational(noise.scale));
    case "rounded-gaussian@1": {
      const sigma = parseRational(noise.sigma);
      return divide(parseRational(l2Squared), multiply(sigma, sigma));
    }
    case "discrete-gaussian@1":
      return divide(parseRational(l2Squared), parseRational(noise.sigmaSquared));
  }
}
