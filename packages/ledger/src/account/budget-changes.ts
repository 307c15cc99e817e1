import { parseRational, type Rational, toDecimal, toText } from "@lethe/core";
import { compare } from "@lethe/core/numeric";
import type { Renaming } from "../records/entry.ts";
import type { Account } from "../scopes/account.ts";
import { type Limit, readLimit } from "../scopes/limit.ts";
import type { Meter } from "../scopes/meter.ts";
import { type Period, periodWords } from "../scopes/period.ts";
import type { Scope } from "../scopes/scope.ts";
import { type ScopeName, scopeKey, scopeWords } from "../scopes/scope-name.ts";
import { symbolOf } from "./main-number.ts";
import type { StatedBudget, StatedCap } from "./stated-budget.ts";

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
    | "shown"
    | "hidden"
    | "accepted"
    | "stated";
  /** The thing that changes: "ε", "δ", "analyst ana", "analyst ana, δ a month" … */
  readonly what: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** One number that a budget states: of the account or of a scope, and what it limits there. */
interface Line {
  readonly name: ScopeName;
  /** "" for a scope's own ε or ρ over the lifetime. */
  readonly number: string;
  /** null: stated, and not limited. */
  readonly value: Rational | null;
}

/** The terms of an account that can change: a line for each number, by what it limits. */
export interface BudgetTerms {
  readonly lines: ReadonlyMap<string, Line>;
  readonly closed: boolean;
  readonly showAccount: boolean;
  /** Scopes that the owner closed or revoked on record. */
  readonly shut: ReadonlySet<string>;
}

/** Returns the terms that an account has. */
export function termsOf(account: Account, scopes: Iterable<Scope>): BudgetTerms {
  const known = sorted([...scopes].filter(({ listed, shut }) => listed || shut));
  const symbol = symbolOf(account.measure);
  const lines = [
    ...linesOf(symbol, ["account"], account.meters.flatMap(capOfMeter)),
    ...known.flatMap(({ name, listed, meters }) =>
      listed ? linesOf(symbol, name, meters.flatMap(capOfMeter)) : [],
    ),
  ];
  const shut = new Set([
    ...(account.shut ? [scopeWords(["account"])] : []),
    ...known.flatMap(({ name, shut }) => (shut ? [scopeWords(name)] : [])),
  ]);
  return { lines: keyed(lines), closed: account.closed, showAccount: account.showAccount, shut };
}

/** Returns the terms that a policy states. */
export function termsStated({ measure, account, scopes, closed, showAccount }: StatedBudget): BudgetTerms {
  const symbol = symbolOf(measure);
  const lines = [
    ...linesOf(symbol, ["account"], account.map(readCap)),
    ...sorted(scopes).flatMap(({ name, caps }) => linesOf(symbol, name, caps.map(readCap))),
  ];
  return { lines: keyed(lines), closed, showAccount, shut: new Set() };
}

interface Cap {
  readonly per: Period;
  readonly limit: Limit;
  readonly reserved: Limit | null;
}

function readCap({ per, limit, reserved }: StatedCap): Cap {
  return { per, limit: readLimit(limit), reserved: reserved && readLimit(reserved) };
}

function capOfMeter({ per, limit, reserved }: Meter): Cap[] {
  return limit ? [{ per, limit, reserved }] : [];
}

const order: readonly ScopeName[0][] = ["account", "analyst", "project", "member", "dataset"];

function sorted<S extends { readonly name: ScopeName }>(scopes: readonly S[]): S[] {
  const key = ({ name }: S): string => `${order.indexOf(name[0])} ${scopeWords(name)}`;
  return scopes
    .map((scope) => ({ scope, key: key(scope) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ scope }) => scope);
}

