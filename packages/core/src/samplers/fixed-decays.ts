import { exponential, halfNormal } from "./decay.ts";
import { type DecayCells, decayCells } from "./decay-cells.ts";

let exponentialHeld: DecayCells | undefined;
let halfNormalHeld: DecayCells | undefined;

/** The tables of {@link exponential}: g(x) = x. Built on first use. */
export function exponentialCells(): DecayCells {
  exponentialHeld ??= decayCells(exponential, 1, 0);
  return exponentialHeld;
}

/** The tables of {@link halfNormal}: g(x) = x²/2. Built on first use. */
export function halfNormalCells(): DecayCells {
  halfNormalHeld ??= decayCells(halfNormal, 0, 1 / 2);
  return halfNormalHeld;
}
