import { type Event, type PrivacyLoss, price, type Rational, ratio, toText } from "@lethe/core";
import { epsilonGrid, lossFits, type SelectionRule } from "@lethe/core/accounting";
import { noiseQuantile } from "@lethe/core/accuracy";
import { gaussianFor, laplaceFor, type Noise, selectionFor } from "@lethe/core/mechanisms";
import { compare, divide, elementAt, floorTo, multiply, one, subtract, sum, zero } from "@lethe/core/numeric";
import { byName, missing } from "../../refusals/by-name.ts";
import { noised } from "../noised.ts";
import { fittedNoise, nominalNoise } from "../nominal-noise.ts";
import type { BoundsStage, Measurement, NominalNoise, TreeMeasurement } from "../plan.ts";
import { deltaOf } from "../question-budget.ts";
import { shares } from "../shares.ts";
import type { ChosenQuestion, NoiseFamily } from "./choose-mechanisms.ts";
import type { DerivedTotals } from "./derive-totals.ts";
import type { DerivedNoised } from "./derive-tree.ts";
import { eventOf, priceTarget, selectionGroups } from "./plan-event.ts";
import { spenders, weights } from "./spend-loss.ts";
import { treeWithNoise, withNoise } from "./with-noise.ts";

/** The question with its noise, and what all of it costs together. */
export interface AllocatedQuestion extends ChosenQuestion {
  readonly priced: readonly Measurement[];
  readonly pricedTrees: readonly TreeMeasurement[];
  readonly pricedStages: readonly BoundsStage[];
  /** All noises as the event lists them, where bounds are learned; null where all bounds are known. */
  readonly nominal: readonly NominalNoise[] | null;
  readonly pricedTotals: readonly PricedTotals[];
  readonly selection: SelectionRule | null;
  readonly event: Event;
  readonly price: PrivacyLoss;
}

/** Totals with their noise; their declared keys as they are released. */
export interface PricedTotals extends Omit<DerivedTotals, "measurements"> {
  readonly share: string;
  readonly measurements: readonly Measurement[];
}

/**
 * The weight of a coarser grouping: it gets half of what the groups by all keys get, since its rows are larger and the same noise
 * is less of them.
 */
const totalWeight = 1 / 2;
/** Choosing the groups weighs an eighth of one answer's squared error, and so gets a third of the price beside one answer. */
const selectionImportance = 1 / 8;
const confidence = 0.95;

/**
 * Splits the question's budget over the selection of groups and the measurements so that the expected error is least,
 * draws up the noise, and prices the whole: never above the budget. Of several kinds of noise it takes the one whose
 * intervals are narrower in total.
 */
export function allocateLoss(chosen: ChosenQuestion): AllocatedQuestion {
  const candidates = chosen.families.map((family) => refine(chosen, family));
  return candidates.reduce((best, next) => (expectedWidth(next) < expectedWidth(best) ? next : best));
}

/** The part of the budget that is close enough: a price nearer to the budget is not worth another try. */
const closeEnough = ratio(99n, 100n);
const tries = 3;

/**
 * Gaussian selection and Gaussian measurements compose to less than the sum of their prices; what is left over is
 * spent by planning for a larger budget, as long as the price stays within the true one.
 */
function refine(chosen: ChosenQuestion, family: NoiseFamily): AllocatedQuestion {
  let best = allocate(chosen, family);
  const { budget } = chosen;
  if (budget.measure !== "approximate" || best.selection?.rule !== "gaussian-threshold") return best;
  let epsilon = budget.epsilon;
  for (let tried = 0; tried < tries; tried += 1) {
    const { price: spent } = best;
    if (spent.measure !== "approximate" || compare(spent.epsilon, multiply(budget.epsilon, closeEnough)) >= 0)
      break;
    epsilon = floorTo(
      divide(multiply(multiply(epsilon, budget.epsilon), closeEnough), spent.epsilon),
      epsilonGrid,
    );
    const next = { ...allocate({ ...chosen, budget: { ...budget, epsilon } }, family), budget };
    if (!lossFits(next.price, budget)) break;
    best = next;
  }
  return best;
}

