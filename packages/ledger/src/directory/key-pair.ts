import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { LetheError } from "@lethe/core";
import { fileError } from "./file-error.ts";

/** Ed25519, RFC 8032. */
export interface KeyPair {
  /** SPKI PEM. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

function publicPem(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
}

export function newKeyPair(): KeyPair {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { privateKey, publicKey: publicPem(privateKey) };
}

/** PKCS #8 PEM. */
export function privatePem(pair: KeyPair): string {
  return pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Errors: ledger.unreadable for a missing file and for one that is no Ed25519 key. */
export function readKeyPair(path: string): KeyPair {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch (error) {
    throw fileError(path, error);
  }
  try {
    const privateKey = createPrivateKey(pem);
    if (privateKey.asymmetricKeyType === "ed25519") return { privateKey, publicKey: publicPem(privateKey) };
  } catch {
    // Told below: what OpenSSL says of a file that is no key helps nobody.
  }
  throw new LetheError("ledger.unreadable", `${path} is not an Ed25519 private key`, {
    fix: "restore the file from a backup",
    fields: { path },
  });
}

/** Hex signature of the UTF-8 text. */
export function signText(pair: KeyPair, text: string): string {
  return sign(null, Buffer.from(text, "utf8"), pair.privateKey).toString("hex");
}
