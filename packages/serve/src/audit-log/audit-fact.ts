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
 * A fact that is written down. None has a question's text, a parameter, a row, a number that an answer holds, a password or a token: a type has no place for
 * them. A name that somebody typed to sign in is written only where a person has it, since people type passwords there.
 */
export type AuditFact =
  | { readonly kind: "signed-in"; readonly by: ProvedBy }
  | { readonly kind: "sign-in-refused"; readonly person: string | null; readonly code: ErrorCode }
  | { readonly kind: "signed-out" }
  | { readonly kind: "denied"; readonly route: Route | null; readonly code: ErrorCode }
  /** A charge is the ledger's to tell: `ledger` is the sequence of its record, or null where nothing was charged. */
  | {
      readonly kind: "asked";
      readonly request: string;
      readonly ledger: number | null;
      readonly outcome: "answered" | "repeated" | ErrorCode;
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
  | { readonly kind: "session-revoked"; readonly person: string; readonly session: string }
  | {
      readonly kind: "policy-changed";
      readonly from: string;
      readonly to: string;
      readonly ledger: number | null;
    }
  | { readonly kind: "started" | "stopped"; readonly version: string };

/** A fact, with who did it and when. */
export interface AuditRecord {
  /** Milliseconds since 1970, by the service's clock. It orders nothing: the sequence does. */
  readonly at: number;
  readonly actor: Actor;
  readonly fact: AuditFact;
}
