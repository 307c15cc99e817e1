import { doubleAt, elementAt } from "../../numeric/elements/element-at.ts";
import { heightWeights } from "./consistent-counts.ts";
import type { CellTree } from "./noisy-cells.ts";

/** `count` nodes whose noise has this weight. */
export interface WeightClass {
  readonly weight: number;
  readonly count: number;
}

/**
 * The weights that the noise of every node has in (rows in the first `before` cells) − share·(all rows), both from the
 * consistent counts of each subtree below the root: O(height² · 3) classes, as nodes off the path to the boundary weigh
 * what their height says.
 * Source: derived in ./quantile-tree.proof.md.
 * Direction: exact (to double precision).
 * @example shareNoise({ branching: 2, height: 1 }, 1, 0.5) // => [{ weight: 0.5, count: 1 }, { weight: -0.5, count: 1 }]
 */
export function shareNoise(
  { branching: b, height }: CellTree,
  before: number,
  share: number,
): readonly WeightClass[] {
  // The list is by height, from 1.
  const weights = Array.from({ length: height }, (_, l) => heightWeights(b, l + 1));
  const classes: WeightClass[] = [];
  const add = (weight: number, count: number): void => {
    if (count > 0 && weight !== 0) classes.push({ weight, count });
  };
  /** `count` best estimates of nodes of one height from themselves and all below them. */
  const subtrees = (coefficient: number, at: number, count: number): void => {
    let [passed, nodes] = [coefficient, count];
    for (let l = at; l >= 1; l -= 1) {
      const { own, children } = elementAt(weights, l - 1);
      add(passed * own, nodes);
      passed *= children;
      nodes *= b;
    }
  };
  const inTop = b ** (height - 1);
  const top = Math.floor(before / inTop);
  subtrees(1 - share, height, Math.min(top, b));
  subtrees(-share, height, b - 1 - top);
  if (top === b) return classes;

  // The path to the boundary from the top down, and the share of each of its nodes that lies before the boundary.
  const digits: number[] = [];
  for (let l = height - 1, rest = before - top * inTop; l >= 1; l -= 1) {
    const size = b ** (l - 1);
    digits.push(Math.floor(rest / size));
    rest %= size;
  }
  const parts = new Float64Array(height);
  for (let at = height - 2; at >= 0; at -= 1)
    parts[at] = (elementAt(digits, at) + doubleAt(parts, at + 1)) / b;
  let weight = doubleAt(parts, 0) - share;
  for (let at = 0; at < height; at += 1) {
    const { own, children } = elementAt(weights, height - at - 1);
    add(weight * own, 1);
    if (at === height - 1) break;
    const passed = weight * children;
    const [part, digit] = [doubleAt(parts, at), elementAt(digits, at)];
    subtrees(1 - part + passed, height - at - 1, digit);
    subtrees(passed - part, height - at - 1, b - 1 - digit);
    weight = doubleAt(parts, at + 1) - part + passed;
  }
  return classes;
}
