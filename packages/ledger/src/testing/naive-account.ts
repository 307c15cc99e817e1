import type { PrivacyLoss, Rational } from "@lethe/core";
import { add, compare, max, min, subtract, zero } from "@lethe/core/numeric";
import type { AccountBudget, ScopeBudget } from "../account/budget.ts";
import { owner } from "../scopes/may-ask.ts";
import { type Period, periodStart } from "../scopes/period.ts";

/** A charge that was accepted, or an answer that was received. */
export interface NaiveCharge {
  readonly at: number;
  readonly principal: string;
  readonly project: string | null;
  readonly dataSets: readonly string[];
  readonly main: Rational;
  readonly delta: Rational;
  /** What a received answer charges: no account and no data set; the project where it did not know the answer. */
  readonly received?: { readonly chargesProject: boolean };
}

interface Cap {
  readonly per: Period;
  readonly main: Rational | null;
  readonly delta: Rational | null;
}

type Numbers = { readonly main: Rational; readonly delta: Rational };

/** The name of a scope in words: "account", "analyst ana", "project p", "member ana p", "dataset x". */
export type NaiveScope = string;

/**
 * An account that keeps no sums: every cap adds up all charges that it covers, anew for each question. It says what the ledger promises once
 * more, with nothing of the ledger's own code but the calendar.
 */
export class NaiveAccount {
  budget: AccountBudget;
  charges: NaiveCharge[] = [];
  /** The charges since a window was first stated, by scope and period: a window begins at nothing, and goes on counting while it has no cap. */
  windows: Map<string, NaiveCharge[]> = new Map();
  /** What the owner closed or revoked. */
  shut: Set<NaiveScope> = new Set();
  /** The caps over the lifetime that the owner lowered or raised since a budget stated them. */
  changed: Map<NaiveScope, Bound> = new Map();
  /** What the reserved part of a cap over the lifetime was lowered to; no grant raises it. */
  lowered: Map<NaiveScope, Bound> = new Map();
  seen: number;

  constructor(budget: AccountBudget, at: number) {
    this.budget = budget;
    this.seen = at;
    this.#begin();
  }

  add(charge: NaiveCharge): void {
    this.charges.push(charge);
    for (const [key, list] of this.windows) if (covers(scopeOfKey(key), charge)) list.push(charge);
  }

