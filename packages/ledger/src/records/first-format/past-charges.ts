import { lossFromJson, type Rational } from "@lethe/core";
import { add, zero } from "@lethe/core/numeric";
import { mainOf } from "../../account/main-number.ts";
import { boundedUp } from "../bounded-up.ts";
import type { Entry, Renaming } from "./entry.ts";

/** The part of the account's ε or ρ that each principal was charged so far, listed at the time or not, under its newest name. */
export type PastCharges = ReadonlyMap<string, Rational>;

/** The charges before the first record: none. */
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

/** Moves charges to new names, all at once, so that two principals may exchange names. Charges that the new name had before are kept and added. */
export function renamed(past: PastCharges, renaming: readonly Renaming[]): PastCharges {
  const moved = new Map(past);
  for (const { from } of renaming) moved.delete(from);
  for (const { from, to } of renaming) {
    moved.set(to, boundedUp(add(moved.get(to) ?? zero, past.get(from) ?? zero)));
  }
  return moved;
}
