import { createHash } from "node:crypto";
import { join } from "node:path";

/** The budget of the story's ledger, in units of ε = 1/100 each. */
export const affordableUnits = 20;

/** Returns a budget of this many units. */
export const budgetOf = (units) => ({
  measure: "pure",
  epsilon: { num: BigInt(units), den: 100n },
  delta: { num: 0n, den: 1n },
  rho: null,
  analysts: {},
});

export const storyBudget = budgetOf(affordableUnits);

/** Budgets that are applied in the story, before the visit of that place: lowered, and raised again. */
export const appliedUnits = { 3: 17, 6: 19 };

/** Returns the place of a story's ledger, so deep in new directories that opening it does not flush the names of all. */
export const ledgerIn = (place) => join(place, "house", "home", "ledger");

/** Returns a question that costs this many units. */
export function storyRequest(id, units) {
  return {
    principal: "owner",
    requestId: id,
    requestHash: createHash("sha256").update(id).digest("hex"),
    loss: { measure: "pure", epsilon: { num: BigInt(units), den: 100n } },
    event: { kind: "laplace", version: 1, scale: "10", l1: "1" },
    text: `SELECT ${id}`,
  };
}

export const clock = () => 1_700_000_000_000;
