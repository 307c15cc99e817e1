import { sameBytes } from "../same-bytes.ts";
import { longestPassword } from "./check-new-password.ts";
import { preparePassword } from "./prepare-password.ts";
import { type Derive, mockVerifier, type ScramVerifier, scramKeys } from "./scram-verifier.ts";

/** The means by which passwords are checked. */
export interface PasswordHouse {
  readonly derive: Derive;
  /** Each check costs as many iterations, whatever it finds: no verifier may have more. */
  readonly iterations: number;
  /** The server's secret, 32 bytes, from which the verifiers of unknown names are made. */
  readonly secret: Uint8Array;
}

/** A text that no password is, so that a text that cannot be one is checked at the same cost. */
const none = "\u0000";

/**
 * Whether a password fits a verifier. The work is the same for a wrong password, a name that nobody has, and a person who has no password (`verifier` null):
 * `iterations` of PBKDF2 and one comparison of 32 bytes. A verifier with fewer is made up for.
 */
export async function passwordHolds(
  password: string,
  foldedName: string,
  verifier: ScramVerifier | null,
  { derive, iterations, secret }: PasswordHouse,
): Promise<boolean> {
  const checked = verifier ?? mockVerifier(foldedName, secret, iterations);
  const prepared = password.length <= 2 * longestPassword ? preparePassword(password) : null;
  const salted = await derive(prepared ?? none, checked.salt, checked.iterations);
  if (checked.iterations < iterations)
    await derive(prepared ?? none, checked.salt, iterations - checked.iterations);
  const fits = sameBytes(scramKeys(salted).storedKey, checked.storedKey);
  return fits && verifier !== null && prepared !== null;
}
