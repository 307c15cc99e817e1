import type { Rational } from "@lethe/core";
import type { Role } from "./role.ts";

/** How a request proved whose it is: by a token, whose limits it keeps, or by a session that a person opened. */
export type Proof =
  | { readonly kind: "session"; readonly session: string }
  | {
      readonly kind: "token";
      readonly token: string;
      /** The most ε that one question may cost, or null for what the policy allows. */
      readonly maxEpsilon: Rational | null;
      /** Milliseconds since 1970. */
      readonly expiresAt: number;
    };

/** The sender of a request, as proved. `name` is the principal that the ledger charges. */
export interface Principal {
  readonly name: string;
  /** The roles that hold for this request: those of the person, and of the token where there is one. */
  readonly roles: readonly Role[];
  readonly projects: readonly string[];
  readonly proof: Proof;
  /** The address that the request comes from, for the audit log; left out where it comes from no network. */
  readonly address?: string;
}
