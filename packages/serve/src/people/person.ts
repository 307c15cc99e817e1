import type { Rational } from "@lethe/core";
import type { Role } from "../access/index.ts";
import type { ScramVerifier } from "./passwords/scram-verifier.ts";

/** A token as it is kept. The token itself is shown once and kept nowhere. */
export interface TokenRecord {
  /** The public part, 16 hexadecimal digits: names the token in lists, and finds it. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the whole token, hexadecimal. */
  readonly hash: string;
  /** What is needed to check a proof of it by SCRAM, and nothing that it could be found by sooner than by the hash. Null for a token that was made before there were such proofs. */
  readonly verifier: ScramVerifier | null;
  /** Roles of the person that it carries. One that the person has lost does not hold. */
  readonly roles: readonly Role[];
  /** The most ε that one question asked with it may cost, or null for what the policy allows. */
  readonly maxEpsilon: Rational | null;
  /** Both in milliseconds since 1970. There is no moment of the last use: it would be a write for each request. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A name at an identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** One who may be let in. People are disabled and never removed: a name that came to mean another would inherit releases, charges and caps. */
export interface Person {
  /** The principal that the ledger charges. */
  readonly name: string;
  readonly roles: readonly Role[];
  readonly disabled: boolean;
  /** The projects that the person works on, as a note: who may ask under the caps of a project stands in the policy's budget, and the ledger holds to that. */
  readonly projects: readonly string[];
  readonly password: ScramVerifier | null;
  readonly tokens: readonly TokenRecord[];
  readonly identities: readonly Identity[];
  readonly createdAt: number;
  /** Rises when every session of the person must end; a session holds for the generation in which it began. */
  readonly generation: number;
}
