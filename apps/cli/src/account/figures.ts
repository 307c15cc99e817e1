import type { Bounds, PrivacyCurve, RepresentationId } from "@lethe/core/accounting";
import type { Figure, Line, Point } from "../plot/figure.ts";
import type { EpsilonAt } from "./question.ts";
import { everyRepresentation, representationNames } from "./representation-names.ts";
import { shown } from "./shown-number.ts";
import type { Subject } from "./subject.ts";

const deltaPoints = 25;
const tradeoffPoints = 41;
const growthPoints = 20;
/** The most lines that can be told apart on one panel. */
const mostLines = 4;
/** A representation whose ε is more than this many times the least would flatten the other curves, and is not drawn. */
const worthDrawing = 3;

/** The point at which the curves are marked: the δ, and the ε that is claimed there. */
export interface Marked extends EpsilonAt {
  readonly epsilon: number;
}

/** A representation that is drawn, and the curve of the subject under it. */
interface Drawn {
  readonly representation: RepresentationId;
  readonly curve: PrivacyCurve;
}

/** Returns ε against δ, the trade-off curve, and ε against the number of runs, under the representations that have a theorem. */
export function figuresOf(subject: Subject, at: Marked): readonly Figure[] {
  const drawn = drawnRepresentations(subject, at.delta);
  return [epsilonOfDelta(at, drawn), tradeoff(at, drawn), growth(subject, at, drawn)];
}

/** Returns the representations that give a finite ε, the tightest first; of several with the same ε, the first in the usual order. */
function drawnRepresentations({ whole }: Subject, delta: number): readonly Drawn[] {
  const answers = everyRepresentation.flatMap((representation) => {
    const curve = whole.by(representation);
    if (curve === null) return [];
    const { upper } = curve.epsilon(delta);
    return upper < Number.POSITIVE_INFINITY ? [{ representation, curve, upper }] : [];
  });
  const unlike = answers.filter(
    ({ upper }, i) => !answers.slice(0, i).some((before) => Math.abs(before.upper - upper) <= 1e-6 * upper),
  );
  const tightest = Math.min(...unlike.map(({ upper }) => upper));
  return unlike
    .filter(({ upper }) => upper <= worthDrawing * tightest)
    .sort((x, y) => x.upper - y.upper)
    .slice(0, mostLines);
}

/** Returns one line of a figure, which is two-sided as soon as a lower end above the trivial one is proven. */
function lineOf(representation: RepresentationId, points: readonly Point[]): Line {
  const isTwoSided = points.some(({ lower }) => lower > 0);
  return { name: representationNames[representation], kind: isTwoSided ? "interval" : "bound", points };
}

const pointAt = (x: number, { lower, upper }: Bounds): Point => ({ x, lower, upper });

function epsilonOfDelta({ delta, said, epsilon }: Marked, drawn: readonly Drawn[]): Figure {
  // Six powers of ten to each side of the δ asked for, within what δ usually is.
  const high = Math.min(Math.max(0.1, delta), delta * 1e6);
  const low = Math.max(1e-30, high * 1e-12);
  const deltas = spread(deltaPoints, (share) => low * (high / low) ** share);
  const lines = drawn.map(({ representation, curve }) =>
    lineOf(
      representation,
      deltas.map((x) => pointAt(x, curve.epsilon(x))),
    ),
  );
  return {
    id: "epsilon-of-delta",
    title: "Privacy profile",
    x: { label: "δ", scale: "log" },
    y: { label: "ε", scale: "linear" },
    lines,
    mark: { x: delta, y: epsilon, text: `ε = ${shown(epsilon, "up", 4)} at δ = ${said}` },
  };
}

function tradeoff({ delta, epsilon }: Marked, [tightest]: readonly Drawn[]): Figure {
  // Closer together near 0 and 1, where the curve is steep and flat.
  const alphas = spread(tradeoffPoints, (share) => share * share * (3 - 2 * share));
  const reference = (name: string, xs: readonly number[], f: (alpha: number) => number): Line => ({
    name,
    kind: "reference",
    points: xs.map((x) => ({ x, lower: f(x), upper: f(x) })),
  });
  const claims = ({ representation, curve }: Drawn): readonly Line[] => {
    const corners = [0, (1 - delta) / (1 + Math.exp(epsilon)), 1 - delta, 1];
    return [
      {
        name: representationNames[representation],
        kind: "interval",
        points: alphas.map((x) => pointAt(x, curve.tradeoff(x))),
      },
      reference("(ε, δ) at that point alone", corners, (alpha) => ofPair(alpha, epsilon, delta)),
    ];
  };
  return {
    id: "tradeoff",
    title: "Trade-off of the best attack",
    x: { label: "false alarms, type I error", scale: "linear" },
    y: { label: "misses, type II error", scale: "linear" },
    lines: [
      ...(tightest === undefined ? [] : claims(tightest)),
      reference("guessing", [0, 1], (alpha) => 1 - alpha),
    ],
    mark: null,
  };
}

/** Returns the least type II error that (ε, δ)-DP alone allows a test: Wasserman & Zhou 2010; Kairouz, Oh & Viswanath 2015, Thm 2.1. */
function ofPair(alpha: number, epsilon: number, delta: number): number {
  return Math.max(0, 1 - delta - Math.exp(epsilon) * alpha, Math.exp(-epsilon) * (1 - delta - alpha));
}

function growth(
  { growth: { of, count, at } }: Subject,
  { delta, said, epsilon }: Marked,
  drawn: readonly Drawn[],
): Figure {
  const furthest = count < 2n ? 16 : 1.5 * Number(count);
  const rounded = spread(growthPoints, (share) => Math.max(1, Math.round(furthest * share)));
  const accounts = [...new Set(rounded)].map((runs) => ({ runs, account: at(BigInt(runs)) }));
  const lines = drawn.map(({ representation }) =>
    lineOf(
      representation,
      accounts.flatMap(({ runs, account }) => {
        const curve = account.by(representation);
        return curve === null ? [] : [pointAt(runs, curve.epsilon(delta))];
      }),
    ),
  );
  return {
    id: "growth",
    title: "Growth of the loss",
    x: { label: of, scale: "linear" },
    y: { label: `ε at δ = ${said}`, scale: "linear" },
    lines,
    mark: { x: Number(count), y: epsilon, text: counted(count, of) },
  };
}

function counted(count: bigint, of: string): string {
  return `${count.toLocaleString("en")} ${count === 1n ? of.replace(/s$/, "") : of}`;
}

function spread(count: number, at: (share: number) => number): readonly number[] {
  return Array.from({ length: count }, (_, i) => at(i / (count - 1)));
}
