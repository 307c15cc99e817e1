import { loss, rationalText } from "./core-texts.ts";
import type { Account, AccountWindow, CappedAccount, SpentAccount, WindowedAccount } from "./release.ts";
import { extended, fraction, list, literal, nullable, number, object, type Read } from "./shape.ts";

const spent: Read<SpentAccount> = extended(
  { granted: loss, spent: loss, left: loss, membershipAdvantage: fraction },
  { truePositives: fraction, mu: nullable(number) },
);

const capped: Read<CappedAccount> = object({ granted: loss });

const window: Read<AccountWindow> = object({
  per: literal("day", "week", "month", "quarter"),
  measure: literal("pure", "approximate", "zcdp"),
  main: nullable(rationalText),
  delta: nullable(rationalText),
});

const windowed: Read<WindowedAccount> = object({ lifetime: literal("none"), windows: list(window) });

/** The account of a certificate, in one of its forms: with what is spent, with its cap alone, or with windows alone. */
export const account: Read<Account> = (value, path) => {
  const has = (name: string): boolean => typeof value === "object" && value !== null && name in value;
  if (has("lifetime")) return windowed(value, path);
  return has("spent") || !has("granted") || has("left") ? spent(value, path) : capped(value, path);
};