function allocate(chosen: ChosenQuestion, family: NoiseFamily): AllocatedQuestion {
  const { keys } = chosen;
  const { pricedStages, rest: budget } = stagesOf(chosen);
  const measured: readonly DerivedNoised[] = [...chosen.measurements, ...chosen.trees];
  const selects = keys.kind === "private";
  const levels = 1 + totalWeight * chosen.totals.length;
  const noisy = measured.map(({ l1, importance }) =>
    l1 > 0n ? weights[budget.measure][family](importance) * levels : 0,
  );
  const parts = shares([
    ...(selects ? [weights[budget.measure][family](selectionImportance)] : []),
    ...noisy,
  ]);
  const selectionShare = selects ? elementAt(parts, 0) : zero;
  const measurementShares = selects ? parts.slice(1) : parts;
  // Each δ is used once: where both need one, each gets half.
  const splitsDelta = selects && family === "gaussian" && budget.measure === "approximate";
  const delta = splitsDelta ? divide(deltaOf(budget), ratio(2n)) : deltaOf(budget);

  const selection = selects ? selectGroups({ ...chosen, budget }, selectionShare, delta) : null;
  const rest = subtract(sum(parts), selectionShare);
  const spender = spenders[budget.measure][family](budget as never, delta, rest);
  // Every total takes the same part of each measurement's share, and the groups by all keys take the rest.
  const ofTotals = divide(one, ratio(BigInt(chosen.totals.length) + BigInt(1 / totalWeight)));
  const ofGroups = subtract(one, multiply(ofTotals, ratio(BigInt(chosen.totals.length))));
  const shareOf = new Map(measured.map(({ name }, at) => [name, elementAt(measurementShares, at)]));
  const spend = (each: DerivedNoised, part: Rational): Noise =>
    spender(each, multiply(shareOf.get(each.name) ?? missing(each.name), part));
  const nominal =
    pricedStages.length === 0
      ? null
      : measured.map((each) => {
          const { name, l1, l2Squared } = each;
          return nominalNoise({ name, noise: spend(each, ofGroups), l1: `${l1}`, l2Squared: `${l2Squared}` });
        });
  const drawn = (each: DerivedNoised): Noise =>
    nominal ? fittedNoise(byName(nominal, each.name), each) : spend(each, ofGroups);
  const priced = chosen.measurements.map((measurement) => withNoise(measurement, drawn(measurement)));
  const pricedTrees = chosen.trees.map((tree) => treeWithNoise(tree, drawn(tree)));
  const pricedTotals = chosen.totals.map(
    (total): PricedTotals => ({
      ...total,
      share: toText(ofTotals),
      measurements: total.measurements.map((measurement) =>
        withNoise(measurement, spend(measurement, ofTotals)),
      ),
    }),
  );
  const all = nominal ?? noisedOf({ priced, pricedTrees, pricedTotals });
  const event = eventOf([...pricedStages, ...all], selection, selectionGroups(chosen));
  const cost = price(event, priceTarget(chosen.budget));
  return {
    ...chosen,
    priced,
    pricedTrees,
    pricedTotals,
    pricedStages,
    nominal,
    selection,
    event,
    price: cost,
  };
}

/**
 * The share of the loss that learning bounds takes, a fifth, divided evenly over the arguments (docs/decisions/0020). With half
 * as much the tails of values drown in noise, and twice as much is missing in the answers.
 */
const stagesShare = ratio(1n, 5n);

/** Returns the noise of the stages, and the rest of the question's budget. */
function stagesOf({ budget, stages }: ChosenQuestion): {
  readonly pricedStages: readonly BoundsStage[];
  readonly rest: PrivacyLoss;
} {
  if (stages.length === 0) return { pricedStages: [], rest: budget };
  const share = divide(stagesShare, ratio(BigInt(stages.length)));
  const left = subtract(ratio(1n), stagesShare);
  const noise = ({ l1, l2Squared }: (typeof stages)[number]): Noise =>
    budget.measure === "zcdp"
      ? gaussianFor({ l2Squared, rho: multiply(budget.rho, share) })
      : laplaceFor({ l1, epsilon: multiply(budget.epsilon, share) });
  const pricedStages = stages.map((stage) => ({
    ...stage,
    l1: `${stage.l1}`,
    l2Squared: `${stage.l2Squared}`,
    noise: noise(stage),
  }));
  return {
    pricedStages,
    rest:
      budget.measure === "zcdp"
        ? { ...budget, rho: multiply(budget.rho, left) }
        : { ...budget, epsilon: multiply(budget.epsilon, left) },
  };
}

function selectGroups(chosen: ChosenQuestion, share: Rational, delta: Rational): SelectionRule {
  const { budget, options } = chosen;
  const floor = options.minPrivacyUnitsPerGroup;
  const request = { groups: selectionGroups(chosen), ...(floor === null ? {} : { minUnits: BigInt(floor) }) };
  return budget.measure === "zcdp"
    ? selectionFor({ measure: "zcdp", rho: multiply(budget.rho, share), delta, ...request })
    : selectionFor({ measure: "approximate", epsilon: multiply(budget.epsilon, share), delta, ...request });
}

/** Returns the sum of the intervals' half-widths, each in units of what one person changes and weighed as the answers weigh them. */
function expectedWidth(allocated: AllocatedQuestion): number {
  const { measurements, trees, totals } = allocated;
  const measured: readonly DerivedNoised[] = [
    ...measurements,
    ...trees,
    ...totals.flatMap((total) => total.measurements),
  ];
  return noisedOf(allocated).reduce((total, { noise }, at) => {
    const { magnitude, importance } = elementAt(measured, at);
    if (magnitude === 0n) return total;
    return total + (Math.sqrt(importance) * Number(noiseQuantile(noise, confidence))) / Number(magnitude);
  }, 0);
}

/** Returns everything that noise is added to, in the order in which the event lists it. */
export function noisedOf({
  priced,
  pricedTrees,
  pricedTotals,
}: Pick<AllocatedQuestion, "priced" | "pricedTrees" | "pricedTotals">): ReturnType<typeof noised> {
  return noised({ measurements: priced, trees: pricedTrees, totals: pricedTotals });
}
