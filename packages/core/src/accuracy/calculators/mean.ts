import { checkPositive, checkWhole, wholeAtLeast } from "./checks.ts";

/**
 * The expected error of the mean of n values in [0, 1] with real Laplace noise that costs ε under replace-one: 1/(nε). One value moves the
 * mean by at most 1/n (the document writes 2/n), and E|Lap(b)| = b. Rounded up.
 * Source: C Lemma 3, with the tight sensitivity.
 * Direction: exact
 * Errors: parameter.invalid unless n ≥ 1 is whole and ε > 0.
 * @example meanError({ records: 1000, epsilon: 0.5 }) // => 0.002
 */
export function meanError({
  records,
  epsilon,
}: {
  readonly records: number;
  readonly epsilon: number;
}): number {
  return (1 / (checkWhole("records", records) * checkPositive("epsilon", epsilon))) * (1 + 4e-16);
}

/**
 * The least n for which {@link meanError} is at most `error`: ⌈1/(αε)⌉.
 * Source: C Lemma 3, with the tight sensitivity.
 * Direction: exact
 * Errors: parameter.invalid unless the error and ε are > 0.
 * @example meanSampleSize({ error: 0.01, epsilon: 0.5 }) // => 200
 */
export function meanSampleSize({
  error,
  epsilon,
}: {
  readonly error: number;
  readonly epsilon: number;
}): number {
  return wholeAtLeast(1 / (checkPositive("error", error) * checkPositive("epsilon", epsilon)));
}

/**
 * The n of the document: ⌈2/(αε)⌉, for a sensitivity of 2/n and noise Lap(α). True, and twice what is needed.
 * Source: C Lemma 3 as printed.
 * Direction: upper
 * Errors: parameter.invalid unless the error and ε are > 0.
 * @example meanSampleSizeTextbook({ error: 0.01, epsilon: 0.5 }) // => 400
 */
export function meanSampleSizeTextbook({
  error,
  epsilon,
}: {
  readonly error: number;
  readonly epsilon: number;
}): number {
  return wholeAtLeast(2 / (checkPositive("error", error) * checkPositive("epsilon", epsilon)));
}
