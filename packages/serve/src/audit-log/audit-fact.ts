import type { ErrorCode } from "@lethe/core";
import type { Route } from "../access/index.ts";

/** How somebody proved who they are, without what proves it. */
export type ProvedBy = "password" | "provider" | "session" | "token" | "command-line";

/** The one who did it. `name` is null where nobody was signed in. A token or a session is named by its public id. */
export interface Actor {
  readonly name: string | null;
  readonly by: ProvedBy | null;
  readonly id: string | null;
  readonly address: string | null;
}

/**
 * A fact that is written down. None has a duration, a question's text, a parameter, a row, a number that an answer holds, a password or a token: a type has no place for
 * them. A name that somebody typed to sign in is written only where a person has it, since people type passwords there.
 */
export type AuditFact =
  | { readonly kind: "signed-in"; readonly by: ProvedBy }
  | { readonly kind: "sign-in-refused"; readonly person: string | null; readonly code: ErrorCode }
  | { readonly kind: "signed-out" }
  | { readonly kind: "denied"; readonly route: Route | null; readonly code: ErrorCode }
  /** See {@link AskedFact}. */
  | AskedFact
  /** The object of somebody else, or of the whole service, that an owner or an auditor was shown. */
  | {
      readonly kind: "read";
      readonly route: Route;
      readonly person: string | null;
      readonly request: string | null;
    }
  | {
      readonly kind: "person-changed";
      readonly person: string;
      readonly change:
        | "added"
        | "roles"
        | "projects"
        | "disabled"
        | "enabled"
        | "identities"
        | "password"
        | "sessions-ended";
      readonly roles?: readonly string[];
    }
  | { readonly kind: "token-created" | "token-revoked"; readonly person: string; readonly token: string }
  /** An answer of a person that was offered to a name, whether anybody has it or not. */
  | { readonly kind: "offered"; readonly request: string; readonly person: string; readonly to: string }
  /** See {@link ReceivedFact}. */
  | ReceivedFact
  | { readonly kind: "session-revoked"; readonly person: string; readonly session: string }
  /** The hashes of the two policies. What of it is on record is the ledger's to tell. */
  | { readonly kind: "policy-changed"; readonly from: string; readonly to: string }
  | { readonly kind: "started" | "stopped"; readonly version: string }
  /** The further times that a fact came within one window, of which the first was written. Nothing of them is kept beside their number. */
  | { readonly kind: "counted"; readonly fact: CountedFact; readonly more: number; readonly since: number };

/**
 * A question that somebody asked. It is written before the question is executed, or where nothing is: so neither what it says nor when it was written follows from private rows. Whether the
 * execution went well is the ledger's to tell.
 */
export interface AskedFact {
  readonly kind: "asked";
  /** Null where none was named and nothing was charged. */
  readonly request: string | null;
  /** SHA-256 of the question's text, hexadecimal: who has a text can find who asked it. */
  readonly question: string;
  /** The sequence of the charge's record in the ledger; null where nothing was charged. */
  readonly ledger: number | null;
  /**
   * Resumed: under a charge of before. Repeated: given again for nothing, or together with the same request in flight; which of the two would tell when an execution ended. A code: refused, and not charged.
   */
  readonly outcome: "charged" | "resumed" | "repeated" | ErrorCode;
}

/** An answer of another that somebody received, or was refused. It was released before, so that nothing in it follows from private rows. */
export interface ReceivedFact {
  readonly kind: "received";
  readonly request: string;
  /** Whose request was answered. */
  readonly person: string;
  /** The sequence of the record that charged the receiver's caps; null where nothing was charged. */
  readonly ledger: number | null;
  readonly outcome: "charged" | "repeated" | ErrorCode;
}

/** A fact that somebody may cause as often as they like: see `AuditTrail.count`. */
export type CountedFact = Extract<
  AuditFact,
  { kind: "asked" | "denied" | "read" | "received" | "sign-in-refused" }
>;

/** A fact, with who did it and when. */
export interface AuditRecord {
  /** Milliseconds since 1970, by the service's clock. It orders nothing: the sequence does. */
  readonly at: number;
  readonly actor: Actor;
  readonly fact: AuditFact;
}
