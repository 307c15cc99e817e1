import { lossFromJson, type PrivacyLossText, toDouble } from "@lethe/core";
import { exceededWith } from "./normal.ts";
import { type DerivedOdds, falseAlarms, mostHits } from "./profile-odds.ts";

/** Beyond this ε or ρ nothing is claimed to be hidden. */
const most = 700;
const nothingHidden: DerivedOdds = { advantage: 1, mu: null, truePositives: 1 };

/** The odds of the worst mechanism of a loss: all that follows from it where nothing else is known. ./odds.proof.md, "A loss alone" */
export function worstOdds(text: PrivacyLossText): DerivedOdds {
  const loss = lossFromJson(text);
  const delta = loss.measure === "pure" ? 0 : toDouble(loss.delta, "up");
  if (loss.measure === "zcdp") return worstOfRho(toDouble(loss.rho, "up"), delta);
  const epsilon = toDouble(loss.epsilon, "up");
  if (!(epsilon <= most && delta < 1)) return nothingHidden;
  const odds = Math.exp(epsilon);
  return {
    advantage: Math.tanh(epsilon / 2) * (1 - delta) + delta,
    mu: delta > 0 ? null : epsilon === 0 ? 0 : 2 * exceededWith(1 / (1 + odds)),
    truePositives: mostHits(odds, delta, delta),
  };
}

/** What ρ-zCDP allows once a chance δ has told all. */
function worstOfRho(rho: number, delta: number): DerivedOdds {
  if (!(rho <= most && delta < 1)) return nothingHidden;
  const wrong = falseAlarms / (1 - delta);
  if (!(wrong < 1)) return nothingHidden;
  // The best test of an advantage is wrong as often either way: its two coins have this Kullback–Leibler divergence.
  const gain = largest((x) => x * (Math.log1p(x) - Math.log1p(-x)) <= rho, 0);
  const hits = largest((right) => coinsAllowed(rho, right, wrong), wrong);
  const of = (rest: number): number => delta + (1 - delta) * rest;
  return {
    advantage: of(gain),
    mu: rho === 0 && delta === 0 ? 0 : null,
    truePositives: of(hits),
  };
}

/** The largest x from `least` to 1 that is allowed, where all smaller ones are. */
function largest(allowed: (x: number) => boolean, least: number): number {
  let [low, high] = [least, 1];
  for (let turn = 0; turn < 54; turn += 1) {
    const x = (low + high) / 2;
    if (allowed(x)) low = x;
    else high = x;
  }
  return high;
}

/** Orders of Rényi divergence, less 1. */
const orders = Array.from({ length: 220 }, (_, at) => Math.exp((at - 70) / 10));

/** Whether the Rényi divergences of two coins are at most order·ρ, in both directions. */
function coinsAllowed(rho: number, right: number, wrong: number): boolean {
  if (!(right < 1)) return false;
  const [heads, tails] = [Math.log(right / wrong), Math.log((1 - right) / (1 - wrong))];
  // E[(P/Q)^order − 1], which keeps its digits for orders near 1.
  const within = (chance: number, up: number, down: number): boolean =>
    orders.every((order) => {
      const top = Math.max(order * up, order * down);
      const sum = chance * Math.exp(order * up - top) + (1 - chance) * Math.exp(order * down - top);
      return top + Math.log(sum) <= (order + 1) * order * rho * (1 + 1e-9) + 1e-13;
    });
  return within(right, heads, tails) && within(wrong, -heads, -tails);
}
