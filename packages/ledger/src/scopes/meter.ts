import {
  lossFromJson,
  lossToJson,
  type PrivacyLoss,
  type PrivacyLossText,
  type PrivacyMeasure,
} from "@lethe/core";
import { composeLosses, zeroLoss } from "@lethe/core/accounting";
import { deltaOf, mainOf, withDelta, withMain } from "../account/main-number.ts";
import { boundedUp } from "../records/bounded-up.ts";
import { covers, type Limit, type LimitText, limitText, lossOfLimit, readLimit, restOf } from "./limit.ts";
import { type Period, periodStart } from "./period.ts";

/** The cap of a scope over one period, and what was charged to the scope in the period that is running. */
export interface Meter {
  readonly per: Period;
  /** null: counted, and not limited. */
  readonly limit: Limit | null;
  /** The part of the account's cap over the same period that nobody else can take; null for none. */
  readonly reserved: Limit | null;
  /** First moment of the running period, milliseconds since 1970. */
  readonly start: number;
  readonly spent: PrivacyLoss;
}

export interface MeterText extends Omit<Meter, "limit" | "reserved" | "spent"> {
  readonly limit: LimitText | null;
  readonly reserved: LimitText | null;
  readonly spent: PrivacyLossText;
}

export function meterText({ per, limit, reserved, start, spent }: Meter): MeterText {
  return {
    per,
    limit: limit && limitText(limit),
    reserved: reserved && limitText(reserved),
    start,
    spent: lossToJson(spent),
  };
}

export function readMeter({ per, limit, reserved, start, spent }: MeterText): Meter {
  return {
    per,
    limit: limit && readLimit(limit),
    reserved: reserved && readLimit(reserved),
    start,
    spent: lossFromJson(spent),
  };
}

/** Returns a meter on which nothing was spent. */
export function newMeter(
  measure: PrivacyMeasure,
  per: Period,
  now: number,
  limit: Limit | null = null,
): Meter {
  return { per, limit, reserved: null, start: periodStart(per, now), spent: zeroLoss(measure) };
}

/** Returns a meter at a time: in a new window it begins at nothing. A time before its window changes nothing. */
export function rolled<M extends Meter>(meter: M, now: number): M {
  const start = periodStart(meter.per, now);
  return start > meter.start ? { ...meter, start, spent: zeroLoss(meter.spent.measure) } : meter;
}

/** Returns a meter, at the time it is at, with one more loss on it: the only place where spending grows. */
export function withLoss<M extends Meter>(meter: M, loss: PrivacyLoss): M {
  return { ...meter, spent: boundedSum(meter.spent, loss) };
}

/** Whether a meter's cap covers what is on it. */
export function isCovered({ limit, spent }: Meter): boolean {
  return limit === null || covers(limit, spent);
}

/** Returns the loss that a meter still keeps for its own scope: what is reserved and not spent. */
export function heldBy({ reserved, spent }: Meter): PrivacyLoss {
  const { measure } = spent;
  return reserved === null ? zeroLoss(measure) : lossOfLimit(measure, restOf(reserved, spent));
}

/** Adds two losses; a fraction that is too long is rounded up. */
export function boundedSum(spent: PrivacyLoss, loss: PrivacyLoss): PrivacyLoss {
  const total = composeLosses(spent.measure, [spent, loss]);
  const delta = deltaOf(total);
  const bounded = withMain(total, boundedUp(mainOf(total)));
  return delta ? withDelta(bounded, boundedUp(delta)) : bounded;
}
