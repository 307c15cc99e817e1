import { doubleAt, elementAt } from "../../../numeric/elements/element-at.ts";
import { logMassOf, type StepLaw, splitStepLaw, thinned } from "../law/step-law.ts";
import { type Repeated, saddleForEpsilon } from "./saddle.ts";
import type { Component, TiltPlan } from "./tilt-plan.ts";

/** Losses below that share of ε are seen as a few, those above one by one: cuts lie among these. */
const small = 1 / 40;
const fewPoints = 60;
/** Cuts as shares of ε, from an eighth to twice. */
const cuts = Array.from({ length: 9 }, (_, i) => 2 ** (i / 2 - 3));
const mostKinds = 3;
const mostJumps = 4;
/** More jumps than a plan counts must have less than e^−16 of what its components have. */
const forgotten = -16;

/** For each of several cuts, the components of all numbers of jumps that count. */
export function* jumpPlans(steps: readonly Repeated[], epsilon: number): Generator<Omit<TiltPlan, "cap">> {
  const coarse = steps.map(({ law, count }) => ({ law: around(law, epsilon), count }));
  for (const share of cuts) {
    const plan = planOfCut(coarse, epsilon, between(coarse, share * epsilon));
    if (plan !== null) yield plan;
  }
}

/** The law with its small losses thinned. */
function around(law: StepLaw, epsilon: number): StepLaw {
  const { below, above } = splitStepLaw(law, small * epsilon);
  const few = thinned(below, fewPoints);
  return {
    losses: Float64Array.of(...few.losses, ...above.losses),
    logMasses: Float64Array.of(...few.logMasses, ...above.logMasses),
  };
}

/** Half way between the losses next to it, of the step that jumps most often: there a plan and what it is about agree best. */
function between(steps: readonly Repeated[], cut: number): number {
  const { law } = steps.reduce((a, b) => (b.count > a.count ? b : a));
  const at = law.losses.findIndex((loss) => loss > cut);
  return at > 0 ? (doubleAt(law.losses, at) + doubleAt(law.losses, at - 1)) / 2 : cut;
}

function planOfCut(steps: readonly Repeated[], epsilon: number, cut: number): Omit<TiltPlan, "cap"> | null {
  const parts = steps.map(({ law, count }) => ({ ...splitStepLaw(law, cut), count }));
  const jumping = parts.filter(({ above }) => above.losses.length > 0);
  if (jumping.length === 0 || jumping.length > mostKinds) return null;
  const rate = jumping.reduce((sum, { above, count }) => sum + count * Math.exp(logMassOf(above)), 0);
  const copies = jumping.reduce((sum, { count }) => sum + count, 0);
  const components: Component[] = [];
  let best = Number.NEGATIVE_INFINITY;
  let logMore = 0;
  for (let total = 0; total <= mostJumps; total++) {
    for (const jumps of numbersOfJumps(parts, total)) {
      const pieces = parts.flatMap(({ below, above, count }, i) => {
        const jumping = elementAt(jumps, i);
        return [
          { law: below, count: count - jumping },
          { law: above, count: jumping },
        ];
      });
      const used = pieces.filter(({ count }) => count > 0);
      if (used.some(({ law }) => law.losses.length === 0)) continue;
      const saddle = saddleForEpsilon(used, epsilon);
      const logWays = jumps.reduce((sum, j, i) => sum + logChoose(elementAt(parts, i).count, j), 0);
      components.push({ jumps, logWays, saddle });
      best = Math.max(best, logWays + saddle.logDelta);
    }
    logMore += Math.log(rate) - Math.log(total + 1);
    if (total >= copies || (components.length > 0 && logMore < best + forgotten)) {
      return planOfComponents(components, epsilon, cut, total);
    }
  }
  return null;
}

function planOfComponents(
  all: readonly Component[],
  epsilon: number,
  cut: number,
  mostOfThem: number,
): Omit<TiltPlan, "cap"> | null {
  if (all.length === 0) return null;
  const size = ({ logWays, saddle }: Component): number => logWays + saddle.logDelta;
  const most = Math.max(...all.map(size));
  const heavy = all.filter((component) => size(component) > most - 3);
  return {
    ...{ epsilon, cut, components: all, mostJumps: mostOfThem },
    deviation: epsilon / 8,
    // Of jumps alone δ falls as a power of ε.
    tilt: Math.max(20 / epsilon, ...heavy.map(({ saddle }) => saddle.tilt)),
    logDelta: most,
  };
}

/** All ways to spread a number of jumps over the steps that have some. */
function* numbersOfJumps(
  parts: readonly { readonly above: { readonly losses: Float64Array }; readonly count: number }[],
  total: number,
): Generator<number[]> {
  const [first, ...rest] = parts;
  if (first === undefined) {
    if (total === 0) yield [];
    return;
  }
  const most = first.above.losses.length === 0 ? 0 : Math.min(total, first.count);
  for (let own = 0; own <= most; own++) {
    for (const others of numbersOfJumps(rest, total - own)) yield [own, ...others];
  }
}

function logChoose(n: number, k: number): number {
  let log = 0;
  for (let i = 0; i < k; i++) log += Math.log((n - i) / (i + 1));
  return log;
}
