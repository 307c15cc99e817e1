/** The width that is aimed at for an interval of ε, by the ε. */
export interface Aim {
  /** The width that is sought. */
  readonly sought: (epsilon: number) => number;
  /** The width above which a result says that the accuracy was missed. */
  readonly asked: (epsilon: number) => number;
}

/** The default share of ε, and the width that is sought at an ε of 1 and above. */
export const defaultAccuracy = 1e-4;
/** No default width is below: an ε of 1e-4 known to 1 % is known well enough. */
const finest = 1e-6;

/** An accuracy that was asked for is one width; else it is a ten-thousandth of ε, and at least 1e-6. */
export function aimOf(accuracy: number | undefined): Aim {
  if (accuracy !== undefined) return { sought: () => accuracy, asked: () => accuracy };
  const asked = (epsilon: number): number => Math.max(finest, defaultAccuracy * epsilon);
  return { asked, sought: (epsilon) => Math.min(defaultAccuracy, asked(epsilon)) };
}
