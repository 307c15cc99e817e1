import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { canonicalJson } from "@lethe/core";

import type { Release } from "../format/release.ts";
import { failed, notMade, passed, type Verdict } from "./check.ts";

/** Returns the hex sha256 of the canonical JSON. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value), "utf8").digest("hex");
}

/** Checks that what is shown is what was signed: the certificate holds the hash of columns, rows and what is said about them. */
export function rowsAreThoseSigned({
  columns,
  rows,
  groupings,
  missing,
  notes,
  certificate,
}: Release): Verdict {
  const shown = { columns, rows, ...(groupings ? { groupings } : {}), missing, notes };
  return hashOf(shown) === certificate.rowsHash
    ? passed("the rows are those whose hash the certificate holds")
    : failed("the rows are not those whose hash the certificate holds");
}

/** Checks that the certificate was not altered after it was signed with the key that it names itself. */
export function signatureHolds({ certificate, signature }: Release): Verdict {
  const key = ed25519Key(certificate.ledger.publicKey);
  if (!key) return failed("the certificate's key is not an Ed25519 public key");
  const text = Buffer.from(canonicalJson(certificate), "utf8");
  return verify(null, text, key, Buffer.from(signature, "hex"))
    ? passed("the certificate is unaltered since it was signed with the key that it names")
    : failed("the signature is not one of this certificate");
}

/** Checks that the key is the one that the reader got from the ledger's owner: anyone can sign with a key of their own. */
export function signerIsKnown({ certificate }: Release, publicKeyPem: string | undefined): Verdict {
  if (publicKeyPem === undefined) return notMade("no public key was given, so anyone may have signed this");
  const expected = ed25519Key(publicKeyPem);
  if (!expected) return failed("the public key given is not an Ed25519 public key in PEM form");
  const stated = ed25519Key(certificate.ledger.publicKey);
  return stated !== null && spki(stated).equals(spki(expected))
    ? passed("the signing key is the public key given")
    : failed("the certificate was signed with another key than the public key given");
}

function ed25519Key(pem: string): KeyObject | null {
  // createPublicKey also accepts a private key; nobody should hand one over to be told that it works.
  if (!pem.includes("-----BEGIN PUBLIC KEY-----")) return null;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null;
  }
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}
