import type { TrainingDraws } from "@lethe/core/mechanisms";
import type { PrivatePlan } from "../plan/private-plan.ts";
import { type Checkpoint, train } from "../training/index.ts";
import { frozenDraws, moved } from "./frozen-draws.ts";
import { referenceGradients, type Unit } from "./reference-gradients.ts";

/** A training under a claim: right, or with a fault. */
export interface Subject {
  /** What it claims. */
  readonly plan: PrivatePlan;
  /** Runs it, and returns everything that it shows, in order. */
  run(units: readonly Unit[], draws: TrainingDraws): Promise<readonly unknown[]>;
}

/** The training of this house. */
export function trained(plan: PrivatePlan, start?: Checkpoint): Subject {
  return {
    plan,
    async run(units, draws) {
      const gradients = referenceGradients(units, plan.model.parameters, plan.model.layers);
      const begin = start ?? new Float64Array(plan.model.parameters);
      const optimizer = { kind: "sgd", rate: 0.5, momentum: 0.5 } as const;
      const shown: unknown[] = [];
      for await (const { step, weights, clip } of train(plan, gradients, draws, {
        charge: "c",
        start: begin,
        optimizer,
        keep: () => true,
      }))
        shown.push({ step, weights: [...weights], clip });
      return shown;
    },
  };
}

/**
 * Runs a subject on two neighbours with all outputs frozen, so that both see the same past, and says what of its claim did not hold: every draw must be asked alike, what is
 * shown must be the same, and what goes into the noise may move by no more than the claimed sensitivity, and only where the unit takes part. Empty where all held.
 */
export async function replayOnNeighbours(
  subject: Subject,
  [here, there]: readonly [readonly Unit[], readonly Unit[]],
  seed: number,
): Promise<readonly string[]> {
  const first = frozenDraws(seed);
  const shownHere = await subject.run(here, first.draws);
  const second = frozenDraws(seed, first.asked);
  const shownThere = await subject.run(there, second.draws);
  const [one, two] = [first.asked, second.asked];
  const findings: string[] = [];
  if (one.parts.join() !== two.parts.join()) findings.push("draws prepared with other parameters");
  if (one.released.length !== two.released.length) findings.push("another number of noisy vectors");
  if (JSON.stringify(shownHere) !== JSON.stringify(shownThere)) findings.push("other things shown");
  const most = Number(
    subject.plan.correlation === null ? subject.plan.sensitivity.l2Squared : `${stepSquared(subject.plan)}`,
  );
  const moves = one.released.map((release, step) => {
    const other = two.released[step];
    return other === undefined ? 0 : moved(release, other);
  });
  const bound =
    subject.plan.sampler.kind === "full" ||
    subject.plan.correlation !== null ||
    subject.plan.adjacency === "add-or-remove-one"
      ? most
      : 4 * most;
  if (moves.some((move) => move > bound)) findings.push("moved beyond the sensitivity");
  const takesPart = moves.flatMap((move, step) => (move > 0 ? [step] : []));
  const { sampler } = subject.plan;
  if (
    sampler.kind === "cyclic" &&
    takesPart.some((step, i) => i > 0 && step - (takesPart[i - 1] ?? 0) < sampler.bins)
  )
    findings.push("steps of a unit too close");
  if (
    sampler.kind === "balls-in-bins" &&
    new Set(takesPart.map((step) => Math.floor(step / sampler.bins))).size < takesPart.length
  )
    findings.push("a unit twice in a pass");
  return findings;
}

/** The squared move of one step under correlated noise. */
function stepSquared({ shape, adjacency }: PrivatePlan): number {
  return shape.layers * 2 ** 40 * (adjacency === "replace-one" ? 4 : 1);
}
