import { type Event, type PrivacyLoss, price, ratio, toText } from "@lethe/core";
import { epsilonGrid, lossFits, type SelectionRule } from "@lethe/core/accounting";
import { gaussianFor, laplaceFor, type Noise } from "@lethe/core/mechanisms";
import { compare, divide, elementAt, floorTo, multiply, subtract } from "@lethe/core/numeric";
import { byName } from "../../refusals/by-name.ts";
import { noised } from "../noised.ts";
import { fittedNoise, nominalNoise } from "../nominal-noise.ts";
import type { BoundsStage, Measurement, NominalNoise, TreeMeasurement } from "../plan.ts";
import { pricedOnce } from "../together/priced-once.ts";
import type { DerivedTotals } from "./derive-totals.ts";
import type { DerivedNoised } from "./derive-tree.ts";
import { type Measures, measureAlone, measureJointly } from "./measure-jointly.ts";
import type { ChosenQuestion, NoiseFamily } from "./noise/choose-mechanisms.ts";
import { isNarrower } from "./noise/is-narrower.ts";
import { treeWithNoise, withNoise } from "./noise/with-noise.ts";
import { composedEvent, eventOf, priceTarget, selectionGroups } from "./plan-event.ts";
import { type Allotment, measuredBy, splitLoss } from "./split-loss.ts";

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

/** Questions that share one budget: each with its noise and its price alone, and the record and price of all. */
export interface AllocatedWorkload {
  readonly parts: readonly AllocatedQuestion[];
  readonly event: Event;
  readonly price: PrivacyLoss;
}

/**
 * Splits a question's budget over the selection of groups and the measurements so that the expected error is least,
 * draws up the noise, and prices the whole: never above the budget. Of several kinds of noise it takes the one whose
 * intervals are narrower in total.
 */
export function allocateLoss(chosen: ChosenQuestion, measures: Measures = measureJointly): AllocatedQuestion {
  const { parts } = allocateTogether([chosen], chosen.budget, chosen.families, measures);
  return elementAt(parts, 0);
}

/** {@link allocateLoss} for questions that share one budget and one kind of noise; several of them learn no bounds. */
export function allocateTogether(
  questions: readonly ChosenQuestion[],
  budget: PrivacyLoss,
  families: readonly NoiseFamily[],
  measures: Measures = measureAlone,
): AllocatedWorkload {
  const [only, ...others] = families;
  // Where there is no kind of noise to choose, totals measured one by one need no noise of their own.
  if (only && others.length === 0) {
    const asked = questions.map((question) => measures(question, only));
    return withPrices(refine(asked, budget, only));
  }
  const candidates = families.map((family) => ({ family, alone: refine(questions, budget, family) }));
  const { family, alone } = candidates.reduce((best, next) =>
    isNarrower(next.alone.parts, best.alone.parts) ? next : best,
  );
  // The kind of noise is that of totals measured one by one: another kind might make some answer noisier than it was.
  const asked = questions.map((question) => measures(question, family));
  const isAlone = asked.every((question, at) => question === questions[at]);
  return withPrices(isAlone ? alone : refine(asked, budget, family));
}

/** Questions with their noise; what all of it costs is computed where it is asked for. */
interface DrawnWorkload {
  readonly parts: readonly NoisyQuestion[];
  readonly event: Event;
  readonly price: () => PrivacyLoss;
}

type NoisyQuestion = Omit<AllocatedQuestion, "price">;

/** A question alone costs what all of the questions cost. */
function withPrices({ parts, event, price: priceOfAll }: DrawnWorkload): AllocatedWorkload {
  const whole = priceOfAll();
  const priced = parts.map((part) => ({
    ...part,
    price: parts.length === 1 ? whole : price(part.event, priceTarget(part.budget)),
  }));
  return { parts: priced, event, price: whole };
}

/** The part of the budget that is close enough: a price nearer to the budget is not worth another try. */
const closeEnough = ratio(99n, 100n);
const tries = 3;

/**
 * Gaussian selection and Gaussian measurements, and the many noises of a workload, compose to less than the sum of their prices where δ > 0; what is
 * left over is spent by planning for a larger budget, as long as the price stays within the true one.
 */
function refine(
  questions: readonly ChosenQuestion[],
  budget: PrivacyLoss,
  family: NoiseFamily,
): DrawnWorkload {
  let best = allocate(questions, budget, family);
  const selectsByGaussian = best.parts.some(({ selection }) => selection?.rule === "gaussian-threshold");
  const composes = selectsByGaussian || questions.length > 1;
  if (budget.measure !== "approximate" || !composes) return best;
  let epsilon = budget.epsilon;
  for (let tried = 0; tried < tries; tried += 1) {
    const spent = best.price();
    if (spent.measure !== "approximate" || compare(spent.epsilon, multiply(budget.epsilon, closeEnough)) >= 0)
      break;
    epsilon = floorTo(
      divide(multiply(multiply(epsilon, budget.epsilon), closeEnough), spent.epsilon),
      epsilonGrid,
    );
    const next = allocate(questions, { ...budget, epsilon }, family);
    if (!lossFits(next.price(), budget)) break;
    best = { ...next, parts: next.parts.map((part) => ({ ...part, budget })) };
  }
  return best;
}

/** Splits the budget over questions, and draws up their noise. Stages that learn bounds are those of a question alone. */
function allocate(
  questions: readonly ChosenQuestion[],
  budget: PrivacyLoss,
  family: NoiseFamily,
): DrawnWorkload {
  const [first] = questions;
  const alone =
    questions.length === 1 && first ? stagesOf({ ...first, budget }) : { pricedStages: [], rest: budget };
  const allotments = splitLoss(questions, alone.rest, family);
  const parts = questions.map((question, at) => ({
    ...withNoises(question, elementAt(allotments, at), alone.pricedStages),
    budget,
  }));
  const event = composedEvent(parts);
  let known: PrivacyLoss | undefined;
  return {
    parts,
    event,
    price() {
      known ??= price(event, priceTarget(budget));
      return known;
    },
  };
}

function withNoises(
  chosen: ChosenQuestion,
  { selection, spend, ofGroups, ofTotals }: Allotment,
  pricedStages: readonly BoundsStage[],
): NoisyQuestion {
  const nominal =
    pricedStages.length === 0
      ? null
      : measuredBy(chosen).map((each) => {
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
  const listed = pricedOnce(all, chosen);
  const event = eventOf([...pricedStages, ...listed], selection, selectionGroups(chosen));
  return { ...chosen, priced, pricedTrees, pricedTotals, pricedStages, nominal, selection, event };
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

/** Returns everything that noise is added to, in the order in which the event lists it. */
export function noisedOf({
  priced,
  pricedTrees,
  pricedTotals,
}: Pick<AllocatedQuestion, "priced" | "pricedTrees" | "pricedTotals">): ReturnType<typeof noised> {
  return noised({ measurements: priced, trees: pricedTrees, totals: pricedTotals });
}
