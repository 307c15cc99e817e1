interface Bound {
  readonly epsilon: number;
  readonly claimed: number;
}

/** A lower bound of ε at one point of a claim. @example saidBound({ epsilon: 0.8, claimed: 1 }) // => "ε ≥ 0.800, where 1.000 is claimed" */
export function saidBound({ epsilon, claimed }: Bound): string {
  return `ε ≥ ${epsilon.toFixed(3)}, where ${claimed.toFixed(3)} is claimed`;
}

/**
 * A whole curve of which every ε times a share is refuted: at some δ more than that is lost, and nobody knows at which. In brackets
 * that share of the point of which an audit speaks.
 * @example saidShare({ epsilon: 0.5, claimed: 2 }) // => "ε ≥ 0.250 times its curve (0.500 of 2.000)"
 */
export function saidShare({ epsilon, claimed }: Bound): string {
  return `ε ≥ ${(epsilon / claimed).toFixed(3)} times its curve (${epsilon.toFixed(3)} of ${claimed.toFixed(3)})`;
}
