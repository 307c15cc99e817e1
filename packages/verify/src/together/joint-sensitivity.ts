import { elementAt } from "@lethe/core/numeric";
import type { Measurement, Plan } from "@lethe/query";
import { type Distance, farthestOf, isRowBounded } from "../derive/sensitivity.ts";
import { type UnitVector, unitVectors } from "./unit-vectors.ts";

/**
 * Returns the sensitivity of measurements that have one noise together, as one vector over measurements and groups: the largest norm of a corner of what
 * a unit can add, or of a difference of two. Shares no code with the planner. Errors: RangeError when the plan contradicts itself.
 */
export function deriveJointSensitivity(measurements: readonly Measurement[], plan: Plan): Distance {
  const vectors = unitVectors(measurements, plan);
  const distance = (norm: Norm): bigint =>
    farthestOf({ appear: longest(vectors, norm), change: widest(vectors, norm) }, isRowBounded(plan), plan);
  return { l1: distance(absolute), l2Squared: distance(squared) };
}

type Norm = (x: bigint) => bigint;
const absolute: Norm = (x) => (x < 0n ? -x : x);
const squared: Norm = (x) => x * x;

function longest(vectors: readonly UnitVector[], norm: Norm): bigint {
  return vectors.reduce((most, vector) => {
    const length = vector.reduce((total, x) => total + norm(x), 0n);
    return length > most ? length : most;
  }, 0n);
}

function widest(vectors: readonly UnitVector[], norm: Norm): bigint {
  return vectors.reduce((most, from, at) => {
    const differences = vectors.slice(at + 1).map((to) => from.map((x, place) => x - elementAt(to, place)));
    const farthest = longest(differences, norm);
    return farthest > most ? farthest : most;
  }, 0n);
}
