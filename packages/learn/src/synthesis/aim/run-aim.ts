import { parseRational, type Rational, ratio, toDouble } from "@lethe/core";
import { choiceCost, measurementCost, type SessionMeasure } from "@lethe/core/mechanisms";
import { add, compare, divide, elementAt, multiply, subtract } from "@lethe/core/numeric";
import { cellsOf, modelBytesAtMost } from "../graph/index.ts";
import { type Estimate, estimate, type Measurement, marginalsOf, measured } from "../inference/index.ts";
import {
  measureEach,
  noiseDistance,
  passes,
  roundWithin,
  type Stage,
  type SynthesisRound,
  stageOf,
  workloadWeights,
} from "../plan/index.ts";
import type { Measured } from "../sampling/index.ts";
import type { CandidateTable, MarginalSource } from "../source/index.ts";

/** The public numbers of a run that stages do not hold. */
export interface AimSetting {
  readonly measure: SessionMeasure;
  readonly l2Squared: bigint;
  /** The cap of the model, in bytes. */
  readonly modelBytes: number;
  /** The share of a round that is for its choice. */
  readonly choices: Rational;
  /** The attribute whose pairs weigh more; null for none. */
  readonly target: number | null;
  /** Told after every round; all of it is public. */
  readonly progress?: (round: SynthesisRound) => void;
}

/**
 * Runs AIM: in every round a table is drawn, the likelier the further its exact counts lie from the model's, less what noise would give, weighted by
 * how much of the workload of all pairs it touches; it is measured, and the model fitted again. Where a round told little more than noise, the next is
 * twice as precise. Candidates are those whose model stays within the cap times the share that is spent; the last round takes all that is left.
 * Source: McKenna, Mullins, Sheldon & Miklau 2022 (arXiv 2201.12677), Alg. 1 to 4.
 * Errors: mechanism.spent never: a round is asked for where the rest covers it.
 */
export async function runAim(
  stages: readonly Stage[],
  source: MarginalSource,
  setting: AimSetting,
): Promise<Measured> {
  const { merged, measurements, merging } = await measureEach(stages, source);
  const { sizes } = merging;
  const all: Measurement[] = [...measurements];
  let known = estimate(sizes, all, { steps: passes.first });
  const stage = stageOf(stages, "adaptive-rounds");
  if (stage) {
    const total = merging.left;
    let [sigma, epsilon] = [parseRational(stage.sigma), parseRational(stage.epsilon)];
    for (let round = 0; round < stage.rounds + 2; round++) {
      const { left } = merging;
      if (left.num === 0n) break;
      const cost = add(choiceCost[setting.measure](epsilon), measurementCost(sigma, setting));
      const last = compare(left, multiply(ratio(2n), cost)) < 0;
      if (last) ({ sigma, epsilon } = roundWithin(left, setting.choices, setting));
      const spent = 1 - toDouble(divide(subtract(left, last ? left : cost), total), "up");
      const next = await measuredRound({ merging, known, all, sigma, epsilon, setting, spent });
      all.push(next.measurement);
      const before = known;
      known = estimate(sizes, all, { steps: passes.round, start: known.potentials });
      setting.progress?.({ round, attributes: next.measurement.attributes, spent });
      if (last) break;
      const noise = noiseDistance(toDouble(sigma, "up"), next.measurement.values.length);
      if (moved(before, known, next.measurement.attributes) <= noise) {
        sigma = divide(sigma, ratio(2n));
        epsilon = multiply(epsilon, ratio(2n));
      }
    }
  }
  return { merged, measurements: all, residuals: [] };
}

async function measuredRound(run: {
  readonly merging: MarginalSource;
  readonly known: Estimate;
  readonly all: readonly Measurement[];
  readonly sigma: Rational;
  readonly epsilon: Rational;
  readonly setting: AimSetting;
  /** The share of the rounds' part that is spent after this one. */
  readonly spent: number;
}): Promise<{ readonly measurement: Measurement }> {
  const { merging, known, all, sigma, epsilon, setting, spent } = run;
  const { sizes } = merging;
  const cliques = all.map(({ attributes }) => attributes);
  const within = (attributes: readonly number[]): boolean =>
    known.model.tree.cliques.some((clique) => attributes.every((attribute) => clique.includes(attribute)));
  const fits = (attributes: readonly number[]): boolean =>
    within(attributes) || modelBytesAtMost(sizes, [...cliques, attributes]) <= setting.modelBytes * spent;
  const marginal = marginalsOf(known.model);
  const weights = workloadWeights(sizes.length, setting.target);
  const candidates = workload(sizes.length)
    .filter(fits)
    .map(
      (attributes): CandidateTable => ({
        attributes,
        estimate: marginal(attributes).map((chance) => chance * known.model.total),
        weight: attributes.reduce((sum, attribute) => sum + elementAt(weights, attribute), 0),
        allowance: noiseDistance(toDouble(sigma, "up"), cellsOf(sizes, attributes)),
      }),
    );
  const { attributes } = elementAt(candidates, await merging.choose(candidates, epsilon));
  const values = await merging.measure(attributes, sigma);
  return { measurement: measured(attributes, values, toDouble(sigma, "up") ** 2) };
}

/** Single attributes and pairs. */
function workload(attributes: number): readonly (readonly number[])[] {
  const each = Array.from({ length: attributes }, (_, at) => [at]);
  return [...each, ...each.flatMap(([b = 0]) => Array.from({ length: b }, (_, a) => [a, b]))];
}

/** How far the model's table moved, in rows: Σ |after − before|. */
function moved(before: Estimate, after: Estimate, attributes: readonly number[]): number {
  const [old, now] = [marginalsOf(before.model)(attributes), marginalsOf(after.model)(attributes)];
  return now.reduce(
    (sum, chance, cell) => sum + Math.abs(chance * after.model.total - (old[cell] ?? 0) * before.model.total),
    0,
  );
}
