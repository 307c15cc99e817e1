import { elementAt } from "@lethe/core/numeric";
import type { WorkloadPlan } from "@lethe/query";
import type { Certificate } from "../release.ts";
import type { AnsweredRows } from "../rows/answered-rows.ts";
import type { PlannedAnswer } from "./workload.ts";

/** What leaves of a workload: an answer a question, in the order of the plans, and one certificate for all. JSON throughout. */
export interface WorkloadRelease {
  readonly version: 1;
  readonly answers: readonly AnsweredRows[];
  readonly certificate: WorkloadCertificate;
  /** Hex Ed25519 signature, by the ledger's key, of the certificate's canonical JSON. */
  readonly signature: string;
}

/** A {@link Certificate} of several plans, which were charged once: `charge` covers the composition of their events. */
export interface WorkloadCertificate extends Omit<Certificate, "plan" | "rowsHash" | "target" | "pilot"> {
  readonly workload: WorkloadPlan;
  /** Hex sha256 of the canonical JSON of the answers. */
  readonly answersHash: string;
}

/** Returns each answer beside its plan, as a release of its own holds them. */
export function plannedAnswers({
  answers,
  certificate: { workload },
}: Pick<WorkloadRelease, "answers" | "certificate">): readonly PlannedAnswer[] {
  return answers.map((answer, at) => ({
    ...answer,
    certificate: { plan: elementAt(workload.plans, at) },
  }));
}