  /** Whether a charge fits every cap that covers it. */
  fits(charge: Omit<NaiveCharge, "at">): boolean {
    const { principal, project } = charge;
    const after = this.#copy();
    const added = { ...charge, at: this.seen };
    after.add(added);
    const scopes = [`analyst ${principal}`, `member ${principal} ${project}`, `project ${project}`];
    const all = [...scopes, ...charge.dataSets.map((name) => `dataset ${name}`)];
    const own = all.filter((name) => covers(name, added)).every((name) => after.#covered(name));
    return own && (charge.received !== undefined || after.#covered("account"));
  }

  mayAsk({ principal, project, dataSets }: Pick<NaiveCharge, "principal" | "project" | "dataSets">): boolean {
    if (this.shut.has("account") || this.shut.has(`analyst ${principal}`)) return false;
    const { analysts, projects = {} } = this.budget;
    if (principal !== owner && Object.keys(analysts).length > 0 && !(principal in analysts)) return false;
    if (project !== null) {
      const stated = projects[project];
      if (!stated || this.shut.has(`project ${project}`)) return false;
      const members = Object.keys(stated.analysts ?? {});
      if (principal !== owner && members.length > 0 && !members.includes(principal)) return false;
    }
    return !dataSets.some((name) => this.shut.has(`dataset ${name}`));
  }

  /** Spent of the account over its lifetime. */
  spent(): Numbers {
    return this.#sum("account", "ever");
  }

  spentBy(principal: string): Numbers {
    return this.#sum(`analyst ${principal}`, "ever");
  }

  /** Returns the account under another budget, with analysts renamed; null where a cap would be below what is spent, or a promise broken. */
  applied(budget: AccountBudget, renamed: Readonly<Record<string, string>> = {}): NaiveAccount | null {
    const after = this.#copy();
    for (const [from, to] of Object.entries(renamed)) after.#rename(from, to);
    const before = new NaiveAccount(after.budget, after.seen).#stated();
    after.budget = budget;
    for (const name of [...before, ...after.#stated()]) after.#forget(name);
    after.#begin();
    // What was renamed may meet a cap that the owner lowered and no budget states.
    const capped = [...after.#stated(), ...after.changed.keys()];
    return capped.every((name) => after.#covered(name)) ? after : null;
  }

  /** Returns the account with a lower cap; null where it would be below what is spent, or a promise broken. */
  loweredTo(name: NaiveScope, cap: { main: Rational | null; delta: Rational | null }): NaiveAccount | null {
    const after = this.#copy();
    after.changed.set(name, lowest(after.lifetimeCap(name), cap));
    after.lowered.set(name, lowest(after.lowered.get(name), cap));
    return after.#covered(name) && after.#covered("account") ? after : null;
  }

  /** Returns the account with more in a cap; null where there is no such cap to add to. */
  granted(name: NaiveScope, more: Bound): NaiveAccount | null {
    const after = this.#copy();
    const cap = this.lifetimeCap(name);
    if (name !== "account" && this.#statedOf(name) === undefined) return null;
    const sum = (before: Rational | null | undefined, added: Rational | null): Rational | null =>
      before && added ? add(before, added) : (before ?? null);
    if ((more.main && !cap?.main) || (more.delta && !cap?.delta)) return null;
    after.changed.set(name, { main: sum(cap?.main, more.main), delta: sum(cap?.delta, more.delta) });
    return after;
  }

  #forget(name: NaiveScope): void {
    this.changed.delete(name);
    this.lowered.delete(name);
  }

  /** The cap of a scope over its lifetime. */
  lifetimeCap(name: NaiveScope): Cap | undefined {
    return this.#caps(name).find(({ per }) => per === "ever");
  }

  /** Returns the account with a scope closed or opened; null where the account no longer has what it reserved. */
  with(name: NaiveScope, isShut: boolean): NaiveAccount | null {
    const after = this.#copy();
    if (isShut) after.shut.add(name);
    else after.shut.delete(name);
    return after.#covered("account") ? after : null;
  }

  #copy(): NaiveAccount {
    const copy = new NaiveAccount(this.budget, this.seen);
    copy.charges = [...this.charges];
    copy.windows = new Map([...this.windows].map(([key, list]) => [key, [...list]]));
    copy.shut = new Set(this.shut);
    copy.changed = new Map(this.changed);
    copy.lowered = new Map(this.lowered);
    return copy;
  }

  /** Begins the windows that the budget states and that were not counted yet. */
  #begin(): void {
    for (const name of this.#stated())
      for (const { per } of this.#caps(name))
        if (per !== "ever" && !this.windows.has(keyOf(name, per))) this.windows.set(keyOf(name, per), []);
  }

  #rename(from: string, to: string): void {
    const other = (name: NaiveScope): NaiveScope => {
      const [kind, who, ...rest] = name.split(" ");
      return (kind === "analyst" || kind === "member") && who === from ? [kind, to, ...rest].join(" ") : name;
    };
    const as = (charge: NaiveCharge): NaiveCharge =>
      charge.principal === from ? { ...charge, principal: to } : charge;
    const windows = new Map<string, NaiveCharge[]>();
    for (const [key, list] of this.windows) {
      const name = keyOf(other(scopeOfKey(key)), periodOfKey(key));
      windows.set(name, [...(windows.get(name) ?? []), ...list.map(as)]);
    }
    this.windows = windows;
    this.charges = this.charges.map(as);
    this.shut = new Set([...this.shut].map(other));
    for (const name of [...this.changed.keys()]) if (other(name) !== name) this.#forget(name);
  }

  /** The scopes that the budget states, and the account. */
  #stated(): NaiveScope[] {
    const { analysts, projects = {}, dataSets = {} } = this.budget;
    return [
      "account",
      ...Object.keys(analysts).map((name) => `analyst ${name}`),
      ...Object.entries(projects).flatMap(([project, { analysts = {} }]) => [
        `project ${project}`,
        ...Object.keys(analysts).map((name) => `member ${name} ${project}`),
      ]),
      ...Object.keys(dataSets).map((name) => `dataset ${name}`),
    ];
  }

  #statedCaps(name: NaiveScope): Cap[] {
    return name === "account" ? accountCaps(this.budget) : capsOf(this.#statedOf(name));
  }

  #statedOf(name: NaiveScope): ScopeBudget | undefined {
    const { analysts, projects = {}, dataSets = {} } = this.budget;
    const [kind, one = "", other = ""] = name.split(" ");
    if (kind === "analyst") return scopeOf(analysts[one]);
    if (kind === "project") return projects[one];
    if (kind === "member") return projects[other]?.analysts?.[one];
    return dataSets[one];
  }

  /** The caps that hold: those of the budget, and what the owner changed. */
  #caps(name: NaiveScope): Cap[] {
    const now = this.changed.get(name);
    const stated = this.#statedCaps(name);
    return now ? [{ per: "ever", ...now }, ...stated.filter(({ per }) => per !== "ever")] : stated;
  }

  #covered(name: NaiveScope): boolean {
    return this.#caps(name).every((cap) => {
      const spent = this.#sum(name, cap.per);
      return within(name === "account" ? plus(spent, this.#held(cap.per)) : spent, cap);
    });
  }

  /** What analysts and projects reserved of a period and did not spend. */
  #held(per: Period): Numbers {
    const whole = this.#statedCaps("account").find((cap) => cap.per === per);
    let held: Numbers = { main: zero, delta: zero };
    for (const name of this.#stated()) {
      const own = this.#statedCaps(name).find((cap) => cap.per === per);
      if (!whole || !own || this.shut.has(name)) continue;
      if (name === "account" || !this.#statedOf(name)?.reserved) continue;
      const spent = this.#sum(name, per);
      const stated = lowest(own, whole);
      const kept = per === "ever" ? lowest(this.lowered.get(name), stated) : stated;
      const rest = (part: Rational | null, used: Rational): Rational =>
        part === null ? zero : max(zero, subtract(part, used));
      held = plus(held, { main: rest(kept.main, spent.main), delta: rest(kept.delta, spent.delta) });
    }
    return held;
  }

  #sum(name: NaiveScope, per: Period): Numbers {
    const start = periodStart(per, this.seen);
    const counted =
      per === "ever"
        ? this.charges.filter((charge) => covers(name, charge))
        : (this.windows.get(keyOf(name, per)) ?? []);
    return counted.filter(({ at }) => at >= start).reduce(plus, { main: zero, delta: zero } as Numbers);
  }
}

