import type { AttackResult, Effort } from "../attacks/attack.ts";
import { type ReconstructionPoint, reconstructionCurve } from "../attacks/reconstruction.ts";
import { attacks } from "../attacks/registry.ts";
import type { Laboratory } from "../attacks/services/service.ts";
import { uniforms } from "../attacks/services/uniforms.ts";
import { fullRequest } from "./audit.ts";
import { attackAlarm } from "./false-alarms.ts";

const alpha = attackAlarm(fullRequest);

/** Half a minute. */
export const quickEffort: Effort = { trials: 48, controls: 512, questions: 200, alpha };
/** A few minutes. */
export const fullEffort: Effort = { trials: 400, controls: 1_000, questions: 2_000, alpha };
/** Five times as many trials. */
export const soakEffort: Effort = { trials: 2_000, controls: 5_000, questions: 2_000, alpha };

/** One attack, on every service that it is shown against. */
export interface AttackStep {
  readonly subject: string;
  /** `progress` is told how many services are done. */
  make(progress?: (done: number) => void): Promise<readonly AttackResult[]>;
}

/** Attacks on whole services. Unlike other audits it needs a database and a ledger, which whoever runs it wires. */
export const attackAudit = {
  id: "attacks",
  title: "attacks on services without proof, where they must succeed, and on Lethe, where ε limits them",
  /** How reconstruction grows with questions: for a drawing, with as many people as the effort has trials. */
  curve: (
    laboratory: Laboratory,
    effort: Effort,
    seed: number,
    counts: readonly number[],
  ): Promise<readonly ReconstructionPoint[]> =>
    reconstructionCurve(laboratory, effort, uniforms(seed), counts),
  /** Every attack in order. The seed is of the attackers' coins; Lethe's own are secret. */
  steps: (laboratory: Laboratory, effort: Effort, seed: number): readonly AttackStep[] =>
    attacks.map((attack) => ({
      subject: attack.id,
      make: (progress) => attack.run(laboratory, effort, uniforms(seed), progress),
    })),
} as const;
