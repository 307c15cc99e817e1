import { invalidParameter } from "../../../errors/lethe-error.ts";
import { divideUp } from "../../../numeric/directed.ts";
import { doubleAt } from "../../../numeric/elements/element-at.ts";
import { discretePair } from "./discrete-pair.ts";
import type { DominatingPair } from "./dominating-pair.ts";
import { quadratureRule } from "./quadrature.ts";

/** Noise on one integer. */
export type IntegerNoise =
  /** P[Z = z] ∝ exp(−|z|/scale). */
  | { readonly law: "discrete-laplace"; readonly scale: number }
  /** P[Z = z] ∝ exp(−z²/(2·sigma²)). */
  | { readonly law: "discrete-gaussian"; readonly sigma: number }
  /** Φ((z + ½)/sigma) − Φ((z − ½)/sigma). */
  | { readonly law: "rounded-gaussian"; readonly sigma: number };

const mostAtoms = 1 << 20;

/**
 * An integer with noise Z against the same integer less `shift` ≥ 1: shift + Z against Z. All three laws are log-concave, so this
 * dominates every smaller shift. Priced from the mass function of Z itself, never by the continuous formula.
 * Errors: parameter.invalid unless the parameter is positive and finite, shift a whole number from 1, and the atoms ≤ 2^20.
 * Source: mass functions; monotone in the shift for log-concave noise
 * Direction: exact
 * @example integerNoisePair({ law: "discrete-laplace", scale: 10 }, 1) // randomized response with ε = 1/10
 */
export function integerNoisePair(noise: IntegerNoise, shift: number): DominatingPair {
  if (!(Number.isInteger(shift) && shift >= 1 && shift <= mostAtoms)) {
    throw invalidParameter("shift", shift, `a whole number from 1 to ${mostAtoms}`);
  }
  const { name, parameter, emitted, isRoundedNormal } = priced(noise);
  if (!(parameter > 0 && parameter < Number.POSITIVE_INFINITY))
    throw invalidParameter(name, parameter, "positive and finite");
  const { atoms, tail } = emitted(shift);
  const pair = discretePair({
    id: `${noise.law}(${parameter},${shift})`,
    tight: true,
    atoms,
    infiniteP: 0,
    infiniteQ: 0,
    ...(tail > 0 ? { tails: { pLow: tail, qLow: tail, pHigh: tail, qHigh: tail } } : {}),
    group: (k) => (shift * k <= mostAtoms ? integerNoisePair(noise, shift * k) : null),
  });
  return isRoundedNormal ? { ...pair, gaussianAtMost: divideUp(shift, parameter) } : pair;
}

/** The parts that a pair of one law is made of. */
interface PricedLaw {
  readonly name: "scale" | "sigma";
  readonly parameter: number;
  /** Whether the noise is post-processing of one Gaussian: rounding is, the discrete Gaussian is none. */
  readonly isRoundedNormal: boolean;
  emitted(shift: number): Emitted;
}

type LawOf<L extends IntegerNoise["law"]> = Extract<IntegerNoise, { readonly law: L }>;

const laws: { readonly [L in IntegerNoise["law"]]: (noise: LawOf<L>) => PricedLaw } = {
  "discrete-laplace": ({ scale }) => ({
    name: "scale",
    parameter: scale,
    isRoundedNormal: false,
    emitted: (shift) => laplaceAtoms(scale, shift),
  }),
  "discrete-gaussian": ({ sigma }) => ({
    name: "sigma",
    parameter: sigma,
    isRoundedNormal: false,
    emitted: (shift) => gaussianAtoms(true, sigma, shift),
  }),
  "rounded-gaussian": ({ sigma }) => ({
    name: "sigma",
    parameter: sigma,
    isRoundedNormal: true,
    emitted: (shift) => gaussianAtoms(false, sigma, shift),
  }),
};

function priced(noise: IntegerNoise): PricedLaw {
  return laws[noise.law](noise as never);
}

interface Emitted {
  readonly atoms: { readonly loss: Float64Array; readonly p: Float64Array; readonly q: Float64Array };
  /** An upper bound of what is left out on each side. */
  readonly tail: number;
}

