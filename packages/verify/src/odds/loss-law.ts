import type { LossCells, LossStep } from "./loss-step.ts";

/** A law of losses first·pitch, (first + 1)·pitch, …, and the chance that all is told. */
export interface LossLaw {
  readonly first: number;
  readonly mass: Float64Array;
  readonly told: number;
}

/** A step, and how often it is run. */
export interface CountedStep {
  readonly step: LossStep;
  readonly times: number;
}

/** Which of two neighbours has the unit. */
export type Direction = "coming" | "going";

/** How steps are composed. */
export interface Composition {
  readonly pitch: number;
  readonly direction: Direction;
  /** Mass at either end that may be counted as a larger loss. */
  readonly negligible: number;
}

/**
 * A law of losses that is no better hidden than all these steps together. The masses p and q of a cell go to its two ends so that both sums are kept,
 * which makes every δ(ε) as large as it was, or larger (the δ of a cell's masses is convex in e^ε, and its chord is that of the ends).
 */
export function composedLaw(
  steps: readonly CountedStep[],
  { pitch, direction, negligible }: Composition,
): LossLaw {
  let all: LossLaw = { first: 0, mass: Float64Array.of(1), told: 0 };
  for (const { step, times } of steps) {
    const cells = step.cut(pitch);
    const one = atEnds(direction === "coming" ? cells : mirrored(cells), pitch);
    all = both(all, powerOf(trimmed(one, negligible), times));
  }
  return all;

  function both(a: LossLaw, b: LossLaw): LossLaw {
    return trimmed(convolved(a, b), negligible);
  }

  /** A law composed with itself, by squares. */
  function powerOf(law: LossLaw, times: number): LossLaw {
    if (times === 1) return law;
    const half = powerOf(law, Math.floor(times / 2));
    const even = both(half, half);
    return times % 2 === 0 ? even : both(even, law);
  }
}

/** The same cells of Q against P. */
function mirrored({ first, p, q, before, beyond }: LossCells): LossCells {
  return {
    first: -first - p.length,
    p: q.slice().reverse(),
    q: p.slice().reverse(),
    before: { p: beyond.q, q: beyond.p },
    beyond: { p: before.q, q: before.p },
  };
}

function atEnds({ first, p, q, before, beyond }: LossCells, pitch: number): LossLaw {
  const mass = new Float64Array(p.length + 1);
  mass[0] = before.p;
  for (let at = 0; at < p.length; at += 1) {
    const [here, there] = [p[at] ?? 0, q[at] ?? 0];
    if (here === 0) continue;
    // low + high = p and low·e^(−l) + high·e^(−l − pitch) = q
    const exact = (here - there * Math.exp((first + at) * pitch)) / -Math.expm1(-pitch);
    const high = Math.min(here, Math.max(0, exact));
    mass[at] = (mass[at] ?? 0) + here - high;
    mass[at + 1] = (mass[at + 1] ?? 0) + high;
  }
  return { first, mass, told: beyond.p };
}

function convolved(a: LossLaw, b: LossLaw): LossLaw {
  const [long, short] = a.mass.length < b.mass.length ? [b.mass, a.mass] : [a.mass, b.mass];
  const mass = new Float64Array(long.length + short.length - 1);
  for (let at = 0; at < short.length; at += 1) {
    const share = short[at] as number;
    if (share === 0) continue;
    for (let place = 0; place < long.length; place += 1)
      mass[at + place] = (mass[at + place] as number) + share * (long[place] as number);
  }
  return { first: a.first + b.first, mass, told: a.told + b.told - a.told * b.told };
}

/** Without the ends that have no mass to speak of: the low end moves up, and the high end counts as told. */
function trimmed({ first, mass, told }: LossLaw, negligible: number): LossLaw {
  let [from, low] = [0, 0];
  while (from < mass.length - 1 && low + (mass[from] ?? 0) <= negligible) low += mass[from++] ?? 0;
  let [to, high] = [mass.length, 0];
  while (to > from + 1 && high + (mass[to - 1] ?? 0) <= negligible) high += mass[--to] ?? 0;
  const kept = mass.slice(from, to);
  kept[0] = (kept[0] ?? 0) + low;
  return { first: first + from, mass: kept, told: told + high };
}

/** δ(0), δ(pitch), … up to the largest loss: Σ mass·(1 − e^(ε − loss)) over the losses beyond ε, and what is told. */
export function profileOf({ first, mass, told }: LossLaw, pitch: number): Float64Array {
  const last = Math.max(0, first + mass.length - 1);
  const profile = new Float64Array(last + 1);
  const step = -Math.expm1(-pitch);
  let [beyond, gain] = [0, 0];
  for (let place = last; place >= 0; place -= 1) {
    profile[place] = Math.min(1, told + gain);
    beyond += mass[place - first] ?? 0;
    gain = gain * (1 - step) + step * beyond;
  }
  return profile;
}
