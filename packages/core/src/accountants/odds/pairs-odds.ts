import { type CountedPair, mergePairs, onlyStep, pldCurve } from "../../losses/pld/curves/index.ts";
import { type DominatingPair, gaussianPair } from "../../losses/pld/pairs/index.ts";
import { addUp, multiplyUp, sqrtUp } from "../../numeric/directed.ts";
import { coarseComposition, largestLoss, mostLoss, reachOf } from "./coarse-composition.ts";
import { falsePositives, type Odds } from "./odds.ts";
import { profileOdds, rightAt } from "./profile-odds.ts";

/**
 * The odds of a composition of dominating pairs; null where it has too many steps, or too large losses, for {@link coarseComposition}. μ² of those pairs that a
 * Gaussian bounds, and of all the others together, add up.
 * By Dong, Roth & Su 2022, Cor. 3.3.
 */
export function pairsOdds(dominating: readonly CountedPair[]): Odds | null {
  const pairs = dominating.map(asGaussian);
  const one = onlyStep(mergePairs(pairs));
  const profile = one === null ? coarseComposition(pairs) : null;
  const odds = one === null ? profile && profileOdds(profile) : oneStepOdds(one);
  if (odds === null) return null;
  const [gaussians, others] = [pairs.filter(isGaussian), pairs.filter((pair) => !isGaussian(pair))];
  if (gaussians.length === 0) return odds;
  const rest = others.length === 0 ? null : coarseComposition(others);
  const mu = others.length === 0 ? 0 : rest && profileOdds(rest).mu;
  if (mu === null) return { ...odds, mu: null };
  const squares = gaussians.map(({ pair, count }) => {
    const each = pair.gaussianAtMost ?? 0;
    return multiplyUp(Number(count), multiplyUp(each, each));
  });
  return { ...odds, mu: sqrtUp([...squares, multiplyUp(mu, mu)].reduce(addUp, 0)) };
}

/** The number of places at which the profile of one step is asked. */
const places = 96;
const refinements = 30;

/** The odds of one step, whose profile needs no grid of losses: it is asked at places up to its reach, and more closely where true positives are decided. */
function oneStepOdds(pair: DominatingPair): Odds | null {
  const reach = reachOf(pair);
  if (!(reach <= mostLoss)) return null;
  if (reach === 0 && pair.infiniteP === 0 && pair.infiniteQ === 0)
    return { advantage: 0, mu: 0, truePositives: falsePositives };
  const curve = pldCurve([{ pair, count: 1n }]);
  const pitch = reach / places || 1;
  const at = (epsilon: number): number => curve.delta(epsilon).upper;
  const delta = Float64Array.from({ length: places }, (_, k) => at(k * pitch));
  const profile = { pitch, delta, pure: largestLoss([{ pair, count: 1n }]) };
  const odds = profileOdds(profile);
  const best = Array.from(delta, (_, k) => k).reduce((a, b) => (needed(b) < needed(a) ? b : a), 0);
  let [from, to] = [Math.max(0, best - 1) * pitch, (best + 1) * pitch];
  let truePositives = odds.truePositives;
  for (let turn = 0; turn < refinements; turn += 1) {
    const [left, right] = [from + (to - from) * 0.382, from + (to - from) * 0.618];
    const [low, high] = [rightAt(left, at(left)), rightAt(right, at(right))];
    truePositives = Math.min(truePositives, low, high);
    if (low < high) to = right;
    else from = left;
  }
  return { ...odds, truePositives };

  function needed(k: number): number {
    return rightAt(k * pitch, delta[k] ?? 1);
  }
}

/** The Gaussian that bounds a pair, in its place: what rounding hides besides is little, and a reader can derive a Gaussian by hand. */
function asGaussian(counted: CountedPair): CountedPair {
  const mu = counted.pair.gaussianAtMost;
  return mu !== undefined && mu <= mostLoss ? { pair: gaussianPair(mu), count: counted.count } : counted;
}

function isGaussian({ pair }: CountedPair): boolean {
  return pair.gaussianAtMost !== undefined;
}
