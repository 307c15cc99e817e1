import { tooMany } from "../limits/index.ts";
import { beginScram, type ScramOpening } from "./passwords/scram-exchange.ts";
import { mockVerifier } from "./passwords/scram-verifier.ts";
import type { Person } from "./person.ts";
import { foldName } from "./person-name.ts";
import { type RandomBytes, randomText } from "./random-bytes.ts";
import { type SignInHouse, wrongSignIn } from "./sign-in.ts";

/** Who wants to sign in by a proof of their password, and how the client is spoken to. */
export interface ScramCredentials {
  readonly name: string;
  readonly address: string;
  readonly opening: ScramOpening;
  /** Sends the server's first words, and returns the client's last ones. */
  readonly prove: (serverFirst: string) => Promise<string>;
}

/**
 * Signs a person in by SCRAM, where the password itself is never sent, and returns the server's last words beside. A name that nobody has, a person without a password or disabled, and a wrong proof meet
 * the same steps and the same text, and count alike towards the delays of {@link signIn}. A verifier of another number of iterations than the service's own would tell that somebody has the name: it is not
 * used, so that its person must set the password anew.
 * @param now milliseconds since 1970
 * Errors: serve.too-many while a delay lasts; serve.protocol; serve.sign-in.
 */
export async function signInByScram(
  { store, attempts, passwords }: SignInHouse,
  { name, address, opening, prove }: ScramCredentials,
  random: RandomBytes,
  now: () => number,
): Promise<{ readonly person: Person; readonly serverFinal: string }> {
  const person = await store.byName(name);
  const { iterations, secret } = passwords;
  const own = person?.password?.iterations === iterations ? person.password : null;
  const exchange = beginScram(
    opening,
    own ?? mockVerifier(foldName(name), secret, iterations),
    randomText(random),
  );
  const clientFinal = await prove(exchange.serverFirst);
  const at = now();
  const waitMs = attempts.waitMs(name, address, at);
  if (waitMs > 0) throw tooMany(waitMs);
  attempts.begin(name, address, at);
  const serverFinal = exchange.finish(clientFinal);
  if (serverFinal === null || own === null || !person || person.disabled) throw wrongSignIn();
  attempts.succeeded(name, address, at);
  return { person, serverFinal };
}
