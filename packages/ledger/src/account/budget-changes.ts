import { lossFromJson, type PrivacyLoss, parseRational, type Rational, toDecimal, toText } from "@lethe/core";
import { compare } from "@lethe/core/numeric";
import type { Renaming, StatedBudget } from "../records/entry.ts";
import type { Balance } from "./balance.ts";
import { deltaOf, mainOf, symbolOf } from "./main-number.ts";

/** One thing that a change of the budget does; amounts are exact: decimals, or fractions where they are none. */
export interface BudgetChange {
  readonly how:
    | "raised"
    | "lowered"
    | "named"
    | "removed"
    | "renamed"
    | "closed"
    | "opened"
    | "accepted"
    | "stated";
  /** The thing that changes: "ε", "δ", "analyst ana" … */
  readonly what: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The terms of an account that can change. */
export interface BudgetTerms {
  readonly granted: PrivacyLoss;
  readonly shares: ReadonlyMap<string, Rational>;
  readonly closed: boolean;
}

export function termsOf({ granted, analysts, stated }: Balance): BudgetTerms {
  const shares = new Map([...analysts].map(([name, sub]) => [name, sub.granted] as const));
  return { granted, shares, closed: stated?.closed ?? false };
}

export function termsStated({ cap, analysts, closed }: StatedBudget): BudgetTerms {
  const shares = new Map(analysts.map(({ name, cap }) => [name, parseRational(cap)] as const));
  return { granted: lossFromJson(cap), shares, closed };
}

/** Lists what becomes of the terms, analysts by name. Both terms are of one measure. */
export function changesOf(
  before: BudgetTerms,
  after: BudgetTerms,
  renaming: readonly Renaming[] = [],
): BudgetChange[] {
  const symbol = symbolOf(before.granted.measure);
  const [oldDelta, newDelta] = [deltaOf(before.granted), deltaOf(after.granted)];
  const newNames = new Map(renaming.map(({ from, to }) => [from, to]));
  const oldNames = new Map(renaming.map(({ from, to }) => [to, from]));
  const ended = [...before.shares].filter(([name]) => !after.shares.has(name) && !newNames.has(name));
  return [
    ...moved(symbol, mainOf(before.granted), mainOf(after.granted)),
    ...(oldDelta && newDelta ? moved("δ", oldDelta, newDelta) : []),
    ...renaming.map(({ from, to }): BudgetChange => ({ how: "renamed", what: "analyst", from, to })),
    ...[...after.shares].flatMap(([name, share]): BudgetChange[] => {
      const earlier = before.shares.get(oldNames.get(name) ?? name);
      const what = `analyst ${name}`;
      return earlier
        ? moved(what, earlier, share)
        : [{ how: "named", what, from: null, to: exactText(share) }];
    }),
    ...ended.map(
      ([name, share]): BudgetChange => ({
        how: "removed",
        what: `analyst ${name}`,
        from: exactText(share),
        to: null,
      }),
    ),
    ...opening(before.closed, after.closed),
  ];
}

function moved(what: string, from: Rational, to: Rational): BudgetChange[] {
  const order = compare(to, from);
  if (order === 0) return [];
  return [{ how: order > 0 ? "raised" : "lowered", what, from: exactText(from), to: exactText(to) }];
}

function opening(before: boolean, after: boolean): BudgetChange[] {
  return before === after
    ? []
    : [{ how: after ? "closed" : "opened", what: "the account", from: null, to: null }];
}

/** Writes a number exactly: as a decimal where at most thirty places do, else as a fraction. */
export function exactText(value: Rational): string {
  const decimal = toDecimal(value, "down", 30);
  return compare(parseRational(decimal), value) === 0 ? decimal : toText(value);
}

/** Writes one change in a line, as "ε 5 → 0.1" or "analyst ana → 0.01 (named)". */
export function changeText({ how, what, from, to }: BudgetChange): string {
  const way = [from, to].filter((end) => end !== null).join(" → ");
  return way === "" ? `${what} is ${how}` : `${what} ${from === null ? `→ ${to}` : way} (${how})`;
}
