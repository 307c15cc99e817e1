import { gaussianFromBoundedRange } from "../../conversions/gaussian/bounded-range-to-gaussian.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter, LetheError } from "../../errors/lethe-error.ts";
import type { Event, EventOf } from "../../events/event.ts";
import { type Exact, unseal } from "../../exact/exact.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { addAt } from "../../numeric/elements/element-at.ts";
import { type IntegerInput, integerOf, type RationalInput, rationalOf } from "../../numeric/exact-input.ts";
import {
  add,
  compare,
  divide,
  multiply,
  type Rational,
  ratio,
  subtract,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { exponential } from "../exponential/exponential.ts";
import type { Sensitivity } from "../mechanism.ts";
import { noiseSampler } from "../registry.ts";
import { contrastNoise, countsForContrasts } from "./contrast-noise.ts";
import { contrasts } from "./contrasts.ts";
import { type CellCounts, countAt, estimateGrid, type TableDistance } from "./distance-score.ts";
import { residualSensitivity } from "./residual-sensitivity.ts";

/** What a session's parts add up in: μ² of Gaussian DP, of which (ε, δ) is read exactly, or 2ρ of zCDP, which is less for selections. */
export type SessionMeasure = "gaussian-dp" | "zcdp";

/** All that is public of a session before it opens. Tables count rows of units that have at most `rowsPerUnit` of them, each row in at most one cell. */
export interface TableSessionSetting {
  readonly measure: SessionMeasure;
  /** The whole: μ² under Gaussian DP, 2ρ under zCDP, so that Gaussian noise costs Δ₂²/σ² in both. */
  readonly total: RationalInput;
  readonly adjacency: Adjacency;
  readonly rowsPerUnit: IntegerInput;
}

/** A table that may be chosen. It is scored by its distance from a public estimate: weight·(‖table − estimate‖₁ − allowance). */
export interface TableCandidate {
  readonly distance: Exact<TableDistance>;
  /** An integer from 1 to 2^20. */
  readonly weight: number;
  /** In rows: a distance that noise alone would give, or how much worse a table is to have. Public. */
  readonly allowance: number;
}

/** An opened, paid session: what it is asked for may follow from earlier answers. */
export interface TableSession {
  /** What is left of the total. Public. */
  readonly left: Rational;
  /**
   * Returns every cell plus its own rounded Gaussian noise, as doubles that are integers; `cells` is public.
   * Errors: mechanism.spent where the rest does not cover it; parameter.invalid unless σ > 0 and cells is an integer ≥ 1.
   */
  measure(
    table: Exact<CellCounts>,
    noise: { readonly sigma: RationalInput; readonly cells: number },
  ): Float64Array;
  /**
   * Returns the contrasts of a table's residual, the last axis fastest, each plus rounded Gaussian noise of its own, so that the residual that has them is noisy by σ
   * in every direction; cheaper than the table, of which it is a part. The shape is public.
   * Errors: mechanism.spent; parameter.invalid unless σ > 0 and the shape has one axis or more, each of 2 values or more.
   */
  measureResidual(
    table: Exact<CellCounts>,
    noise: { readonly sigma: RationalInput; readonly shape: readonly number[] },
  ): Float64Array;
  /**
   * Returns the index of a table that lies far from its estimate: the exponential mechanism of this ε on exact integer scores.
   * Errors: mechanism.spent; parameter.invalid for no candidates, or a broken weight, allowance or ε.
   */
  choose(candidates: readonly TableCandidate[], choice: { readonly epsilon: RationalInput }): number;
}

const mostWeight = 2 ** 20;
const mostAllowance = 2 ** 50;

/** How far one unit moves a table of counts: it adds at most r rows, replaced it also takes away as many. Errors: parameter.invalid. */
export function tableSensitivity(adjacency: Adjacency, rowsPerUnit: IntegerInput): Sensitivity {
  const rows = integerOf(rowsPerUnit, "rowsPerUnit");
  if (!(rows >= 1n)) throw invalidParameter("rowsPerUnit", rows, "an integer ≥ 1");
  const sides = { "add-or-remove-one": 1n, "replace-one": 2n }[adjacency];
  if (sides === undefined) throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
  return { l1: sides * rows, l2Squared: sides * rows * rows };
}

/** The part of a total that an exponential mechanism of this ε takes: (π/8)·ε² of μ², or ε²/4 of 2ρ. */
export const choiceCost: Readonly<Record<SessionMeasure, (epsilon: Rational) => Rational>> = {
  "gaussian-dp": gaussianFromBoundedRange,
  zcdp: (epsilon) => multiply(multiply(epsilon, epsilon), ratio(1n, 4n)),
};

/** The part of a total that one noisy table takes: Δ₂²/σ². Errors: parameter.invalid unless σ > 0. */
export function measurementCost(sigma: Rational, { l2Squared }: Pick<Sensitivity, "l2Squared">): Rational {
  if (!(compare(sigma, zero) > 0)) throw invalidParameter("sigma", toText(sigma), "> 0");
  return divide(ratio(l2Squared), multiply(sigma, sigma));
}

/** Returns the part of a total that one noisy residual takes: its squared sensitivity over σ². Errors: parameter.invalid. */
export function residualCost(
  sigma: Rational,
  { adjacency, rowsPerUnit }: Pick<TableSessionSetting, "adjacency" | "rowsPerUnit">,
  shape: readonly number[],
): Rational {
  return divide(residualSensitivity(adjacency, rowsPerUnit, shape), multiply(sigma, sigma));
}

/** The record of a whole session, whatever it is asked for. Errors: parameter.invalid. */
export function tableSessionEvent(setting: TableSessionSetting): EventOf<"gaussian-dp"> | EventOf<"zcdp"> {
  const { measure, total } = checked(setting);
  return {
    "gaussian-dp": {
      kind: "gaussian-dp",
      version: 1,
      muSquared: toText(total),
      of: "table-session",
    } as const,
    zcdp: {
      kind: "zcdp",
      version: 1,
      rho: toText(multiply(total, ratio(1n, 2n))),
      of: "table-session",
    } as const,
  }[measure] satisfies Event;
}

/**
 * Opens a session that was charged with {@link tableSessionEvent}: noisy tables and choices of tables, each picked in view of all earlier answers,
 * within a total that they cannot pass. What does not fit is refused before anything is drawn, by public numbers alone; nothing depends on the
 * data but the answers. Proof: ./table-session.proof.md
 * Source: McKenna, Miklau & Sheldon 2021 (arXiv 2108.04978); McKenna, Mullins, Sheldon & Miklau 2022 (arXiv 2201.12677); the filter: Smith &
 * Thakurta 2022 (arXiv 2210.17520) and Feldman & Zrnic 2021 (arXiv 2008.11193), Thm 4.5
 * Direction: exact (of a choice under Gaussian DP: upper).
 * Errors: parameter.invalid for a broken setting.
 * @example
 * const session = openTableSession({ measure: "gaussian-dp", total: "1/30", adjacency: "add-or-remove-one", rowsPerUnit: 1 }, bits);
 * session.measure(seal([40, 2]), { sigma: 20, cells: 2 }) // => Float64Array [31, -14], say
 */
export function openTableSession(setting: TableSessionSetting, bits: BitSource): TableSession {
  const { measure, total, sensitivity } = checked(setting);
  let spent = zero;
  const spend = (cost: Rational): void => {
    const after = add(spent, cost);
    if (!(compare(after, total) <= 0)) throw overspent(subtract(total, spent), cost);
    spent = after;
  };
  return {
    get left() {
      return subtract(total, spent);
    },
    measure(table, { sigma, cells }) {
      const exact = rationalOf(sigma, "sigma");
      const cost = measurementCost(exact, sensitivity);
      if (!(Number.isSafeInteger(cells) && cells >= 1))
        throw invalidParameter("cells", cells, "an integer ≥ 1");
      const sampler = noiseSampler({ mechanism: "rounded-gaussian@1", sigma: toText(exact) });
      const noisy = new Float64Array(cells);
      spend(cost);
      sampler.fill(noisy, bits);
      const counts = unseal(table);
      for (let cell = 0; cell < cells; cell++) addAt(noisy, cell, countAt(counts, cell));
      return noisy;
    },
    measureResidual(table, { sigma, shape }) {
      const exact = rationalOf(sigma, "sigma");
      if (!(compare(exact, zero) > 0)) throw invalidParameter("sigma", toText(exact), "> 0");
      const cost = residualCost(exact, setting, shape);
      const noisy = contrastNoise(exact, shape);
      spend(cost);
      return noisy(contrasts(shape, countsForContrasts(unseal(table), shape)), bits);
    },
    choose(candidates, choice) {
      const epsilon = rationalOf(choice.epsilon, "epsilon");
      if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
      if (candidates.length === 0) throw invalidParameter("candidates", "none", "at least one");
      const parts = candidates.map(publicPart);
      const most = parts.reduce((a, { weight }) => (a > weight ? a : weight), 1n);
      // A score moves by at most its weight for every row that moves, up or down: a difference of two by twice as much.
      const range = 2n * most * sensitivity.l1 * BigInt(estimateGrid);
      const mechanism = exponential({ rate: divide(epsilon, ratio(range)), range });
      spend(choiceCost[measure](epsilon));
      const scores = candidates.map(({ distance }, at) => {
        const { weight, allowance } = parts[at] ?? nothing;
        return weight * (unseal(distance).grid - allowance);
      });
      return mechanism.choose(scores, bits);
    },
  };
}

const nothing = { weight: 1n, allowance: 0n };

function publicPart({ weight, allowance }: TableCandidate): typeof nothing {
  if (!(Number.isInteger(weight) && weight >= 1 && weight <= mostWeight)) {
    throw invalidParameter("weight", weight, `an integer from 1 to ${mostWeight}`);
  }
  if (!(Math.abs(allowance) <= mostAllowance / estimateGrid)) {
    throw invalidParameter("allowance", allowance, "a number of rows");
  }
  return { weight: BigInt(weight), allowance: BigInt(Math.round(allowance * estimateGrid)) };
}

function checked({ measure, total, adjacency, rowsPerUnit }: TableSessionSetting) {
  if (!Object.hasOwn(choiceCost, measure)) throw invalidParameter("measure", measure, "gaussian-dp or zcdp");
  const whole = rationalOf(total, "total");
  if (!(compare(whole, zero) > 0)) throw invalidParameter("total", toText(whole), "> 0");
  return { measure, total: whole, sensitivity: tableSensitivity(adjacency, rowsPerUnit) };
}

function overspent(left: Rational, cost: Rational): LetheError {
  return new LetheError("mechanism.spent", "what is left of the session does not cover this answer", {
    fix: "ask with more noise or a smaller ε, or open another session at a new charge",
    fields: { left: toText(left), cost: toText(cost) },
  });
}
