import { proveByScram, type ScramCredentials, type ScramMeans } from "./passwords/prove-by-scram.ts";
import type { Person } from "./person.ts";
import { type SignInHouse, wrongSignIn } from "./sign-in.ts";

/**
 * Signs a person in by SCRAM, where the password itself is never sent, and returns the server's last words beside. A name that nobody has, a person without a password or disabled, and a wrong proof meet
 * the same steps and the same text, and count alike towards the delays of `signIn`. A verifier of another number of iterations than the service's own would tell that somebody has the name: it is not
 * used, so that its person must set the password anew.
 * Errors: serve.too-many while a delay lasts; serve.protocol; serve.sign-in.
 */
export async function signInByScram(
  house: SignInHouse,
  credentials: ScramCredentials,
  means: ScramMeans,
): Promise<{ readonly person: Person; readonly serverFinal: string }> {
  const person = await house.store.byName(credentials.name);
  const { iterations } = house.passwords;
  const own = person?.password?.iterations === iterations ? person.password : null;
  const who = (): Person | null => (person?.disabled ? null : person);
  const check = { verifier: own, iterations, who, refusal: wrongSignIn };
  const { who: found, serverFinal } = await proveByScram(house, credentials, check, means);
  return { person: found, serverFinal };
}
