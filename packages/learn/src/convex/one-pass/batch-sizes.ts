/**
 * Sizes of the batches of a pass that grows toward its end: the step that is m-th from the end takes at least ⌈√(spread/m)⌉ units, and so moves little where
 * little noise follows. All units are taken: what is left over goes to the batches evenly, the first before the last.
 * Source: Feldman, Koren & Talwar 2020 (arXiv 2005.04763) (snowball), with a constant of our own.
 */
export function batchSizes(units: number, steps: number, spread: number): Uint32Array {
  const sizes = Uint32Array.from({ length: steps }, (_, t) => Math.ceil(Math.sqrt(spread / (steps - t))));
  const left = units - sizes.reduce((total, size) => total + size, 0);
  return sizes.map((size, t) => size + Math.floor(left / steps) + (t < left % steps ? 1 : 0));
}

/** The most steps that the units allow: Σ ⌈√(spread/m)⌉ ≤ T + 2√(spread·T) ≤ units. */
export function mostSteps(units: number, spread: number): number {
  return Math.floor((Math.sqrt(spread + units) - Math.sqrt(spread)) ** 2 * (1 - 2 ** -40));
}
