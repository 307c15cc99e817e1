import {
  lossFromJson,
  lossToJson,
  type PrivacyLoss,
  type PrivacyLossText,
  parseRational,
  price,
  type Rational,
  toDecimal,
  toDouble,
} from "@lethe/core";
import { lossFits, lossLeft } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { compare, zero } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { plainEpsilon, plainRho } from "../derive/plain-price.ts";
import type { AccountWindow, Certificate } from "../format/release.ts";
import { accountOddsAmiss } from "../odds/odds-checks.ts";
import { failed, notMade, passed, type Verdict, verdict } from "./check.ts";

/** The part of a certificate that says what was charged, and for which event. */
export type Charged = Pick<Certificate, "charge" | "losses" | "account" | "odds"> & {
  readonly plan: Pick<Plan, "event" | "price">;
};

/** Returns the event's loss under the measure, and at the δ, of a stated loss. */
function priceLike(stated: PrivacyLoss, plan: Charged["plan"]): PrivacyLoss {
  return stated.measure === "approximate"
    ? price(plan.event, { measure: "approximate", delta: stated.delta })
    : price(plan.event, { measure: stated.measure });
}

/** Checks that the charge, which the plan must state too, covers the loss that core derives from the event. */
export function chargeCoversTheEvent({ plan, charge }: Pick<Charged, "plan" | "charge">): Verdict {
  const stated = lossFromJson(charge);
  const derived = priceLike(stated, plan);
  if (!lossFits(derived, stated)) {
    return failed(`charged ${inWords(stated)}; the event costs ${inWords(derived)}`);
  }
  return sameLoss(charge, plan.price)
    ? passed(`the event costs ${inWords(derived)}; ${inWords(stated)} was charged`)
    : failed("what was charged is not what the plan states");
}

/** Checks the charge once more without core's fold: by plain sums that anyone can do by hand, where all noise is of one family. */
export function plainSumAgrees({ plan, charge }: Pick<Charged, "plan" | "charge">): Verdict {
  const stated = lossFromJson(charge);
  const [formula, plain, charged] =
    stated.measure === "zcdp"
      ? (["ρ = Σ Δ₂²/2σ²", plainRho(plan.event), stated.rho] as const)
      : (["ε = Σ Δ₁/scale", plainEpsilon(plan.event), stated.epsilon] as const);
  if (plain === null) {
    return notMade("no plain sum gives the price: noises of several families, or a selection of groups");
  }
  const total = `${formula} is ${shown(plain)}`;
  if (compare(plain, charged) <= 0) return passed(`${total}, and is covered`);
  // At δ > 0 a composition may truly cost less than the sum; the other measures have no finer price.
  return stated.measure === "approximate"
    ? notMade(`${total}; less was charged, for a finer composition than a plain sum can check`)
    : failed(`${total}, more than was charged`);
}

/** Checks that every further loss that the certificate states is at least what core derives under that measure. */
export function lossesHold({ plan, losses }: Pick<Charged, "plan" | "losses">): Verdict {
  const amiss = losses
    .map((text) => lossFromJson(text))
    .filter((stated) => !lossFits(priceLike(stated, plan), stated))
    .map((stated) => `${inWords(stated)} is less than the event costs`);
  return verdict(amiss, "the losses stated under other measures cover the event");
}

/**
 * Checks the account's arithmetic: this charge is part of what is spent, and granted − spent is left. Where its spending is not told, that cannot be checked, and the charge alone must fit its
 * caps.
 */
export function accountAddsUp({
  charge,
  account,
  odds,
}: Pick<Charged, "charge" | "account" | "odds">): Verdict {
  const paid = lossFromJson(charge);
  if ("lifetime" in account) return fitsWindows(paid, account.windows);
  const granted = lossFromJson(account.granted);
  if (!("spent" in account)) return fitsCap(paid, granted);
  const [spent, left] = [lossFromJson(account.spent), lossFromJson(account.left)];
  const measures = new Set([paid, granted, spent, left].map(({ measure }) => measure));
  if (measures.size > 1) return failed(severalMeasures);
  return verdict(
    [
      ...(lossFits(paid, spent) ? [] : ["the charge is more than all that is spent"]),
      ...(lossFits(spent, granted) ? [] : ["more is spent than was granted"]),
      ...(sameLoss(lossToJson(lossLeft(granted, spent)), lossToJson(left))
        ? []
        : ["granted less spent is not what is left"]),
      ...accountOddsAmiss(account, { odds, isAll: sameLoss(charge, account.spent) }),
    ],
    `of ${inWords(granted)}, ${inWords(spent)} is spent, this charge included`,
  );
}

const severalMeasures = "the account is kept in several measures";

function fitsCap(paid: PrivacyLoss, granted: PrivacyLoss): Verdict {
  if (paid.measure !== granted.measure) return failed(severalMeasures);
  if (!lossFits(paid, granted)) return failed("the charge is more than was granted");
  return notMade(
    `what is spent of ${inWords(granted)} is not told to whoever asked: of the account, this charge alone can be checked`,
  );
}

/** Checks a charge against windows, which alone bound the account: together they must bound every number that is charged. */
function fitsWindows(paid: PrivacyLoss, windows: readonly AccountWindow[]): Verdict {
  const main = paid.measure === "zcdp" ? paid.rho : paid.epsilon;
  const delta = paid.measure === "pure" ? null : paid.delta;
  if (windows.some(({ measure }) => measure !== paid.measure)) return failed(severalMeasures);
  const isMore = (part: Rational | null, cap: string | null): boolean =>
    part !== null && cap !== null && compare(part, parseRational(cap)) > 0;
  if (windows.some((window) => isMore(main, window.main) || isMore(delta, window.delta)))
    return failed("the charge is more than a window grants");
  const bounds = windows.filter(
    (window) => window.main !== null && (delta === null || window.delta !== null),
  );
  if (bounds.length === 0) return failed("neither a lifetime nor a window bounds the account");
  const each = bounds.map((window) => `${windowWords(window)} a ${window.per}`).join(", ");
  return notMade(`the account grants ${each}, unbounded over time: what all its releases tell has no bound`);
}

function windowWords({ measure, main, delta }: AccountWindow): string {
  const symbol = measure === "zcdp" ? "ρ" : "ε";
  const part =
    delta === null || compare(parseRational(delta), zero) === 0 ? "" : `, δ ${shown(parseRational(delta))}`;
  return `${symbol} ${shown(parseRational(main ?? "0"))}${part}`;
}

function sameLoss(a: PrivacyLossText, b: PrivacyLossText): boolean {
  return canonicalJson(lossToJson(lossFromJson(a))) === canonicalJson(lossToJson(lossFromJson(b)));
}

/** Returns a loss in words, rounded up, as every claim is. */
function inWords(loss: PrivacyLoss): string {
  const delta = loss.measure === "pure" ? zero : loss.delta;
  const main = loss.measure === "zcdp" ? `ρ ${shown(loss.rho)}` : `ε ${shown(loss.epsilon)}`;
  return compare(delta, zero) > 0 ? `${main}, δ ${toDouble(delta, "up").toPrecision(6)}` : main;
}

/** Returns a number's text, which is short whatever a stranger wrote. */
function shown(x: Rational): string {
  const text = toDecimal(x, "up", 9);
  return text.length <= 24 ? text : toDouble(x, "up").toExponential(6);
}