function linesOf(symbol: string, name: ScopeName, caps: readonly Cap[]): Line[] {
  const isAccount = name[0] === "account";
  const lines = caps.flatMap(({ per, limit, reserved }): Line[] => {
    const words = per === "ever" ? "" : ` ${periodWords(per)}`;
    const own = per === "ever" && !isAccount ? "" : `${symbol}${words}`;
    return [
      { name, number: own, value: limit.main },
      { name, number: `δ${words}`, value: limit.delta },
      { name, number: `reserved ${symbol}${words}`, value: reserved?.main ?? null },
      { name, number: `reserved δ${words}`, value: reserved?.delta ?? null },
    ].filter(({ value }) => value !== null);
  });
  const states = isAccount || lines.some(({ number }) => number === "");
  return states ? lines : [{ name, number: "", value: null }, ...lines];
}

function keyed(lines: readonly Line[]): Map<string, Line> {
  return new Map(lines.map((line) => [keyOf(line), line]));
}

function keyOf({ name, number }: Line): string {
  return scopeKey([...name, number] as unknown as ScopeName);
}

function textOf({ name, number }: Line): string {
  if (name[0] === "account") return number;
  return number === "" ? scopeWords(name) : `${scopeWords(name)}, ${number}`;
}

/** Lists what becomes of the terms: the account's own numbers first, then scopes by name. Both terms are of one measure. */
export function changesOf(
  before: BudgetTerms,
  after: BudgetTerms,
  renaming: readonly Renaming[] = [],
): BudgetChange[] {
  const names = new Map(renaming.map(({ from, to }) => [from, to]));
  const under = (line: Line): Line => {
    const [kind, who, ...rest] = line.name;
    const to = kind === "analyst" || kind === "member" ? names.get(String(who)) : undefined;
    return to === undefined ? line : { ...line, name: [kind, to, ...rest] as unknown as ScopeName };
  };
  const earlier = keyed([...before.lines.values()].map(under));
  const change = (line: Line): BudgetChange[] => {
    const known = earlier.get(keyOf(line));
    return known ? moved(textOf(line), known.value, line.value) : [named(textOf(line), line.value)];
  };
  const lines = [...after.lines.values()];
  return [
    ...lines.filter(({ name }) => name[0] === "account").flatMap(change),
    ...renaming.map(({ from, to }): BudgetChange => ({ how: "renamed", what: "analyst", from, to })),
    ...lines.filter(({ name }) => name[0] !== "account").flatMap(change),
    ...[...earlier].flatMap(([key, line]) =>
      after.lines.has(key) ? [] : [removed(textOf(line), line.value)],
    ),
    ...flags(before, after),
  ];
}

function moved(what: string, from: Rational | null, to: Rational | null): BudgetChange[] {
  if (from === null || to === null) {
    return from === to ? [] : [to === null ? removed(what, from) : named(what, to)];
  }
  const way = compare(to, from);
  if (way === 0) return [];
  return [{ how: way > 0 ? "raised" : "lowered", what, from: exactText(from), to: exactText(to) }];
}

function named(what: string, to: Rational | null): BudgetChange {
  return { how: "named", what, from: null, to: to && exactText(to) };
}

function removed(what: string, from: Rational | null): BudgetChange {
  return { how: "removed", what, from: from && exactText(from), to: null };
}

function flags(before: BudgetTerms, after: BudgetTerms): BudgetChange[] {
  const flag = (what: string, how: BudgetChange["how"]): BudgetChange => ({
    how,
    what,
    from: null,
    to: null,
  });
  return [
    ...(before.closed === after.closed ? [] : [flag("the account", after.closed ? "closed" : "opened")]),
    ...(before.showAccount === after.showAccount
      ? []
      : [flag("the account's spending", after.showAccount ? "shown" : "hidden")]),
  ];
}

/** Lists which scopes the owner closed or opened on record. */
export function shutChanges(before: BudgetTerms, after: BudgetTerms): BudgetChange[] {
  const flag = (what: string, how: BudgetChange["how"]): BudgetChange => ({
    how,
    what,
    from: null,
    to: null,
  });
  return [
    ...[...after.shut].flatMap((what) => (before.shut.has(what) ? [] : [flag(what, "closed")])),
    ...[...before.shut].flatMap((what) => (after.shut.has(what) ? [] : [flag(what, "opened")])),
  ];
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
