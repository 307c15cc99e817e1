import { type Principal, signedOut } from "../../access/index.ts";
import { proveByScram, type ScramCredentials, type ScramMeans } from "../passwords/prove-by-scram.ts";
import type { TokenRecord } from "../person.ts";
import type { SignInHouse } from "../sign-in.ts";
import { heldToken, principalBy } from "./check-token.ts";
import { tokenIterations } from "./issue-token.ts";
import { idOfTokenUser } from "./token-text.ts";

/** Somebody who proved a token. */
export interface ProvedToken {
  readonly who: Principal;
  /** What the token is found by from then on: see `principalOfProved`. */
  readonly token: Pick<TokenRecord, "id" | "hash">;
  readonly serverFinal: string;
}

/**
 * Signs somebody in by SCRAM with a token: its public beginning is the user's name, and the whole of it is the password, which is never sent. A token that is unknown, wrong, expired, revoked, made before
 * there were such proofs, or of a disabled person meets the same steps and the same text, and counts towards the delays of `signIn`.
 * Errors: serve.too-many while a delay lasts; serve.protocol; serve.signed-out.
 */
export async function signInByToken(
  house: SignInHouse,
  credentials: ScramCredentials,
  means: ScramMeans,
): Promise<ProvedToken> {
  const held = await heldToken(house.store, idOfTokenUser(credentials.name));
  const hash = held.record?.hash ?? "";
  const check = {
    verifier: held.record?.verifier ?? null,
    iterations: tokenIterations,
    who: (at: number) => principalBy(held, hash, at),
    refusal: signedOut,
  };
  const { who, serverFinal } = await proveByScram(house, credentials, check, means);
  return { who, token: { id: held.record?.id ?? "", hash }, serverFinal };
}
