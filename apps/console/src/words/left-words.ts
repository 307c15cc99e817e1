import type { Budget, Loss } from "@lethe/client";

/** The number that an account counts in: ε, or ρ. */
export function mainOf({ epsilon, rho }: Loss): string {
  return epsilon ?? rho ?? "0";
}

/**
 * Returns the value of an exact fraction, for comparisons on the screen alone.
 * @example numberOf("1/4") // => 0.25
 */
export function numberOf(fraction: string): number {
  const [numerator = "0", denominator = "1"] = fraction.split("/");
  return Number(numerator) / Number(denominator);
}

/** Returns what is left of a cap, in the account's number; null where nothing is limited, or spending is not shown. */
export function leftOf({
  granted,
  spent,
}: {
  readonly granted: string | null;
  readonly spent: string | null;
}): number | null {
  return granted === null || spent === null ? null : Math.max(0, numberOf(granted) - numberOf(spent));
}

/** Returns the least that is left of the caps that a person sees; null where none says so. */
export function leastLeft({ scopes }: Budget): number | null {
  const left = scopes.flatMap(({ periods }) => periods.map(leftOf)).filter((each) => each !== null);
  return left.length === 0 ? null : Math.min(...left);
}

/** The part of what is left from which on a price is asked about once more. */
export const largePart = 0.1;

/** Whether a price is so large a part of what is left that whoever pays should be asked once more. */
export function isLarge(price: Loss, left: number | null): boolean {
  return left !== null && numberOf(mainOf(price)) > largePart * left;
}
