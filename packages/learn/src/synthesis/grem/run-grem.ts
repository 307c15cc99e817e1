import { parseRational, ratio, toDouble } from "@lethe/core";
import { choiceCost, measurementCost } from "@lethe/core/mechanisms";
import { add, compare, divide, elementAt, multiply } from "@lethe/core/numeric";
import { measureEach, noiseDistance, roundWithin, type Stage, split, stageOf } from "../plan/index.ts";
import { knownResiduals } from "../residuals/index.ts";
import type { Measured } from "../sampling/index.ts";
import type { MarginalSource } from "../source/index.ts";
import { pairChoice } from "./choose-pair.ts";
import type { GremRun, GremSetting } from "./grem-run.ts";
import { measurePair } from "./measure-pair.ts";
import { pairEstimates } from "./pair-estimates.ts";
import { type PairResiduals, pairResiduals } from "./pair-residuals.ts";

/**
 * Runs AIM over residuals: in every round a pair is drawn, the likelier the further its exact counts lie from what residuals say of it, less what noise would give. Of its residuals
 * those are measured that make its table least noisy for the round's part, in view of all that is known of them. Nothing is fitted: the tables that an answer changes are made anew
 * when they are next asked for. Where a round told little more than noise, the next is twice as precise; the last takes all that is left.
 * Source: Fuentes, Mullins, Xiao, Kifer, Musco & Sheldon 2026 (arXiv 2602.05674) (AIM+GReM).
 * Errors: mechanism.spent never: a round is asked for where the rest covers it.
 */
export async function runGrem(
  stages: readonly Stage[],
  source: MarginalSource,
  setting: GremSetting,
): Promise<Measured> {
  const { merged, measurements, merging } = await measureEach(stages, source);
  const { sizes } = merging;
  const known = knownResiduals(sizes);
  for (const table of measurements) known.addTable(table);
  const run: GremRun = { source: merging, known, estimates: pairEstimates(sizes, known), residuals: [] };
  // An attribute of one value says nothing beside another.
  const open = [...sizes.keys()].filter((attribute) => elementAt(sizes, attribute) > 1);
  const pairs = open.flatMap((b) =>
    open.filter((a) => a < b).map((a) => pairResiduals(sizes, [a, b], setting)),
  );
  const own = stageOf(stages, "measure-target");
  if (own) {
    const part = split(parseRational(own.part), own.tables);
    const { target } = setting;
    for (const pair of pairs)
      if (pair.attributes.some((attribute) => attribute === target)) await measurePair(run, pair, part);
  }
  const stage = stageOf(stages, "residual-rounds");
  if (stage && pairs.length > 0) await rounds(run, pairs, stage, setting);
  return { merged, measurements, residuals: run.residuals };
}

async function rounds(
  run: GremRun,
  pairs: readonly PairResiduals[],
  stage: Extract<Stage, { readonly kind: "residual-rounds" }>,
  setting: GremSetting,
): Promise<void> {
  const { source, estimates } = run;
  const total = source.left;
  const choice = pairChoice(run, pairs);
  let [sigma, epsilon] = [parseRational(stage.sigma), parseRational(stage.epsilon)];
  let part = measurementCost(sigma, setting);
  for (let round = 0; round < stage.rounds + 2; round++) {
    const { left } = source;
    if (left.num === 0n) break;
    const cost = add(choiceCost[setting.measure](epsilon), part);
    const last = compare(left, multiply(ratio(2n), cost)) < 0;
    if (last) {
      ({ sigma, epsilon } = roundWithin(left, setting.choices, setting));
      part = measurementCost(sigma, setting);
    }
    const pair = await choice.choose({ part, epsilon });
    const before = estimates.of(pair.attributes);
    const { deviation, changed } = await measurePair(run, pair, part);
    for (const attributes of changed) choice.forget(attributes);
    const spent = 1 - toDouble(divide(source.left, total), "up");
    setting.progress?.({ round, attributes: pair.attributes, spent: last ? 1 : spent });
    if (last) break;
    const after = estimates.of(pair.attributes);
    const moved = after.reduce((sum, x, cell) => sum + Math.abs(x - elementAt(before, cell)), 0);
    if (moved <= noiseDistance(deviation, pair.cells)) {
      sigma = divide(sigma, ratio(2n));
      epsilon = multiply(epsilon, ratio(2n));
      part = measurementCost(sigma, setting);
    }
  }
}
