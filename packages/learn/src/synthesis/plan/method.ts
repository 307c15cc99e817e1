import type { Rational } from "@lethe/core";
import type { SessionMeasure } from "@lethe/core/mechanisms";
import type { Measured, RowLaw } from "../sampling/index.ts";
import type { MarginalSource } from "../source/index.ts";
import type { Shape } from "./shape.ts";
import type { Stage } from "./stage.ts";
import type { SynthesisPlan } from "./synthesis-plan.ts";
import type { Work } from "./work.ts";

/** What is public of a synthesis of two attributes or more when its stages are planned. */
export interface Parts extends Shape {
  readonly measure: SessionMeasure;
  /** Of the session: all stages take their parts of it. */
  readonly total: Rational;
  /** How far a unit moves a table, squared. */
  readonly l2Squared: bigint;
}

/** A round that is over: its number from 0, the table that it measured, and the share of the rounds' part that is spent. All of it is public. */
export interface SynthesisRound {
  readonly round: number;
  readonly attributes: readonly number[];
  readonly spent: number;
}

/** A way to choose what is measured, and what is made of it. Each has a folder, and a line in `methods`. */
export interface Method {
  /** Returns the bytes that a run may need whatever the answers. */
  leastBytes(shape: Shape): number;
  /** Divides the total; what the stages take, whatever the answers, is at most all of it. */
  stages(parts: Parts): readonly Stage[];
  /** Asks what the stages say, within the source's total. Errors: those of the source. */
  measure(
    plan: SynthesisPlan,
    source: MarginalSource,
    progress?: (round: SynthesisRound) => void,
  ): Promise<Measured>;
  /** Returns the work of measuring and fitting. */
  work(plan: Shape & Pick<SynthesisPlan, "stages" | "modelBytes">): Work;
  /** Returns the work of drawing so many rows. */
  drawing(plan: Shape & Pick<SynthesisPlan, "stages">, rows: number): Work;
  /** Fits a law to what was measured, over merged values: the same for everyone, and at no charge. */
  law(measured: Measured, target: number | null): RowLaw;
}