function covers(name: NaiveScope, { principal, project, dataSets, received }: NaiveCharge): boolean {
  const [kind, one, other] = name.split(" ");
  if (kind === "account") return !received;
  if (kind === "analyst") return principal === one;
  if (kind === "member") return principal === one && project === other;
  if (kind === "project") return project === one && (!received || received.chargesProject);
  return !received && dataSets.includes(String(one));
}

function keyOf(name: NaiveScope, per: Period): string {
  return `${per}/${name}`;
}

function scopeOfKey(key: string): NaiveScope {
  return key.slice(key.indexOf("/") + 1);
}

function periodOfKey(key: string): Period {
  return key.slice(0, key.indexOf("/")) as Period;
}

function plus(a: Numbers, b: Numbers): Numbers {
  return { main: add(a.main, b.main), delta: add(a.delta, b.delta) };
}

type Bound = Pick<Cap, "main" | "delta">;

function lowest(one: Bound | undefined, other: Bound): Bound {
  const least = (a: Rational | null, b: Rational | null): Rational | null => (a && b ? min(a, b) : (a ?? b));
  return { main: least(one?.main ?? null, other.main), delta: least(one?.delta ?? null, other.delta) };
}

function within({ main, delta }: Numbers, cap: Cap): boolean {
  return (
    (cap.main === null || compare(main, cap.main) <= 0) &&
    (cap.delta === null || compare(delta, cap.delta) <= 0)
  );
}

function scopeOf(stated: Rational | ScopeBudget | undefined): ScopeBudget | undefined {
  return stated && "num" in stated ? { main: stated } : stated;
}

function capsOf(stated: ScopeBudget | undefined): Cap[] {
  if (!stated) return [];
  const { main, delta = null, windows = [] } = stated;
  return [...(main || delta ? [{ per: "ever" as const, main, delta }] : []), ...windows];
}

function accountCaps({ epsilon, delta, lifetime, windows = [] }: AccountBudget): Cap[] {
  return [...(lifetime === "none" ? [] : [{ per: "ever" as const, main: epsilon, delta }]), ...windows];
}

/** A loss of an approximate account in its two numbers. */
export function numbersOf(loss: PrivacyLoss): Numbers {
  if (loss.measure !== "approximate") throw new Error("expected an approximate loss");
  return { main: loss.epsilon, delta: loss.delta };
}
