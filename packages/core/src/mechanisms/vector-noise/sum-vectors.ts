import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { bigintAt } from "../../numeric/elements/element-at.ts";
import type { Rational } from "../../numeric/rational.ts";
import type { Sensitivity } from "../mechanism.ts";
import { type ClipSet, clip, sensitivityOfClipped } from "./clip.ts";
import { type NotFinite, quantizeVector } from "./quantize.ts";

/** One vector a unit, and what it is moved into before it counts. */
export interface VectorSum {
  readonly dimension: number;
  readonly clip: ClipSet;
  readonly adjacency: Adjacency;
}

/** A sum that has not been released: integers, and how far one unit can move them. */
export interface BoundedSum {
  readonly total: readonly bigint[];
  readonly sensitivity: Sensitivity;
}

/**
 * The sum of one clipped integer vector per unit, exact and in any order the same.
 * Errors: parameter.invalid for a vector of another length.
 * @example sumVectors([[1n, 0n], [5n, 5n]], { dimension: 2, clip: { norm: "l1", bound: 2n }, adjacency: "add-or-remove-one" })
 * // => { total: [2n, 1n], sensitivity: { l1: 2n, l2Squared: 4n } }
 */
export function sumVectors(contributions: Iterable<readonly bigint[]>, rule: VectorSum): BoundedSum {
  const sensitivity = sensitivityOfClipped(rule.clip, rule.dimension, rule.adjacency);
  const total = new Array<bigint>(rule.dimension).fill(0n);
  for (const contribution of contributions) {
    if (contribution.length !== rule.dimension) {
      throw invalidParameter("vector's length", contribution.length, `the dimension ${rule.dimension}`);
    }
    clip(contribution, rule.clip).forEach((x, i) => {
      total[i] = bigintAt(total, i) + x;
    });
  }
  return { total, sensitivity };
}

/**
 * The same for real vectors: each is rounded to the grid of this step, then clipped on the grid (in this order: what is
 * clipped last is what the sensitivity is about).
 * Errors: as {@link sumVectors} and `quantize`.
 */
export function sumRealVectors(
  contributions: Iterable<ArrayLike<number>>,
  rule: VectorSum & { readonly step: Rational; readonly notFinite: NotFinite },
): BoundedSum {
  return sumVectors(quantized(contributions, rule), rule);
}

function* quantized(
  contributions: Iterable<ArrayLike<number>>,
  { step, notFinite }: { readonly step: Rational; readonly notFinite: NotFinite },
): Generator<readonly bigint[]> {
  for (const vector of contributions) yield quantizeVector(vector, step, notFinite);
}
