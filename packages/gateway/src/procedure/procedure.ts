import type { Event, PrivacyLossText } from "@lethe/core";
import type { Draws } from "@lethe/core/mechanisms";
import type { Charge } from "@lethe/ledger";
import type { Certificate } from "../release.ts";

/**
 * A private computation of many steps, such as the training of a model, whose whole record is known before a row is read. `run` draws through
 * mechanisms alone, needs proof of the payment, and gives plain JSON.
 */
export interface Procedure<T> {
  /** Names the form of the plan, for verify. */
  readonly kind: string;
  /** The words under which the ledger shows the charge, and a part of what the request id is bound to. */
  readonly title: string;
  /** Plain JSON: all that is public, from which the record can be derived again. */
  readonly plan: ProcedurePlan;
  /** The tables whose rows are read. */
  readonly tables: readonly string[];
  /** What is run, where the record that is charged is a bound of it: the odds of the release are those of this. */
  readonly ran?: Event;
  /** Sees to it that the data can be read at all, before the charge. Errors: engine.*. */
  readonly prepare?: () => Promise<void>;
  readonly run: (paid: Charge, draws: Draws) => Promise<T>;
}

export interface ProcedurePlan {
  /** The record of all steps together. */
  readonly event: Event;
}

/** Who asks, under which id, at which δ. */
export interface ProcedureRequest {
  readonly principal: string;
  readonly requestId: string;
  /** The project that it is asked for: one that the policy states. */
  readonly project?: string | undefined;
  /** The price that the record may have, in the account's measure. */
  readonly price: PrivacyLossText;
}

/** What leaves of a procedure: its result and a certificate. JSON throughout. */
export interface ProcedureRelease<T = unknown> {
  readonly version: 1;
  readonly result: T;
  readonly certificate: ProcedureCertificate;
  /** Hex Ed25519 signature, by the ledger's key, of the certificate's canonical JSON. */
  readonly signature: string;
}

/** A {@link Certificate} of a procedure: its plan stands where a question's stands. */
export interface ProcedureCertificate
  extends Omit<Certificate, "plan" | "rowsHash" | "confidence" | "target" | "pilot"> {
  readonly procedure: {
    readonly version: 1;
    readonly kind: string;
    readonly policyHash: string;
    readonly plan: ProcedurePlan;
    readonly price: PrivacyLossText;
  };
  /** Hex sha256 of the canonical JSON of the result. */
  readonly resultHash: string;
}
