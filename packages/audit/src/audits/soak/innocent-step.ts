import { invalidParameter } from "@lethe/core";
import { binomialAtLeast } from "../../estimate/binomial-tail.ts";
import { closeness } from "../../estimate/estimate.ts";
import type { SoakRequest, SoakStep } from "./soak-request.ts";

/** A false alarm that would be seen often, were it exceeded. */
export const loud = 0.05;

/** The result of one seed on a subject that is right. */
export interface Judged {
  /** The finding that a run of the audit would report; it must be null. */
  readonly finding: string | null;
  /** Whether it would be flagged at a {@link loud} false alarm. */
  readonly loudly: boolean;
  /** The measured number; `allowed` is the largest that is allowed. */
  readonly measured: number;
  readonly allowed: number;
}

/** A subject that is right, made when its turn comes. */
export interface Innocent {
  readonly claim: string;
  /** The way in which one seed is judged, in words. */
  readonly how: string;
  judge(seed: number): Judged;
  /** Says in words what all seeds came to, from the seed that says most. */
  shown(most: Judged): string;
}

/**
 * Returns the step of one subject over all seeds, each judged as a run of the audit is. No seed may flag the subject, and not too many may at a
 * louder false alarm.
 */
export function innocentStep(
  audit: string,
  subject: string,
  make: () => Innocent,
  { first, seeds, falseAlarm }: SoakRequest,
): SoakStep {
  return {
    audit,
    subject,
    make(progress = () => undefined) {
      const innocent = make();
      let [flagged, loudly] = [0, 0];
      let finding: string | null = null;
      let most: Judged | null = null;
      for (let at = 0; at < seeds; at += 1) {
        progress(at);
        const judged = innocent.judge(first + at);
        if (judged.finding !== null) {
          flagged += 1;
          finding ??= `seed ${first + at} says that it ${judged.finding}`;
        }
        if (judged.loudly) loudly += 1;
        if (most === null || says(judged) > says(most)) most = judged;
      }
      if (finding === null && binomialAtLeast(loudly, seeds, loud).hi <= falseAlarm) {
        finding = `flagged too often at a false alarm of ${loud}: ${loudly} of ${seeds}`;
      }
      if (most === null) throw invalidParameter("seeds", seeds, "at least 1");
      const { measured, allowed } = most;
      return {
        audit,
        subject,
        of: "lethe",
        finding,
        claim: innocent.claim,
        measured: `flagged on ${flagged} of ${seeds} seeds, on ${loudly} at a false alarm of 5 %; ${innocent.shown(most)}`,
        interval: [measured, Number.POSITIVE_INFINITY],
        ceiling: allowed,
        how: `${innocent.how} a seed, at a false alarm of ${falseAlarm.toExponential()} a seed over all mechanisms`,
      };
    },
  };
}

const says = ({ measured, allowed }: Judged): number => closeness({ epsilon: measured, claimed: allowed });
