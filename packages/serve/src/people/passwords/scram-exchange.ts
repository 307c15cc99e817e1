import { LetheError } from "@lethe/core";
import { proofHolds, type ScramVerifier, serverSignature } from "./scram-verifier.ts";

export const scramMechanisms = ["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"] as const;

export type ScramMechanism = (typeof scramMechanisms)[number];

/** The first words of a client, and what they are said over. */
export interface ScramOpening {
  readonly mechanism: ScramMechanism;
  readonly clientFirst: string;
  /** The data of tls-server-end-point (RFC 5929): the hash of the service's certificate. Null where nothing binds the channel, and -PLUS is not offered. */
  readonly binding: Uint8Array | null;
}

/** An exchange that waits for the client's proof. */
export interface ScramExchange {
  readonly serverFirst: string;
  /** Returns the last words of the server where the proof holds, else null. Errors: serve.protocol. */
  finish(clientFinal: string): string | null;
}

const bindingName = "tls-server-end-point";
const first = /^(n|y|p=tls-server-end-point),,(n=[^,]*,r=([\x21-\x2b\x2d-\x7e]{1,256}))$/;
const last = /^(c=([A-Za-z0-9+/]+={0,2}),r=([\x21-\x2b\x2d-\x7e]+)),p=([A-Za-z0-9+/]{43}=)$/;

/**
 * Begins SCRAM-SHA-256 or -PLUS as the server (RFC 5802, RFC 7677), over the verifier of a name. The name within the client's words is not looked at: PostgreSQL's protocol states it before. Neither
 * another's name to act as nor an extension is taken.
 * @param nonce of the server, base64
 * Errors: serve.protocol, for words that are none, and for a client that was kept from binding the channel.
 */
export function beginScram(
  { mechanism, clientFirst, binding }: ScramOpening,
  verifier: ScramVerifier,
  nonce: string,
): ScramExchange {
  const [, flag, bare = "", clientNonce = ""] = first.exec(clientFirst) ?? [];
  if (flag === undefined) throw notScram();
  const binds = flag === `p=${bindingName}`;
  if (binds !== (mechanism === "SCRAM-SHA-256-PLUS") || (binds && binding === null)) throw notScram();
  // Such a client can bind the channel and was told that the server cannot: somebody stands between.
  if (flag === "y" && binding !== null) throw notScram();
  const whole = `${clientNonce}${nonce}`;
  const serverFirst = `r=${whole},s=${base64(verifier.salt)},i=${verifier.iterations}`;
  const bound = Buffer.concat([Buffer.from(`${flag},,`), ...(binds && binding ? [binding] : [])]);
  return {
    serverFirst,
    finish(clientFinal) {
      const [, withoutProof = "", channel, echoed, proof = ""] = last.exec(clientFinal) ?? [];
      if (channel === undefined) throw notScram();
      const auth = `${bare},${serverFirst},${withoutProof}`;
      const holds = proofHolds(verifier, auth, new Uint8Array(Buffer.from(proof, "base64")));
      return holds && channel === base64(bound) && echoed === whole
        ? `v=${base64(serverSignature(verifier, auth))}`
        : null;
    },
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function notScram(): LetheError {
  return new LetheError("serve.protocol", "the sign-in does not follow SCRAM-SHA-256", {
    fix: "use a client that speaks SCRAM-SHA-256, and no proxy that ends TLS between",
  });
}