/** Returns the atoms of discrete Laplace noise: all z ≤ 0 have the loss −shift/scale, all z ≥ shift have shift/scale, and z between has (2z − shift)/scale. */
function laplaceAtoms(scale: number, shift: number): Emitted {
  if (!(shift / scale <= 600)) throw invalidParameter("shift", shift, "at most 600·scale");
  const p = new Float64Array(shift + 1);
  const tanh = Math.tanh(0.5 / scale);
  for (let z = 0; z <= shift; z++) {
    const decay = Math.exp(-(shift - z) / scale);
    p[z] = z === 0 || z === shift ? decay / (1 + Math.exp(-1 / scale)) : tanh * decay;
  }
  const loss = Float64Array.from(p, (_, z) => (2 * z - shift) / scale);
  return { atoms: { loss, p, q: p.slice().reverse() }, tail: 0 };
}

/** Returns the atoms of a Gaussian on the lattice of integers, or of a rounded one. */
function gaussianAtoms(lattice: boolean, sigma: number, shift: number): Emitted {
  if (!(shift <= 20 * sigma)) throw invalidParameter("shift", shift, "at most 20·sigma");
  // Beyond 36 deviations on its own side a law is not emitted: z rounds what is beyond z − ½. What the other has there is its tail, 16 deviations from its centre or more.
  const half = lattice ? 1 : 0.5;
  const reach = Math.floor(36 * sigma + 1 - half);
  const from = shift - reach;
  const count = 2 * reach - shift + 1;
  if (!(count <= mostAtoms)) throw invalidParameter("sigma", sigma, "at most 14,000 (2^20 atoms)");
  const mass = lattice
    ? (z: number): number => Math.exp(-0.5 * (z / sigma) ** 2)
    : (z: number): number => roundedMass(z, sigma);
  const total = lattice ? thetaSum(sigma) : 1;
  const q = new Float64Array(count);
  const p = new Float64Array(count);
  const loss = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const z = from + i;
    q[i] = mass(z) / total;
    if (lattice) {
      loss[i] = ((2 * z - shift) * (shift / sigma)) / (2 * sigma);
      // In two factors, so that neither leaves the doubles.
      p[i] = doubleAt(q, i) * Math.exp(0.5 * doubleAt(loss, i)) * Math.exp(0.5 * doubleAt(loss, i));
    } else {
      p[i] = mass(z - shift);
      loss[i] = Math.log(doubleAt(p, i) / doubleAt(q, i));
    }
  }
  return { atoms: { loss, p, q }, tail: Math.exp(-0.5 * ((reach + half - shift) / sigma) ** 2) };
}

/** Σ e^{−z²/(2σ²)} over ℤ; from σ = 1 by Poisson's summation formula, σ√τ·Σ e^{−2π²σ²k²}. */
function thetaSum(sigma: number): number {
  const dual = sigma >= 1;
  const rate = dual ? 2 * (Math.PI * sigma) ** 2 : 0.5 / (sigma * sigma);
  let total = 1;
  for (let k = 12; k >= 1; k--) total += 2 * Math.exp(-rate * k * k);
  return dual ? total * sigma * Math.sqrt(2 * Math.PI) : total;
}

/** Φ((z + ½)/σ) − Φ((z − ½)/σ) without cancellation, by quadrature of the density on panels. */
function roundedMass(z: number, sigma: number): number {
  const center = Math.abs(z);
  const left = (center - 0.5) / sigma;
  const width = 1 / sigma;
  const growth = Math.abs(left) + width + 5;
  const panels = Math.ceil(growth * width);
  const rule = quadratureRule((growth * width) / panels);
  let total = 0;
  for (let panel = 0; panel < panels; panel++) {
    for (let i = 0; i < rule.length; i += 2) {
      const x = left + (width / panels) * (panel + doubleAt(rule, i + 1));
      total += doubleAt(rule, i) * Math.exp(-0.5 * x * x);
    }
  }
  return (total * width) / panels / Math.sqrt(2 * Math.PI);
}
