import type { Event, PrivacyLossText } from "@lethe/core";
import type { Certificate } from "../format/release.ts";

/** The release of a computation of many steps that was charged as one, as it stands in a file. */
export interface ProcedureRelease<Plan extends ProcedurePlan = ProcedurePlan, Result = unknown> {
  readonly version: 1;
  readonly result: Result;
  readonly certificate: ProcedureCertificate<Plan>;
  readonly signature: string;
}

export interface ProcedureCertificate<Plan extends ProcedurePlan = ProcedurePlan>
  extends Omit<Certificate, "plan" | "rowsHash" | "confidence" | "target" | "pilot"> {
  readonly procedure: {
    readonly version: 1;
    readonly kind: string;
    readonly policyHash: string;
    readonly plan: Plan;
    readonly price: PrivacyLossText;
  };
  readonly resultHash: string;
}

/** What every plan of a procedure has; the rest is as its kind says. */
export interface ProcedurePlan {
  readonly event: Event;
}

/** The release of a procedure as it was read. */
export interface ReadProcedure {
  readonly release: ProcedureRelease;
  /** The certificate as it stands in the text. */
  readonly signed: unknown;
}
