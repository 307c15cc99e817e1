import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string).toString("base64");
const hmac = (key: Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** The words of an exchange so far, and the data that its channel is bound by: the header of GS2 at least. */
export interface ScramWords {
  readonly first: string;
  readonly serverFirst: string;
  readonly channel: Buffer;
}

/** The last words of a client of SCRAM-SHA-256, by RFC 5802, and the last words that the server must say. */
export function scramProof(
  { first, serverFirst, channel }: ScramWords,
  password: string,
): { readonly final: string; readonly server: string } {
  const [, nonce = "", salt = "", count = ""] = /^r=(.*),s=(.*),i=(.*)$/.exec(serverFirst) ?? [];
  const salted = pbkdf2Sync(password, Buffer.from(salt, "base64"), Number(count), 32, "sha256");
  const clientKey = hmac(salted, "Client Key");
  const stored = createHash("sha256").update(clientKey).digest();
  const withoutProof = `c=${base64(channel)},r=${nonce}`;
  const auth = `${first.replace(/^[^,]*,,/, "")},${serverFirst},${withoutProof}`;
  const signature = hmac(stored, auth);
  const proof = clientKey.map((byte, at) => byte ^ (signature[at] ?? 0));
  return {
    final: `${withoutProof},p=${base64(proof)}`,
    server: `v=${base64(hmac(hmac(salted, "Server Key"), auth))}`,
  };
}
