import { type PrivacyLoss, type Rational, ratio } from "@lethe/core";
import type { SelectionRule } from "@lethe/core/accounting";
import { type Noise, selectionFor } from "@lethe/core/mechanisms";
import { divide, elementAt, multiply, one, subtract, sum, zero } from "@lethe/core/numeric";
import { missing } from "../../refusals/by-name.ts";
import { deltaOf } from "../question-budget.ts";
import { shares } from "../shares.ts";
import { pricedOnce } from "../together/priced-once.ts";
import type { DerivedNoised } from "./derive-tree.ts";
import type { ChosenQuestion, NoiseFamily } from "./noise/choose-mechanisms.ts";
import { selectionGroups } from "./plan-event.ts";
import { spenders, weights } from "./spend-loss.ts";

/** What one question gets of the budget that it shares with others. */
export interface Allotment {
  readonly selection: SelectionRule | null;
  /** The part of each measurement's share that every total by coarser keys takes. */
  readonly ofTotals: Rational;
  /** The part that the groups by all keys take. */
  readonly ofGroups: Rational;
  /** The noise that a part of the share of a measurement or tree buys. */
  readonly spend: (measured: DerivedNoised, part: Rational) => Noise;
}

/**
 * The weight of a coarser grouping: it gets half of what the groups by all keys get, since its rows are larger and the same noise
 * is less of them.
 */
const totalWeight = 1 / 2;
/** Choosing the groups weighs an eighth of one answer's squared error, and so gets a third of the price beside one answer. */
const selectionImportance = 1 / 8;

/**
 * Splits one budget over the selections of groups and the measurements of all questions that share it, by the weights at which the expected error is
 * least. The questions of a workload share as the answers of one question do: a measurement gets the same of the price wherever it stands.
 */
export function splitLoss(
  questions: readonly ChosenQuestion[],
  budget: PrivacyLoss,
  family: NoiseFamily,
): readonly Allotment[] {
  const weigh = weights[budget.measure][family];
  const weighed = questions.map((question) => {
    const levels = 1 + totalWeight * question.totals.length;
    const measured = measuredBy(question);
    return [
      ...(selects(question) ? [weigh(selectionImportance)] : []),
      ...measured.map(({ l1, importance }) => (l1 > 0n ? weigh(importance) * levels : 0)),
    ];
  });
  const all = shares(weighed.flat());
  const selections = questions.filter(selects).length;
  // Each δ is used once: every selection takes an equal part, and so does the Gaussian noise of all measurements together.
  const uses = selections + (family === "gaussian" && budget.measure === "approximate" ? 1 : 0);
  const delta = uses > 1 ? divide(deltaOf(budget), ratio(BigInt(uses))) : deltaOf(budget);

  let start = 0;
  const parts = questions.map((question, at) => {
    const own = all.slice(start, start + elementAt(weighed, at).length);
    start += own.length;
    return { question, selectionShare: selects(question) ? elementAt(own, 0) : zero, own };
  });
  const rest = subtract(sum(all), sum(parts.map(({ selectionShare }) => selectionShare)));
  const spender = spenders[budget.measure][family](budget as never, delta, rest);
  return parts.map(({ question, selectionShare, own }) => {
    const measurementShares = selects(question) ? own.slice(1) : own;
    // Every total takes the same part of each measurement's share, and the groups by all keys take the rest.
    const totals = BigInt(question.totals.length);
    const ofTotals = divide(one, ratio(totals + BigInt(1 / totalWeight)));
    const shareOf = new Map(
      measuredBy(question).map(({ name }, place) => [name, elementAt(measurementShares, place)]),
    );
    // Measurements that have one noise together have one share.
    for (const [first, ...others] of question.joint)
      for (const name of others) shareOf.set(name, shareOf.get(first!) ?? missing(name));
    return {
      selection: selects(question) ? selectGroups(question, budget, selectionShare, delta) : null,
      ofTotals,
      ofGroups: subtract(one, multiply(ofTotals, ratio(totals))),
      spend: (each, part) => spender(each, multiply(shareOf.get(each.name) ?? missing(each.name), part)),
    };
  });
}

/** Returns everything that takes a share of the price: measurements, of those that have one noise together the first, then trees. */
export function measuredBy({
  measurements,
  joint,
  trees,
}: Pick<ChosenQuestion, "measurements" | "joint" | "trees">): readonly DerivedNoised[] {
  return [...pricedOnce(measurements, { joint }), ...trees];
}

function selects({ keys }: ChosenQuestion): boolean {
  return keys.kind === "private";
}

/** Returns what the selection of groups weighs beside measurements that weigh their importance; 0 where there is none. */
export function selectionWeight(question: ChosenQuestion, weigh: (importance: number) => number): number {
  const levels = 1 + totalWeight * question.totals.length;
  return selects(question) ? weigh(selectionImportance) / levels : 0;
}

function selectGroups(
  question: ChosenQuestion,
  budget: PrivacyLoss,
  share: Rational,
  delta: Rational,
): SelectionRule {
  const floor = question.options.minPrivacyUnitsPerGroup;
  const request = {
    groups: selectionGroups(question),
    ...(floor === null ? {} : { minUnits: BigInt(floor) }),
  };
  return budget.measure === "zcdp"
    ? selectionFor({ measure: "zcdp", rho: multiply(budget.rho, share), delta, ...request })
    : selectionFor({ measure: "approximate", epsilon: multiply(budget.epsilon, share), delta, ...request });
}
