import { invalidParameter, type PrivacyMeasure, parseRational, type Rational, toText } from "@lethe/core";
import { composeLosses, lossFits } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import { compare, one, zero } from "@lethe/core/numeric";
import type { StatedBudget as FirstBudget } from "../records/first-format/entry.ts";
import { requireAmount, requireName } from "../request-limits.ts";
import { type LimitText, limitOf, limitText, lossOfLimit, lower, readLimit } from "../scopes/limit.ts";
import { type Period, periods } from "../scopes/period.ts";
import { type ScopeName, scopeKey, scopeWords } from "../scopes/scope-name.ts";
import { type AccountBudget, capOf, type ScopeBudget, type WindowBudget } from "./budget.ts";

/** A cap over one period, as a policy states it. */
export interface StatedCap {
  readonly per: Period;
  readonly limit: LimitText;
  /** The part of the account's cap over this period that nobody else can take; null for none. */
  readonly reserved: LimitText | null;
}

/** The caps that a policy states for one scope below the account. None: the scope is listed, and not limited. */
export interface StatedScope {
  readonly name: ScopeName;
  readonly caps: readonly StatedCap[];
}

/** The budget that a policy states, exactly. Two policies state one budget exactly where the canonical texts of these are equal. */
export interface StatedBudget {
  readonly measure: PrivacyMeasure;
  /** The account's caps; without one over the lifetime, windows alone bound it. */
  readonly account: readonly StatedCap[];
  /** By their keys. */
  readonly scopes: readonly StatedScope[];
  readonly closed: boolean;
  readonly showAccount: boolean;
}

/** A budget as the chain holds it. Errors: parameter.invalid for one that its measure cannot mean, or that reserves more than the account grants. */
export function statedBudget(budget: AccountBudget): StatedBudget {
  const { measure } = budget;
  const cap = capOf(budget);
  const account: StatedCap[] = [
    ...(cap === null ? [] : [{ per: "ever" as const, limit: limitText(limitOf(cap)), reserved: null }]),
    ...windowsOf(measure, "the account", budget.windows),
  ];
  const scope = (name: ScopeName, stated: Rational | ScopeBudget): StatedScope => {
    const caps = "num" in stated ? { main: stated } : stated;
    if (caps.reserved && name[0] !== "analyst" && name[0] !== "project")
      throw invalidParameter(
        `the reserved of ${scopeWords(name)}`,
        true,
        "stated for an analyst or a project alone",
      );
    return { name, caps: capsOf(measure, scopeWords(name), caps, account) };
  };
  const scopes = [
    ...Object.entries(budget.analysts).map(([name, cap]) =>
      scope(["analyst", named(name, "an analyst's name")], cap),
    ),
    ...Object.entries(budget.projects ?? {}).flatMap(([project, { analysts = {}, ...own }]) => [
      scope(["project", named(project, "a project's name")], own),
      ...Object.entries(analysts).map(([name, cap]) =>
        scope(["member", named(name, "an analyst's name"), project], cap),
      ),
    ]),
    ...Object.entries(budget.dataSets ?? {}).map(([name, cap]) =>
      scope(["dataset", named(name, "a data set's name")], cap),
    ),
  ];
  const stated: StatedBudget = {
    measure,
    account,
    scopes: byKey(scopes),
    closed: budget.closed ?? false,
    showAccount: budget.showAccount ?? false,
  };
  requireBounded(stated);
  requireReservationsFit(stated);
  return stated;
}

/** Returns a budget of the first format as one of today: shares of ε or ρ alone, and the account's spending is not shown. */
export function statedBefore({ cap, analysts, closed }: FirstBudget): StatedBudget {
  const limit: LimitText =
    "rho" in cap
      ? { main: cap.rho, delta: cap.delta }
      : { main: cap.epsilon, delta: "delta" in cap ? cap.delta : null };
  return {
    measure: cap.measure,
    account: [{ per: "ever", limit, reserved: null }],
    scopes: byKey(
      analysts.map(({ name, cap: main }) => ({
        name: ["analyst", name] as const,
        caps: [{ per: "ever" as const, limit: { main, delta: null }, reserved: null }],
      })),
    ),
    closed,
    showAccount: false,
  };
}

/** Whether two budgets are the same, number by number: 0.5 and 1/2 are. */
export function sameBudget(one: StatedBudget, other: StatedBudget): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function byKey(scopes: readonly StatedScope[]): StatedScope[] {
  return scopes
    .map((scope) => ({ scope, key: scopeKey(scope.name) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ scope }) => scope);
}

