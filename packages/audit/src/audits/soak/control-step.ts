import { invalidParameter } from "@lethe/core";
import { clopperPearson } from "../../estimate/clopper-pearson.ts";
import { closeness } from "../../estimate/estimate.ts";
import { knownBad } from "../../known-bad/registry.ts";
import { trainings } from "../../trainings/registry.ts";
import type { SoakRequest, SoakStep } from "./soak-request.ts";

/** The chance that any statement of power in a soak is too high. */
const powerDoubt = 0.01;
/** The least power with which a control must be caught. */
const powerWanted = 0.9999;

/** The result of one round on a subject that is wrong. */
export interface Round {
  readonly broken: boolean;
  readonly epsilon: number;
  readonly claimed: number;
  /** The fault that was found. */
  readonly finding: string;
}

/** A subject that is wrong, made when its turn comes. */
export interface Guilty {
  readonly claim: string;
  /** The number of independent rounds of a run of the audit, of which one that catches is enough. */
  readonly rounds: number;
  /** The work of a round, in words. */
  readonly how: string;
  /** Says in words what a round shows. */
  said(round: Round): string;
  /** Judges the subject in a single round. */
  judge(seed: number): Round;
}

/**
 * Returns the step of one control. Each seed is a single round; the step counts how often a round catches the control, and derives the power of all
 * rounds of a run.
 */
export function controlStep(
  audit: string,
  subject: string,
  make: () => Guilty,
  { first, seeds, spent }: SoakRequest,
): SoakStep {
  return {
    audit,
    subject,
    make(progress = () => undefined) {
      const { claim, rounds, how, said, judge } = make();
      let [caught, slowest] = [0, 0];
      let least: Round | null = null;
      for (let at = 0; at < seeds; at += 1) {
        progress(at);
        const before = spent();
        const round = judge(first + at);
        slowest = Math.max(slowest, spent() - before);
        if (round.broken) caught += 1;
        if (least === null || closeness(round) < closeness(least)) least = round;
      }
      const power = powerOf(caught, seeds, rounds);
      if (least === null) throw invalidParameter("seeds", seeds, "at least 1");
      const { epsilon, claimed, finding } = least;
      return {
        audit,
        subject,
        of: "control",
        finding: power.hi < powerWanted ? null : `loses more than it claims: ${finding}`,
        claim,
        measured: `caught in ${caught} of ${seeds} rounds; of ${rounds} rounds one catches with chance ≥ ${shown(power.lo)}; at least ${said(least)}`,
        interval: [epsilon, Number.POSITIVE_INFINITY],
        ceiling: claimed,
        how: `${how} a round, at most ${slowest.toFixed(2)} s of work; Clopper–Pearson, wrong with chance at most ${powerDoubt} over all controls`,
      };
    },
  };
}

/**
 * The chance that one of so many independent rounds catches a control, from how many single ones did: each end of the interval is wrong
 * with chance at most 1 %, over all controls.
 * @example powerOf(1000, 1000, 2).lo // => 0.99994…
 */
export function powerOf(
  caught: number,
  tried: number,
  rounds: number,
): { readonly lo: number; readonly hi: number } {
  const missed = clopperPearson(tried - caught, tried, powerDoubt / (knownBad.length + trainings.length));
  return { lo: 1 - missed.hi ** rounds, hi: 1 - missed.lo ** rounds };
}

/** Returns a power as text, rounded down: 99.99 % is said where it is reached. */
function shown(power: number): string {
  return `${(Math.floor(power * 1e8) / 1e6).toFixed(6)} %`;
}
