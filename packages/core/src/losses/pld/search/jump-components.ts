import { elementAt } from "../../../numeric/elements/element-at.ts";
import type { GridLaw } from "../law/grid-law.ts";
import { leakageFor } from "../tilt/leakage.ts";
import type { Component, TiltPlan } from "../tilt/tilt-plan.ts";
import type { End } from "../transform/bracket-end.ts";
import { type ComposedLaw, composeLaws } from "../transform/composed-law.ts";

interface CountedLaw {
  readonly law: GridLaw;
  readonly count: number;
}

interface SplitLaw {
  readonly below: GridLaw;
  readonly above: GridLaw;
  /** The masses of losses above the cap. */
  readonly beyond: Float64Array;
  readonly count: number;
}

const unit = Number.EPSILON / 2;

/**
 * The sum of the laws as the sum over all numbers of jumps, each composed by itself under its own tilt: Π (B + J)^n is
 * Σ C(n, j)·B^{n − j}·J^j (pld.proof.md, "Jumps"). `lost` is what of δ may be lost to the ends of all windows. Null where a window
 * would hold too many points.
 */
export function composeByJumps(
  laws: readonly CountedLaw[],
  end: End,
  plan: TiltPlan,
  lost: number,
  margin: number,
): ComposedLaw | null {
  const parts = laws.map(({ law, count }) => ({ ...split(law, plan), count }));
  const share = lost / plan.components.length;
  const composed: { readonly ways: number; readonly law: ComposedLaw }[] = [];
  for (const component of plan.components) {
    const law = composeLaws({
      laws: lawsOf(parts, component),
      ...{ end, tilt: component.saddle.tilt, margin },
      leakage: leakageFor(share, component, plan.epsilon),
    });
    if (law === null) return null;
    composed.push({ ways: waysOf(parts, component, end), law });
  }
  const more = end === "upper" ? massOfMoreJumps(parts, plan.mostJumps) + massBeyond(parts) : 0;
  return {
    size: Math.max(...composed.map(({ law }) => law.size)),
    finitePart: (epsilon) => {
      let sum = more;
      for (const { ways, law } of composed) sum += ways * law.finitePart(epsilon);
      // Of up to a few hundred terms, each rounded twice.
      return sum * (end === "upper" ? 1 + 1e-13 : 1 - 1e-13);
    },
  };
}

function lawsOf(parts: readonly SplitLaw[], { jumps }: Component): CountedLaw[] {
  return parts
    .flatMap(({ below, above, count }, i) => {
      const jumping = elementAt(jumps, i);
      return [
        { law: below, count: count - jumping },
        { law: above, count: jumping },
      ];
    })
    .filter(({ count }) => count > 0);
}

/** The number of ways to choose the copies that jump, rounded outward. */
function waysOf(parts: readonly SplitLaw[], { jumps }: Component, end: End): number {
  let [ways, factors] = [1, 0];
  for (const [i, { count }] of parts.entries()) {
    const jumping = elementAt(jumps, i);
    for (let j = 0; j < jumping; j++) {
      ways *= (count - j) / (j + 1);
      factors += 3;
    }
  }
  return ways * (end === "upper" ? 1 + 2 * factors * unit : 1 - 2 * factors * unit);
}

/** At least the mass of all sums with more jumps: there are (Σ n·p)^m/m! sets of m = `most` + 1 copies that jump, by a union bound. */
function massOfMoreJumps(parts: readonly SplitLaw[], most: number): number {
  let [rate, copies, logMass] = [0, 0, 0];
  for (const { below, above, count } of parts) {
    const jumping = total(above.mass);
    logMass += count * Math.max(0, Math.log(total(below.mass) + jumping) + 4 * unit);
    if (!(jumping > 0)) continue;
    rate += count * jumping;
    copies += count;
  }
  if (copies <= most) return 0;
  let log = logMass + (most + 1) * Math.log(rate);
  for (let m = 2; m <= most + 1; m++) log -= Math.log(m);
  return Math.exp(log + 1e-9);
}

/** At least the mass of all sums with a loss above the cap. */
function massBeyond(parts: readonly SplitLaw[]): number {
  let [rate, logMass] = [0, 0];
  for (const { below, above, beyond, count } of parts) {
    const rare = total(beyond);
    rate += count * rare;
    logMass += count * Math.max(0, Math.log(total(below.mass) + total(above.mass) + rare) + 4 * unit);
  }
  return rate > 0 ? rate * Math.exp(logMass + 1e-9) : 0;
}

/** Losses up to the cut, those from there to the cap, and those above. */
function split(law: GridLaw, { cut, cap }: TiltPlan): Omit<SplitLaw, "count"> {
  const { pitch, widest, offset, first, mass } = law;
  const placeOf = (loss: number): number =>
    loss === Number.POSITIVE_INFINITY
      ? mass.length
      : Math.max(0, Math.min(mass.length, Math.floor((loss - offset) / pitch) - first + 1));
  // The upper end moves masses up by a cell at the most.
  const end = placeOf(cap + widest);
  const jumps = Math.min(placeOf(cut), end);
  return {
    below: { ...law, mass: mass.subarray(0, jumps) },
    above: { ...law, first: first + jumps, mass: mass.subarray(jumps, end) },
    beyond: mass.subarray(end),
  };
}

/** At least the sum: of n positive terms it is within n·u of them. */
function total(masses: Float64Array): number {
  let sum = 0;
  for (const mass of masses) sum += mass;
  return sum * (1 + 2 * (masses.length + 4) * unit);
}
