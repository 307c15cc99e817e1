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

/**
 * An account that keeps no sums: every cap adds up all that was ever charged, anew for each question. It says what the ledger promises once
 * more, with nothing of the ledger's own code but the calendar.
 */
export class NaiveAccount {
  budget: AccountBudget;
  readonly charges: NaiveCharge[] = [];
  readonly revoked: Set<string> = new Set();
  readonly closed: Set<string> = new Set();
  seen: number;

  constructor(budget: AccountBudget, at: number) {
    this.budget = budget;
    this.seen = at;
  }

  /** Whether a charge fits every cap that covers it. */
  fits(charge: Omit<NaiveCharge, "at">): boolean {
    const now = [...this.charges, { ...charge, at: this.seen }];
    const { principal, project, dataSets, received } = charge;
    const scoped: [ScopeBudget | undefined, (other: NaiveCharge) => boolean][] = [
      [scopeOf(this.budget.analysts[principal]), (other) => other.principal === principal],
    ];
    if (project !== null) {
      const stated = this.budget.projects?.[project];
      scoped.push([
        stated?.analysts?.[principal],
        (other) => other.principal === principal && other.project === project,
      ]);
      if (!received || received.chargesProject) scoped.push([stated, (other) => inProject(other, project)]);
    }
    if (!received)
      for (const name of dataSets)
        scoped.push([
          this.budget.dataSets?.[name],
          (other) => !other.received && other.dataSets.includes(name),
        ]);
    const own = scoped.every(([stated, covers]) =>
      capsOf(stated).every((cap) => within(this.#sum(now, cap.per, covers), cap)),
    );
    return own && (received !== undefined || this.#accountFits(now));
  }

  mayAsk({ principal, project, dataSets }: Pick<NaiveCharge, "principal" | "project" | "dataSets">): boolean {
    if (this.revoked.has(principal)) return false;
    const { analysts, projects = {} } = this.budget;
    if (principal !== owner && Object.keys(analysts).length > 0 && !(principal in analysts)) return false;
    if (project !== null) {
      const stated = projects[project];
      if (!stated || this.closed.has(`project ${project}`)) return false;
      const members = Object.keys(stated.analysts ?? {});
      if (principal !== owner && members.length > 0 && !members.includes(principal)) return false;
    }
    return !dataSets.some((name) => this.closed.has(`dataset ${name}`));
  }

  /** Spent of the account over its lifetime. */
  spent(): Numbers {
    return this.#sum(this.charges, "ever", () => true);
  }

  spentBy(principal: string): Numbers {
    return this.#sum(this.charges, "ever", (other) => other.principal === principal, true);
  }

  /** Whether a budget could be applied: it is below nothing that is spent, and keeps what it promises. */
  mayApply(budget: AccountBudget): boolean {
    const after = new NaiveAccount(budget, this.seen);
    after.charges.push(...this.charges);
    for (const name of this.revoked) after.revoked.add(name);
    for (const name of this.closed) after.closed.add(name);
    const lifetime = (cap: Cap): boolean => cap.per === "ever";
    const scopes: [ScopeBudget | undefined, (other: NaiveCharge) => boolean][] = [
      ...Object.entries(budget.analysts).map(
        ([name, stated]) =>
          [scopeOf(stated), (other: NaiveCharge) => other.principal === name] as [
            ScopeBudget,
            (other: NaiveCharge) => boolean,
          ],
      ),
      ...Object.entries(budget.projects ?? {}).map(
        ([name, stated]) =>
          [stated, (other: NaiveCharge) => inProject(other, name)] as [
            ScopeBudget,
            (other: NaiveCharge) => boolean,
          ],
      ),
      ...Object.entries(budget.dataSets ?? {}).map(
        ([name, stated]) =>
          [stated, (other: NaiveCharge) => !other.received && other.dataSets.includes(name)] as [
            ScopeBudget,
            (other: NaiveCharge) => boolean,
          ],
      ),
    ];
    const own = scopes.every(([stated, covers]) =>
      capsOf(stated)
        .filter(lifetime)
        .every((cap) => within(after.#sum(after.charges, cap.per, covers), cap)),
    );
    return own && after.#accountFits(after.charges);
  }

  #accountFits(charges: readonly NaiveCharge[]): boolean {
    return accountCaps(this.budget).every((cap) => {
      const spent = this.#sum(charges, cap.per, (other) => !other.received);
      return within(plus(spent, this.#held(charges, cap)), cap);
    });
  }

  /** What analysts and projects reserved of a period and did not spend. */
  #held(charges: readonly NaiveCharge[], cap: Cap): Numbers {
    const { analysts, projects = {} } = this.budget;
    const kept: [ScopeBudget, (other: NaiveCharge) => boolean][] = [
      ...Object.entries(analysts).flatMap(
        ([name, stated]): [ScopeBudget, (other: NaiveCharge) => boolean][] =>
          this.revoked.has(name) ? [] : [[scopeOf(stated)!, (other) => other.principal === name]],
      ),
      ...Object.entries(projects).flatMap(
        ([name, stated]): [ScopeBudget, (other: NaiveCharge) => boolean][] =>
          this.closed.has(`project ${name}`) ? [] : [[stated, (other) => inProject(other, name)]],
      ),
    ];
    let held: Numbers = { main: zero, delta: zero };
    for (const [stated, covers] of kept) {
      const own = capsOf(stated).find(({ per }) => per === cap.per);
      if (!stated.reserved || !own) continue;
      const spent = this.#sum(charges, cap.per, covers);
      const rest = (part: Rational | null, whole: Rational | null, used: Rational): Rational =>
        part === null ? zero : max(zero, subtract(whole === null ? part : min(part, whole), used));
      held = plus(held, {
        main: rest(own.main, cap.main, spent.main),
        delta: rest(own.delta, cap.delta, spent.delta),
      });
    }
    return held;
  }

  #sum(
    charges: readonly NaiveCharge[],
    per: Period,
    covers: (charge: NaiveCharge) => boolean,
    _received = true,
  ): Numbers {
    const start = periodStart(per, this.seen);
    return charges
      .filter((charge) => charge.at >= start && covers(charge))
      .reduce(plus, { main: zero, delta: zero } as Numbers);
  }
}

function inProject({ project, received }: NaiveCharge, name: string): boolean {
  return project === name && (!received || received.chargesProject);
}

function plus(a: Numbers, b: Numbers): Numbers {
  return { main: add(a.main, b.main), delta: add(a.delta, b.delta) };
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
