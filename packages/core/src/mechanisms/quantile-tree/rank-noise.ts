import { invalidParameter } from "../../errors/lethe-error.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { parseRational, type Rational, toDouble } from "../../numeric/rational.ts";
import { checkAlpha } from "../geometric/laplace-error-bound.ts";
import type { Noise } from "../noise.ts";
import { heightWeights } from "./consistent-counts.ts";

/** The size of the noise Σ wᵢ·Zᵢ in one estimate. */
export interface RankNoise {
  /** Σ wᵢ². */
  readonly squares: number;
  /** max |wᵢ|, or a little more. */
  readonly largest: number;
}

/** The shape of a tree, which its estimates depend on. */
interface TreeOfNoise {
  readonly branching: number;
  readonly height: number;
  /** Whether the root's count is exact. */
  readonly known: boolean;
}

/**
 * The noise in the estimated number of rows in the first `before` leaves (0 to branching^height), from {@link consistentCounts}: O(height ·
 * branching), because below a node that lies on one side of the boundary all weights follow from the node's own.
 * Source: derived in ./quantile-tree.proof.md.
 * Direction: upper (rounded).
 */
export function rankNoise({ branching: b, height, known }: TreeOfNoise, before: number): RankNoise {
  const leaves = b ** height;
  // By height: weights, variance of the best estimate from below, and its largest weight, at unit noise.
  const at: { own: number; children: number; variance: number; largest: number }[] = [];
  for (let l = 1; l <= height + 1; l += 1) {
    const { own, children } = heightWeights(b, l);
    const below = at.at(-1);
    at.push({
      own,
      children,
      variance: own * own + children * children * b * (below?.variance ?? 0),
      largest: Math.max(own, children * (below?.largest ?? 0)),
    });
  }
  // The boundary's digits from the leaves up, and the share of each node on its path that lies before it.
  const whole = before === leaves;
  const digits: number[] = [];
  const shares: number[] = [0];
  for (let i = 0, rest = whole ? 0 : before; i < height; i += 1, rest = Math.floor(rest / b)) {
    digits.push(rest % b);
    shares.push(((rest % b) + elementAt(shares, i)) / b);
  }
  let weight = known ? 0 : whole ? 1 : elementAt(shares, height);
  let [squares, largest] = [0, 0];
  const add = (variance: number, most: number, by: number): void => {
    squares += by * by * variance;
    largest = Math.max(largest, Math.abs(by) * most);
  };
  if (whole) {
    const { variance, largest: most } = elementAt(at, height);
    add(variance, most, weight);
  } else {
    for (let l = height; l >= 1; l -= 1) {
      const node = elementAt(at, l); // of height l + 1
      add(node.own * node.own, node.own, weight);
      const passed = weight * node.children;
      const below = elementAt(at, l - 1);
      const digit = elementAt(digits, l - 1);
      const [share, shareBelow] = [elementAt(shares, l), elementAt(shares, l - 1)];
      for (let child = 0; child < b; child += 1) {
        if (child !== digit) add(below.variance, below.largest, (child < digit ? 1 : 0) - share + passed);
      }
      weight = shareBelow - share + passed;
    }
    add(1, 1, weight);
  }
  return { squares: squares * (1 + 1e-9), largest: largest * (1 + 1e-9) };
}

/** An r from ln(2/alpha), the noise of the estimate and the number of noisy nodes. */
type Chernoff<M extends Noise["mechanism"]> = (
  noise: Extract<Noise, { mechanism: M }>,
  logs: number,
  estimate: RankNoise,
  nodes: number,
) => number;

const bounds: { readonly [M in Noise["mechanism"]]: Chernoff<M> } = {
  "constant@1": () => 0,
  "discrete-laplace@1": ({ scale }, logs, { squares, largest }) => {
    const s = toDouble(parseRational(scale), "up");
    const base = Math.sinh(0.5 / s);
    // Any u in (0, 1/s) gives a bound; the best is found by thirds.
    const bound = (u: number): number => {
      const log = -Math.log1p(-((Math.sinh(u / 2) / base) ** 2));
      return (largest * (logs + (squares / largest ** 2) * log)) / u;
    };
    let [low, high] = [0, 1 / s];
    for (let i = 0; i < 80; i += 1) {
      const [a, c] = [low + (high - low) / 3, high - (high - low) / 3];
      if (bound(a) <= bound(c)) high = c;
      else low = a;
    }
    return bound(low > 0 ? low : high);
  },
  "rounded-gaussian@1": ({ sigma }, logs, { squares }, nodes) => {
    const square = toDouble(parseRational(sigma), "up") ** 2;
    const damped = Math.exp(-2 * Math.PI ** 2 * square);
    const rounding = nodes * Math.log1p((2 * damped) / (1 - damped ** 3));
    return 2 * Math.sqrt(squares * (square / 2 + 1 / 24) * (logs + rounding));
  },
  "discrete-gaussian@1": ({ sigmaSquared }, logs, { squares }) =>
    Math.sqrt(2 * squares * toDouble(parseRational(sigmaSquared), "up") * logs),
};

/**
 * An r with P[|Σ wᵢ·Zᵢ| > r] ≤ alpha, from the moment generating functions of the noises that are drawn (Chernoff). Above the true
 * quantile by about a third at alpha = 0.05, less at smaller ones.
 * Source: Chernoff 1952; for the discrete Gaussian Canonne, Kamath & Steinke 2020, Lemma 6; derived in ./quantile-tree.proof.md.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 < alpha < 1 and the noise is a known one.
 */
export function rankErrorBound(noise: Noise, estimate: RankNoise, nodes: number, alpha: Rational): number {
  checkAlpha(alpha);
  if (!Object.hasOwn(bounds, noise.mechanism)) {
    throw invalidParameter("noise", noise.mechanism, `one of ${Object.keys(bounds).join(", ")}`);
  }
  if (!(estimate.largest > 0)) return 0;
  const logs = Math.LN2 - Math.log(toDouble(alpha, "down"));
  return (bounds[noise.mechanism] as Chernoff<Noise["mechanism"]>)(noise, logs, estimate, nodes) * (1 + 1e-9);
}
