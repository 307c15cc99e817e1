import { type Price, priceEvents } from "./accountants/price-events.ts";
import { proveLosses } from "./mechanisms/registry.ts";

/**
 * The loss of an event under the measure of an account: exact, rounded toward more loss, the same on every machine.
 * Under approximate DP, Laplace ε's and selections add up, and all Gaussian parts are composed first and priced once at
 * the δ that the selections leave.
 * Errors: parameter.invalid (unknown event, broken number), query.missing-delta (not provable under the measure, or no
 * δ left).
 * @example price({ kind: "laplace", version: 1, scale: "2", l1: "1" }, { measure: "pure" }) // => ε = 1/2
 */
export const price: Price = priceEvents(proveLosses);
