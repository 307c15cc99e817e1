import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import {
  add,
  compare,
  multiply,
  parseRational,
  type Rational,
  ratio,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { chooseByExp } from "../../samplers/choose-by-exp.ts";
import { uniformBelow } from "../../samplers/uniform-below.ts";
import { gapsBelowBest } from "../scores/scores.ts";
import type { Exponential } from "./exponential.ts";

/** A public grid on an interval of ℝ: the points low, low + step, …, low + (cells − 1)·step. Never derived from data. */
export interface IntervalGrid {
  readonly low: Rational;
  readonly step: Rational;
  readonly cells: bigint;
}

/** Neighbouring cells of one score. Pieces follow each other from the low end; empty ones (0 cells) are fine. */
export interface ScoredPiece {
  readonly cells: bigint;
  readonly score: bigint;
}

/**
 * The exponential mechanism over the points of a grid, where scores are the same on whole runs of cells: a piece with
 * probability exactly ∝ cells·e^{rate·score}, then one of its cells, each alike. So it is the finite mechanism on all cells, at
 * the work of the pieces; its event and price are those of `mechanism`. Proof: ./exponential.proof.md
 *
 * Source: Smith 2011; A §2.2 (over ℝᵈ with finite Z), on a public grid
 * Direction: exact
 *
 * Errors: parameter.invalid unless step > 0, cells ≥ 1 and the pieces' cells are ≥ 0 and add up to the grid's.
 */
export function chooseOnInterval(
  mechanism: Exponential,
  { low, step, cells }: IntervalGrid,
  pieces: readonly ScoredPiece[],
  bits: BitSource,
): Rational {
  if (!(compare(step, zero) > 0)) throw invalidParameter("step", toText(step), "> 0");
  if (!(cells >= 1n)) throw invalidParameter("cells", cells, "an integer ≥ 1");
  const filled = pieces.filter((piece) => piece.cells !== 0n);
  const covered = filled.reduce((total, piece) => total + piece.cells, 0n);
  if (!(filled.every((piece) => piece.cells > 0n) && covered === cells)) {
    throw invalidParameter("pieces", "others", "runs of ≥ 0 cells that add up to the grid's");
  }
  const chosen = chooseByExp({
    rate: parseRational(mechanism.parameters.rate),
    gaps: gapsBelowBest(filled.map((piece) => piece.score)),
    multiplicities: filled.map((piece) => piece.cells),
  }).draw(bits);
  const before = filled.slice(0, chosen).reduce((total, piece) => total + piece.cells, 0n);
  const cell = before + uniformBelow(elementAt(filled, chosen).cells, bits);
  return add(low, multiply(step, ratio(cell)));
}
