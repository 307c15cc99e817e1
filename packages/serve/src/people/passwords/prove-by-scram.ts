import type { LetheError } from "@lethe/core";
import { tooMany } from "../../limits/index.ts";
import { foldName } from "../person-name.ts";
import { type RandomBytes, randomText } from "../random-bytes.ts";
import type { SignInHouse } from "../sign-in.ts";
import { beginScram, type ScramOpening } from "./scram-exchange.ts";
import { mockVerifier, type ScramVerifier } from "./scram-verifier.ts";

/** Who wants to sign in by a proof of their password, and how the client is spoken to. */
export interface ScramCredentials {
  readonly name: string;
  readonly address: string;
  readonly opening: ScramOpening;
  /** Sends the server's first words, and returns the client's last ones. */
  readonly prove: (serverFirst: string) => Promise<string>;
}

/** What a proof is checked against, and what comes of it. */
export interface ScramCheck<Who> {
  /** Null where there is none that may be used: the mock verifier of the name takes its place. */
  readonly verifier: ScramVerifier | null;
  /** The iterations that a client is told, whoever has the name. */
  readonly iterations: number;
  /** Says who is let in by a proof that holds; null for nobody. */
  readonly who: (at: number) => Who | null;
  /** The refusal, whatever was wrong. */
  readonly refusal: () => LetheError;
}

/** The means by which a proof is asked for. */
export interface ScramMeans {
  readonly random: RandomBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Asks for a proof by SCRAM and checks it: the same steps whether there is a verifier or not. An attempt is counted when its proof comes.
 * Errors: serve.too-many while a delay lasts; serve.protocol; the refusal.
 */
export async function proveByScram<Who>(
  { attempts, passwords: { secret } }: SignInHouse,
  { name, address, opening, prove }: ScramCredentials,
  { verifier, iterations, who, refusal }: ScramCheck<Who>,
  { random, now }: ScramMeans,
): Promise<{ readonly who: Who; readonly serverFinal: string }> {
  const checked = verifier ?? mockVerifier(foldName(name), secret, iterations);
  const exchange = beginScram(opening, checked, randomText(random));
  const clientFinal = await prove(exchange.serverFirst);
  const at = now();
  const begun = await attempts.admit(name, address, at);
  if (begun.waitMs > 0) throw tooMany(begun.waitMs);
  const serverFinal = exchange.finish(clientFinal);
  const letIn = serverFinal === null || verifier === null ? null : who(at);
  if (serverFinal === null || letIn === null) throw refusal();
  await attempts.succeeded(name, address, begun.at);
  return { who: letIn, serverFinal };
}