function capsOf(
  measure: PrivacyMeasure,
  what: string,
  { main, delta = null, reserved = false, windows }: ScopeBudget,
  account: readonly StatedCap[],
): StatedCap[] {
  const ever: StatedCap[] =
    main === null && delta === null
      ? []
      : [{ per: "ever", limit: amounts(measure, `${what}'s sub-cap`, main, delta), reserved: null }];
  const caps = [...ever, ...windowsOf(measure, what, windows)];
  if (!reserved) return caps;
  const kept = caps.map((cap) =>
    reservedIn(
      cap,
      account.find(({ per }) => per === cap.per),
    ),
  );
  if (kept.every((cap) => cap.reserved === null))
    throw invalidParameter(
      `${what}'s reserved`,
      true,
      "stated beside a cap over a period that the account limits too",
    );
  for (const { per, limit, reserved: part } of kept) {
    const all = account.find((cap) => cap.per === per)?.limit.delta ?? null;
    const needsDelta = all !== null && all !== "0";
    if (part !== null && (limit.main === null || (needsDelta && limit.delta === null)))
      throw invalidParameter(
        `${what}'s reserved`,
        true,
        "stated beside a cap in every number that the account limits: whoever takes all δ takes all",
      );
  }
  return kept;
}

/** Returns a cap with the part of the account's that it reserves: no more than the account's own. */
function reservedIn(cap: StatedCap, account: StatedCap | undefined): StatedCap {
  return account
    ? { ...cap, reserved: limitText(lower(readLimit(cap.limit), readLimit(account.limit))) }
    : cap;
}

function windowsOf(
  measure: PrivacyMeasure,
  what: string,
  windows: readonly WindowBudget[] = [],
): StatedCap[] {
  const caps = windows.map(({ per, main, delta }) => ({
    per,
    limit: amounts(measure, `${what}'s window of a ${per}`, main, delta),
    reserved: null,
  }));
  const order = (per: Period): number => periods.indexOf(per);
  for (const { per } of caps) {
    if (order(per) < 1)
      throw invalidParameter(`${what}'s window`, per, `one of ${periods.slice(1).join(", ")}`);
    if (caps.filter((other) => other.per === per).length > 1)
      throw invalidParameter(`${what}'s windows`, per, "each stated once");
  }
  return caps.sort((a, b) => order(a.per) - order(b.per));
}

function amounts(
  measure: PrivacyMeasure,
  what: string,
  main: Rational | null,
  delta: Rational | null,
): LimitText {
  if (main) requireAmount(main, what);
  if (delta) {
    if (measure === "pure") throw invalidParameter(`${what}'s delta`, toText(delta), "left out for pure");
    requireAmount(delta, `${what}'s delta`);
    if (!(compare(delta, one) < 0)) throw invalidParameter(`${what}'s delta`, toText(delta), "below 1");
  }
  return limitText({ main, delta });
}

function named(name: string, what: string): string {
  return requireName(name, what);
}

/** Refuses an account without a cap on one of its numbers, of which it could spend without end even in one window. Errors: parameter.invalid. */
function requireBounded({ measure, account }: StatedBudget): void {
  if (account.some(({ limit }) => limit.main !== null && (measure === "pure" || limit.delta !== null)))
    return;
  throw invalidParameter(
    "the budget's windows",
    "no δ",
    "a δ in at least one, since the account has no lifetime's",
  );
}

/** Errors: parameter.invalid where the account cannot keep what it promises. */
function requireReservationsFit({ measure, account, scopes }: StatedBudget): void {
  for (const { per, limit } of account) {
    const parts = scopes.flatMap(({ caps }) =>
      caps.flatMap((cap) =>
        cap.per === per && cap.reserved ? [lossOfLimit(measure, readLimit(cap.reserved))] : [],
      ),
    );
    const all = composeLosses(measure, parts);
    const { main, delta } = readLimit(limit);
    const granted = lossOfLimit(measure, { main, delta: delta ?? parseRational("1") });
    if (!lossFits(all, granted))
      throw invalidParameter(
        "the reserved parts of the budget",
        Object.values(all)
          .slice(1)
          .map((value) => toText(value ?? zero))
          .join(", "),
        "no more than the account grants together",
      );
  }
}
