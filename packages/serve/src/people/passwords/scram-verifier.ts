import { createHash, createHmac, pbkdf2 } from "node:crypto";
import { LetheError } from "@lethe/core";
import type { RandomBytes } from "../random-bytes.ts";
import { sameBytes } from "../same-bytes.ts";

/** The part of a password that is kept: enough to check it, and to run SCRAM-SHA-256 (RFC 5802, RFC 7677) as a server; not enough to sign in with. */
export interface ScramVerifier {
  readonly iterations: number;
  readonly salt: Uint8Array;
  readonly storedKey: Uint8Array;
  readonly serverKey: Uint8Array;
}

/** PBKDF2 with HMAC-SHA-256, 32 bytes. An argument, so that tests can count the work that is done. */
export type Derive = (password: string, salt: Uint8Array, iterations: number) => Promise<Uint8Array>;

/** {@link Derive} by Node, on a thread of its own. */
export const derive: Derive = (password, salt, iterations) =>
  new Promise((resolve, reject) => {
    pbkdf2(password, salt, iterations, 32, "sha256", (error, key) =>
      error ? reject(error) : resolve(new Uint8Array(key)),
    );
  });

/** The least that RFC 7677 allows. The service's configuration asks for 600,000, as OWASP advises. */
export const leastIterations = 4096;

const hmac = (key: Uint8Array, text: string): Uint8Array =>
  new Uint8Array(createHmac("sha256", key).update(text).digest());
const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash("sha256").update(bytes).digest());

/** StoredKey and ServerKey of RFC 5802, section 3, from the salted password. */
export function scramKeys(salted: Uint8Array): Pick<ScramVerifier, "storedKey" | "serverKey"> {
  return { storedKey: sha256(hmac(salted, "Client Key")), serverKey: hmac(salted, "Server Key") };
}

/** Returns the verifier of a prepared password, under a new salt of 16 bytes. */
export async function makeVerifier(
  prepared: string,
  iterations: number,
  random: RandomBytes,
  by: Derive = derive,
): Promise<ScramVerifier> {
  const salt = random(16);
  return { iterations, salt, ...scramKeys(await by(prepared, salt, iterations)) };
}

/**
 * The verifier of a name that has no password: derived from the server's secret, so that the same name always shows the same salt, as a real one would
 * (PostgreSQL does the same). No password fits it.
 */
export function mockVerifier(foldedName: string, secret: Uint8Array, iterations: number): ScramVerifier {
  const part = (what: string): Uint8Array => hmac(secret, `${what}\0${foldedName}`);
  return {
    iterations,
    salt: part("salt").slice(0, 16),
    storedKey: part("stored"),
    serverKey: part("server"),
  };
}

/**
 * Whether a client's proof of SCRAM holds (RFC 5802, section 3): H(ClientProof ⊕ HMAC(StoredKey, AuthMessage)) = StoredKey.
 * @param proof 32 bytes; another length does not hold
 */
export function proofHolds({ storedKey }: ScramVerifier, authMessage: string, proof: Uint8Array): boolean {
  const signature = hmac(storedKey, authMessage);
  const clientKey = proof.map((byte, index) => byte ^ (signature[index] ?? 0));
  return proof.length === signature.length && sameBytes(sha256(clientKey), storedKey);
}

/** ServerSignature of RFC 5802, section 3: shows a client that the server knows its verifier. */
export function serverSignature({ serverKey }: ScramVerifier, authMessage: string): Uint8Array {
  return hmac(serverKey, authMessage);
}

/** A verifier as PostgreSQL writes it: SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey, in base64. */
export function verifierText({ iterations, salt, storedKey, serverKey }: ScramVerifier): string {
  const [s, k, v] = [salt, storedKey, serverKey].map((bytes) => Buffer.from(bytes).toString("base64"));
  return `SCRAM-SHA-256$${iterations}:${s}$${k}:${v}`;
}

const form = /^SCRAM-SHA-256\$(\d{1,10}):([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]{44}):([A-Za-z0-9+/=]{44})$/;

/** Reads what {@link verifierText} writes. Errors: people.unreadable for anything else, and for fewer iterations than RFC 7677 allows. */
export function readVerifier(text: string): ScramVerifier {
  const [, count, ...parts] = form.exec(text) ?? [];
  const iterations = Number(count);
  const [salt, storedKey, serverKey] = parts.map((part) => new Uint8Array(Buffer.from(part, "base64")));
  if (!(iterations >= leastIterations) || storedKey?.length !== 32 || serverKey?.length !== 32 || !salt)
    throw new LetheError("people.unreadable", "a password's verifier is not one of SCRAM-SHA-256", {
      fix: "restore the file of people from a backup; keep the damaged one",
    });
  return { iterations, salt, storedKey, serverKey };
}
