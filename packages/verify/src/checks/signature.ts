import { canonicalJson } from "@lethe/core/canonical";
import { ed25519Key } from "../format/ed25519-key.ts";
import type { Certificate, Release } from "../format/release.ts";
import { failed, notMade, passed, type Verdict } from "./check.ts";

/** The part of the platform that hashes and checks signatures: browsers, Deno and Node have the same. */
type Subtle = typeof globalThis.crypto.subtle;

const utf8 = new TextEncoder();

/** Returns the hex sha256 of the canonical JSON. */
export async function hashOf(value: unknown): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest("SHA-256", utf8.encode(canonicalJson(value)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Checks that what is shown is what was signed: the certificate holds the hash of columns, rows and what is said about them. */
export async function rowsAreThoseSigned({
  columns,
  rows,
  groupings,
  over,
  others,
  released,
  missing,
  notes,
  certificate,
}: Release): Promise<Verdict> {
  const marked = {
    ...(groupings ? { groupings } : {}),
    ...(over ? { over } : {}),
    ...(others ? { others } : {}),
    ...(released ? { released } : {}),
  };
  const shown = { columns, rows, ...marked, missing, notes };
  return (await hashOf(shown)) === certificate.rowsHash
    ? passed("the rows are those whose hash the certificate holds")
    : failed("the rows are not those whose hash the certificate holds");
}

/** A certificate as it was read, and as it stands in the text that was signed. */
export interface Signed {
  readonly release: {
    readonly certificate: Pick<Certificate, "ledger">;
    readonly signature: string;
  };
  readonly signed: unknown;
}

/** Checks that the certificate was not altered after it was signed with the key that it names itself. */
export async function signatureHolds(
  { release: { certificate, signature }, signed }: Signed,
  subtle: Subtle = globalThis.crypto.subtle,
): Promise<Verdict> {
  const bytes = ed25519Key(certificate.ledger.publicKey);
  if (!bytes) return failed("the certificate's key is not an Ed25519 public key");
  const key = await subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]).catch(() => null);
  if (!key) return notMade("this platform has no Ed25519, so the signature was not checked");
  const text = utf8.encode(canonicalJson(signed));
  return (await subtle.verify("Ed25519", key, signatureBytes(signature), text))
    ? passed("the certificate is unaltered since it was signed with the key that it names")
    : failed("the signature is not one of this certificate");
}

/** Checks that the key is the one that the reader got from the ledger's owner: anyone can sign with a key of their own. */
export function signerIsKnown({ certificate }: Signed["release"], publicKeyPem: string | undefined): Verdict {
  if (publicKeyPem === undefined) return notMade("no public key was given, so anyone may have signed this");
  const expected = ed25519Key(publicKeyPem);
  if (!expected) return failed("the public key given is not an Ed25519 public key in PEM form");
  const stated = ed25519Key(certificate.ledger.publicKey);
  return stated?.every((byte, at) => byte === expected[at])
    ? passed("the signing key is the public key given")
    : failed("the certificate was signed with another key than the public key given");
}

/** The bytes of a signature in hex, whose form the reader of releases has checked. */
function signatureBytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
