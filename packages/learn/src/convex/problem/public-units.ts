import { invalidParameter } from "@lethe/core";

/** Checks a declared number of units: it divides sums and sets steps, so it is public, and never counted. Errors: parameter.invalid. */
export function checkPublicUnits(units: number): void {
  if (!(Number.isSafeInteger(units) && units >= 1 && units <= 2 ** 31))
    throw invalidParameter("units", units, "declared, an integer from 1 to 2^31");
}
