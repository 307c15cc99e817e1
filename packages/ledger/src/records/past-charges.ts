import { add, lossFromJson, type Rational, zero } from "@lethe/core";
import { mainOf } from "../account/main-number.ts";
import { boundedUp } from "./bounded-up.ts";
import type { Entry, Renaming } from "./entry.ts";

/** What each principal was charged so far of the account's ε or ρ, listed at the time or not, under its newest name. */
export type PastCharges = ReadonlyMap<string, Rational>;

/** What was charged under no name at all: the beginning. */
export const noCharges: PastCharges = new Map();

/** Adds what an entry charges, and moves what it renames, in the map itself: a chain may have very many names. */
export function rememberCharge(past: Map<string, Rational>, entry: Entry): void {
  if (entry.kind === "reserve") {
    const { principal, loss } = entry.payload;
    past.set(principal, boundedUp(add(past.get(principal) ?? zero, mainOf(lossFromJson(loss)))));
  }
  if (entry.kind !== "apply") return;
  const moved = renamed(past, entry.payload.renamed);
  past.clear();
  for (const [name, spent] of moved) past.set(name, spent);
}

/** All at once, so that two may change names with each other. What the new name was charged before stays its own. */
export function renamed(past: PastCharges, renaming: readonly Renaming[]): PastCharges {
  const moved = new Map(past);
  for (const { from } of renaming) moved.delete(from);
  for (const { from, to } of renaming) {
    moved.set(to, boundedUp(add(moved.get(to) ?? zero, past.get(from) ?? zero)));
  }
  return moved;
}
