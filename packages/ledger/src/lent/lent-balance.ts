import { lossFromJson, lossToJson, type PrivacyLossText } from "@lethe/core";
import type { PeriodBalance, ScopeBalance } from "../ledger.ts";
import { type LimitText, limitText, readLimit } from "../scopes/limit.ts";

interface LentPeriod extends Pick<PeriodBalance, "per" | "since"> {
  readonly cap: LimitText | null;
  readonly spent: PrivacyLossText | null;
  readonly reserved: LimitText | null;
}

/** A balance as JSON. */
export interface LentBalance extends Omit<ScopeBalance, "periods"> {
  readonly periods: readonly LentPeriod[];
}

/** Writes a balance as JSON. */
export function lentBalance({ periods, ...balance }: ScopeBalance): LentBalance {
  return {
    ...balance,
    periods: periods.map(({ per, since, cap, spent, reserved }) => ({
      ...{ per, since },
      cap: cap && limitText(cap),
      spent: spent && lossToJson(spent),
      reserved: reserved && limitText(reserved),
    })),
  };
}

/** Returns the balance that {@link lentBalance} wrote. */
export function balanceFrom({ periods, ...balance }: LentBalance): ScopeBalance {
  return {
    ...balance,
    periods: periods.map(({ per, since, cap, spent, reserved }) => ({
      ...{ per, since },
      cap: cap && readLimit(cap),
      spent: spent && lossFromJson(spent),
      reserved: reserved && readLimit(reserved),
    })),
  };
}
