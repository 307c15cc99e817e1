import type { Event, PrivacyLossText } from "@lethe/core";
import type { Plan } from "@lethe/query";
import type { Certificate, Release } from "./release.ts";

/** An answer of a workload: what a release holds beside its certificate. */
export type Answer = Pick<Release, "columns" | "rows" | "groupings" | "over" | "missing" | "notes">;

/** The release of several questions that were charged once, as it stands in a file. */
export interface WorkloadRelease {
  readonly version: 1;
  readonly answers: readonly Answer[];
  readonly certificate: WorkloadCertificate;
  readonly signature: string;
}

export interface WorkloadCertificate extends Omit<Certificate, "plan" | "rowsHash" | "target" | "pilot"> {
  readonly workload: {
    readonly version: 1;
    readonly plans: readonly Plan[];
    readonly event: Event;
    readonly price: PrivacyLossText;
  };
  readonly answersHash: string;
}

/** The release of a workload as it was read. */
export interface ReadWorkload {
  readonly release: WorkloadRelease;
  /** The certificate as it stands in the text. */
  readonly signed: unknown;
}
