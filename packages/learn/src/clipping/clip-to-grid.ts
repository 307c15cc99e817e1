import { elementAt } from "@lethe/core/numeric";
import { type ClipShares, checkClip, groupLimit, isCertified, mostSquared, unitScale } from "./clip-scale.ts";
import { gridBits } from "./clipped-gradients.ts";
import { squaredNorm } from "./squared-norm.ts";
import { type GradientPart, partLength, type UnitGradient } from "./unit-gradient.ts";

/** One unit's gradient on the grid. */
export interface GridVector {
  /** Integers v with Σ v² ≤ 2^40: the gradient, clipped, is about v·C·2^-20. */
  readonly integers: Float64Array;
  readonly unclipped: boolean;
}

/**
 * Clips a unit's gradient to norm C and cuts it to integers on the grid of C·2^-20: the definition that kernels reproduce, integer by integer.
 * Every |v| ≤ 2^20 is checked before it is squared, Σ v² ≤ 2^40 is added up in integers, and a unit that fails either counts 0, as does one whose norm
 * is not finite. Proof: ./clipped-sum.proof.md
 * Errors: parameter.invalid for a clip outside 2^-64 … 2^64.
 * @example clipToGrid([{ kind: "dense", group: 0, values: Float32Array.of(3, 4) }], 1, flat).integers // => 629145, 838860
 */
export function clipToGrid(gradient: UnitGradient, clip: number, shares: ClipShares): GridVector {
  checkClip(clip);
  const norms = new Float64Array(shares.length);
  for (const part of gradient) norms[part.group] = (norms[part.group] ?? 0) + partSquaredNorm(part);
  const { scales, unclipped } = unitScale(norms, clip, shares);
  const integers = new Float64Array(gradient.reduce((length, part) => length + partLength(part), 0));
  if (scales === null) return { integers, unclipped };
  const sizes = new Float64Array(shares.length);
  let at = 0;
  for (const part of gradient) {
    const scale = scales[part.group] ?? 0;
    sizes[part.group] = (sizes[part.group] ?? 0) + scaledSquaredNorm(part, scale);
    for (const value of scaledParts(part, scale)) integers[at++] = Math.trunc(value);
  }
  const holds =
    shares.every((share, group) => isCertified(sizes[group] ?? Number.NaN, share)) &&
    fitsGrid(gradient, integers, shares);
  return { integers: holds ? integers : integers.fill(0), unclipped };
}

/** Σ g². Of an outer product it is ‖x‖²·‖d‖² without rounding, and the bias adds ‖d‖². */
function partSquaredNorm(part: GradientPart): number {
  return part.kind === "dense" ? squaredNorm(part.values) : (squaredNorm(part.x) + 1) * squaredNorm(part.d);
}

/** The same of the scaled part, from the very factors that are multiplied. */
function scaledSquaredNorm(part: GradientPart, scale: number): number {
  return part.kind === "dense"
    ? squaredNorm(part.values) * scale * scale
    : (squaredNorm(part.x) + 1) * squaredNorm(scaled(part.d, scale));
}

const scaled = (x: Float32Array, scale: number): Float32Array => x.map((value) => Math.fround(value * scale));

function* scaledParts(part: GradientPart, scale: number): Iterable<number> {
  if (part.kind === "dense") yield* scaled(part.values, scale);
  else {
    const d = scaled(part.d, scale);
    for (const x of part.x) for (const value of d) yield Math.fround(x * value);
    yield* d;
  }
}

/** Whether all are at most 2^20 in size, and then whether the squares of each group and of all add up to what is allowed. */
function fitsGrid(gradient: UnitGradient, integers: Float64Array, shares: ClipShares): boolean {
  const most = 2 ** gridBits;
  if (!integers.every((v) => v >= -most && v <= most)) return false;
  const sums = shares.map(() => 0n);
  let at = 0;
  for (const part of gradient) {
    let sum = elementAt(sums, part.group);
    for (const end = at + partLength(part); at < end; at += 1) sum += BigInt(integers[at] ?? 0) ** 2n;
    sums[part.group] = sum;
  }
  const within = sums.every((sum, group) => sum <= BigInt(Math.floor(groupLimit(elementAt(shares, group)))));
  return within && sums.reduce((total, sum) => total + sum, 0n) <= BigInt(mostSquared);
}
