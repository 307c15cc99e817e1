import { isStatedBudget } from "../account/is-stated-budget.ts";
import { corrupt } from "../records/corrupt.ts";
import type { ApplyPayload, Renaming } from "../records/entry.ts";
import type { Books, Posting } from "../scopes/books.ts";
import { boundedSum, type Meter, newMeter, rolled } from "../scopes/meter.ts";
import { newScope, type Scope } from "../scopes/scope.ts";
import { type ScopeName, scopeKey } from "../scopes/scope-name.ts";
import { capBelow, stateTerms } from "./state-terms.ts";

/** The policy's budget in place of the one before: what was spent stays spent, and nothing is lowered below it. Errors: ledger.corrupt. */
export function replaceTerms(books: Books, { budget, renamed }: ApplyPayload, sequence: number): Posting {
  if (!isStatedBudget(budget)) throw corrupt("its budget is none");
  if (budget.measure !== books.account.measure) throw corrupt("the cap is of another measure");
  requireRenaming(books, { budget, renamed });
  const posting = replaced(books, { budget, renamed }, sequence);
  if (capBelow(posting)) throw corrupt("a cap is below what is spent");
  return posting;
}

/** The same, without asking whether caps cover what is spent. */
export function replaced(
  books: Books,
  { budget, renamed }: Pick<ApplyPayload, "budget" | "renamed">,
  sequence: number,
): Posting {
  const moved = new Map(movedScopes(books, renamed).map((scope) => [scopeKey(scope.name), scope]));
  if (moved.size === 0) return stateTerms(books, budget, sequence);
  const scopes = new Map([...books.all()].map((scope) => [scopeKey(scope.name), scope]));
  for (const [key, scope] of moved) scopes.set(key, scope);
  const after: Books = {
    account: books.account,
    scope: (name) => scopes.get(scopeKey(name)) ?? null,
    all: () => scopes.values(),
  };
  const posting = stateTerms(after, budget, sequence);
  const stated = new Set(posting.scopes.map(({ name }) => scopeKey(name)));
  return {
    ...posting,
    scopes: [...posting.scopes, ...[...moved].flatMap(([key, scope]) => (stated.has(key) ? [] : [scope]))],
  };
}

/** Refuses a renaming unless it goes from a name that is no longer listed to one that is newly listed, each once. Errors: ledger.corrupt. */
function requireRenaming(books: Books, { renamed, budget }: Pick<ApplyPayload, "budget" | "renamed">): void {
  const listed = new Set(budget.scopes.flatMap(({ name }) => (name[0] === "analyst" ? [name[1]] : [])));
  const wasListed = (name: string): boolean => books.scope(["analyst", name])?.listed ?? false;
  const [from, to] = [new Set(renamed.map((each) => each.from)), new Set(renamed.map((each) => each.to))];
  const once = from.size === renamed.length && to.size === renamed.length;
  const ended = [...from].every((name) => wasListed(name) && !listed.has(name));
  const begun = [...to].every((name) => !wasListed(name) && listed.has(name));
  if (!(once && ended && begun)) throw corrupt("an analyst is renamed who was not listed, or goes on");
}

/**
 * Moves what was charged to new names, and leaves the old ones with nothing. Charges that the new name had before are kept and added. Requests in
 * flight stay the old name's, since their outcome comes under it.
 */
function movedScopes(books: Books, renaming: readonly Renaming[]): Scope[] {
  const { measure, seen } = books.account;
  const names = new Map(renaming.map(({ from, to }) => [from, to]));
  if (names.size === 0) return [];
  const moved: Scope[] = [];
  for (const scope of books.all()) {
    const to = newName(scope.name, names);
    if (to === null) continue;
    const there = books.scope(to) ?? newScope(measure, to);
    moved.push(
      {
        ...there,
        shut: there.shut || scope.shut,
        failures: there.failures + scope.failures,
        moreFailures: Math.max(there.moreFailures, scope.moreFailures),
        meters: merged(there.meters, scope.meters, seen),
      },
      { ...newScope(measure, scope.name), open: scope.open },
    );
  }
  return moved;
}

function newName(name: ScopeName, names: ReadonlyMap<string, string>): ScopeName | null {
  if (name[0] === "analyst") {
    const to = names.get(name[1]);
    return to === undefined ? null : ["analyst", to];
  }
  if (name[0] !== "member") return null;
  const to = names.get(name[1]);
  return to === undefined ? null : ["member", to, name[2]];
}

function merged(one: readonly Meter[], other: readonly Meter[], now: number): Meter[] {
  const pers = [...new Set([...one, ...other].map(({ per }) => per))];
  return pers.map((per) => {
    const own = one.find((meter) => meter.per === per);
    const added = other.find((meter) => meter.per === per);
    const measure = (own ?? added)?.spent.measure ?? "pure";
    const base = own ? rolled(own, now) : newMeter(measure, per, now);
    return added ? { ...base, spent: boundedSum(base.spent, rolled(added, now).spent) } : base;
  });
}
