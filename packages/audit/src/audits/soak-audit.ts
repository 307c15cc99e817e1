import { binomialAtLeast } from "../estimate/binomial-tail.ts";
import { clopperPearson } from "../estimate/clopper-pearson.ts";
import { brokenAt, closeness, estimate } from "../estimate/estimate.ts";
import { seedOfRound } from "../estimate/estimate-in-rounds.ts";
import { type KnownBad, seenInSamples } from "../known-bad/known-bad.ts";
import { knownBad } from "../known-bad/registry.ts";
import type { CoreSubject } from "../subjects/core-subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import { type AuditRequest, quickRequest } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";
import { controlRounds } from "./control-rounds.ts";
import { estimateAlarm } from "./false-alarms.ts";
import { impossibleAudit } from "./impossible-audit.ts";

/** Outputs drawn of each neighbour for each seed. */
const samples = 2_000;
/** The chance that any statement of power in a soak is too high. */
const powerDoubt = 0.01;
/** What power a control must be caught with. */
const powerWanted = 0.9999;
/** A false alarm that would be seen often, were it exceeded. */
const loud = 0.05;

export interface SoakRequest extends Pick<AuditRequest, "draws" | "falseAlarm"> {
  readonly first: number;
  readonly seeds: number;
  /** Seconds of this process's work so far. */
  readonly spent: () => number;
}

/** One row of a soak; `progress` is told how many seeds are done. */
export interface SoakStep {
  readonly audit: string;
  readonly subject: string;
  make(progress?: (seeds: number) => void): AuditRow | Promise<AuditRow>;
}

/**
 * Every mechanism over many fresh seeds, each seed judged as a run of the audit is: none may be flagged. Every control likewise: how often
 * a single round catches it, and what that says of all rounds. Impossible outputs are asked for once, over `draws` of each.
 */
export function soakSteps(request: SoakRequest): readonly SoakStep[] {
  const impossible = impossibleAudit.steps({ ...quickRequest, ...request, seed: request.first });
  return [
    ...impossible.map((step) => ({ audit: "impossible", ...step })),
    ...coreSubjects.map((each) => mechanismStep(each, request)),
    ...knownBad.filter(seenInSamples).map((each) => controlStep(each, request)),
  ];
}

/** One mechanism over all seeds. */
export function mechanismStep({ id, subject }: CoreSubject, request: SoakRequest): SoakStep {
  const { first, seeds } = request;
  const falseAlarm = estimateAlarm(request);
  return {
    audit: "estimate",
    subject: id,
    make(progress = () => undefined) {
      const made = subject();
      let [flagged, loudly, most, claimed] = [0, 0, 0, 0];
      let finding: string | null = null;
      for (let at = 0; at < seeds; at += 1) {
        progress(at);
        const found = estimate(made, { seed: first + at, samples, falseAlarm });
        if (found.broken) {
          flagged += 1;
          finding ??= `seed ${first + at} says that it loses more than it claims: ${found.worst.event}`;
        }
        if (brokenAt(made, found, loud)) loudly += 1;
        if (at === 0 || closeness(found.worst) > closeness({ epsilon: most, claimed })) {
          [most, claimed] = [found.worst.epsilon, found.worst.claimed];
        }
      }
      if (finding === null && binomialAtLeast(loudly, seeds, loud).hi <= falseAlarm) {
        finding = `flagged too often at a false alarm of ${loud}: ${loudly} of ${seeds}`;
      }
      return {
        audit: "estimate",
        subject: id,
        of: "lethe",
        finding,
        claim: made.claim.text,
        measured: `flagged on ${flagged} of ${seeds} seeds, on ${loudly} at a false alarm of 5 %; at most ε ≥ ${most.toFixed(3)}, where ${claimed.toFixed(3)} is claimed`,
        interval: [most, Number.POSITIVE_INFINITY],
        ceiling: claimed,
        how: `${samples.toLocaleString("en")} outputs of each neighbour a seed, at a false alarm of ${request.falseAlarm} a seed over all mechanisms`,
      };
    },
  };
}

/** One control, a single round a seed. */
export function controlStep(control: KnownBad, request: SoakRequest): SoakStep {
  const { first, seeds, spent } = request;
  const { rounds } = controlRounds;
  const falseAlarm = estimateAlarm(request) / rounds;
  return {
    audit: "estimate",
    subject: control.id,
    make(progress = () => undefined) {
      const made = control.subject();
      let [caught, slowest] = [0, 0];
      let [least, claimed, event] = [0, 0, ""];
      for (let at = 0; at < seeds; at += 1) {
        progress(at);
        const before = spent();
        const found = estimate(made, {
          seed: seedOfRound(first + at, 1),
          samples: controlRounds.samples,
          falseAlarm,
        });
        slowest = Math.max(slowest, spent() - before);
        if (found.broken) caught += 1;
        if (at === 0 || closeness(found.worst) < closeness({ epsilon: least, claimed })) {
          [least, claimed, event] = [found.worst.epsilon, found.worst.claimed, found.worst.event];
        }
      }
      const power = powerOf(caught, seeds, rounds);
      return {
        audit: "estimate",
        subject: control.id,
        of: "control",
        finding: power.hi < powerWanted ? null : `loses more than it claims: ${event}`,
        claim: made.claim.text,
        measured: `caught in ${caught} of ${seeds} rounds; of ${rounds} rounds one catches with chance ≥ ${shown(power.lo)}; at least ε ≥ ${least.toFixed(3)}, where ${claimed.toFixed(3)} is claimed`,
        interval: [least, Number.POSITIVE_INFINITY],
        ceiling: claimed,
        how: `${controlRounds.samples.toLocaleString("en")} outputs of each neighbour a round, at most ${slowest.toFixed(2)} s of work; Clopper–Pearson, in doubt by ${powerDoubt} for all controls`,
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
  const missed = clopperPearson(tried - caught, tried, powerDoubt / knownBad.length);
  return { lo: 1 - missed.hi ** rounds, hi: 1 - missed.lo ** rounds };
}

/** Rounded down: 99.99 % is said where it is reached. */
function shown(power: number): string {
  return `${(Math.floor(power * 1e8) / 1e6).toFixed(6)} %`;
}
