/** An outcome's masses: p with the unit, q without it. */
export interface Outcome {
  readonly p: number;
  readonly q: number;
}

/** What two neighbours give one mechanism: the laws P and Q of its outcomes, by the loss ln(dP/dQ) of each. */
export interface LossStep {
  /** No loss is larger in size, but for those of mass that does not matter. */
  readonly reach: number;
  /** About the mean square of the losses: it decides how finely they are cut, and nothing else. */
  readonly square: number;
  /** The largest loss in either direction; null where there is none. */
  readonly pure: number | null;
  /** Whether Q against P is the same pair. */
  readonly symmetric: boolean;
  /** Cuts the losses into cells (k·pitch, (k + 1)·pitch]. */
  cut(pitch: number): LossCells;
}

/** The masses of cells `first`, `first + 1`, …; of the losses before the first of them, −∞ included; and of those beyond the last, ∞ included. */
export interface LossCells {
  readonly first: number;
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly before: Outcome;
  readonly beyond: Outcome;
}

/** A mechanism of finitely many outcomes. */
export function listedStep(outcomes: readonly Outcome[], symmetric: boolean): LossStep {
  const both = outcomes
    .filter(({ p, q }) => p > 0 && q > 0)
    .map(({ p, q }) => ({ p, q, loss: Math.log(p / q) }));
  const onlyP = outcomes.reduce((sum, { p, q }) => sum + (q > 0 ? 0 : p), 0);
  const onlyQ = outcomes.reduce((sum, { p, q }) => sum + (p > 0 ? 0 : q), 0);
  const reach = both.reduce((most, { loss }) => Math.max(most, Math.abs(loss)), 0);
  return {
    reach,
    square: both.reduce((sum, { p, loss }) => sum + p * loss * loss, 0),
    pure: onlyP > 0 || onlyQ > 0 ? null : reach,
    symmetric,
    cut(pitch) {
      const { first, p, q } = emptyCells(reach, pitch);
      for (const outcome of both) {
        const cell = Math.ceil(outcome.loss / pitch) - 1 - first;
        p[cell] = (p[cell] ?? 0) + outcome.p;
        q[cell] = (q[cell] ?? 0) + outcome.q;
      }
      return { first, p, q, before: { p: 0, q: onlyQ }, beyond: { p: onlyP, q: 0 } };
    },
  };
}

/** A mechanism of which it is known in closed form what both laws have between two losses. */
export function lawStep(
  between: (low: number, high: number) => Outcome,
  shape: Pick<LossStep, "reach" | "square" | "pure" | "symmetric">,
): LossStep {
  return {
    ...shape,
    cut(pitch) {
      const { first, p, q } = emptyCells(shape.reach, pitch);
      for (let at = 0; at < p.length; at += 1) {
        const here = between((first + at) * pitch, (first + at + 1) * pitch);
        p[at] = here.p;
        q[at] = here.q;
      }
      const before = between(Number.NEGATIVE_INFINITY, first * pitch);
      const beyond = between((first + p.length) * pitch, Number.POSITIVE_INFINITY);
      return { first, p, q, before, beyond };
    },
  };
}

function emptyCells(reach: number, pitch: number): Pick<LossCells, "first" | "p" | "q"> {
  const first = Math.floor(-reach / pitch) - 1;
  const count = Math.ceil(reach / pitch) + 1 - first;
  return { first, p: new Float64Array(count), q: new Float64Array(count) };
}
