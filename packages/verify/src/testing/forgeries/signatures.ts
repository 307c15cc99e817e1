import { rowsAreThoseSigned, signatureHolds, signerIsKnown } from "../../checks/signature.ts";
import { asRead } from "../as-read.ts";
import { signer } from "../people.ts";
import { counted, type Forgery } from "./forgery.ts";

export const ofSignatures: readonly Forgery[] = [
  [
    "the rows are not those whose hash the certificate holds",
    counted,
    rowsAreThoseSigned,
    (d) => void d.rows.pop(),
  ],
  [
    "the certificate's key is not an Ed25519 public key",
    counted,
    (release) => signatureHolds(asRead(release)),
    (d) => {
      d.certificate.ledger.publicKey = "a key";
    },
  ],
  [
    "the signature is not one of this certificate",
    counted,
    (release) => signatureHolds(asRead(release)),
    (d) => {
      d.certificate.requestId = "other";
    },
  ],
  [
    "this platform has no Ed25519, so the signature was not checked",
    counted,
    (release) =>
      signatureHolds(asRead(release), { importKey: () => Promise.reject(new Error("unknown")) } as never),
    () => {},
  ],
  [
    "the public key given is not an Ed25519 public key in PEM form",
    counted,
    (release) => signerIsKnown(release, "a key"),
    () => {},
  ],
  [
    "the certificate was signed with another key than the public key given",
    counted,
    (release) => signerIsKnown(release, signer.publicKey),
    (d) => {
      d.certificate.ledger.publicKey = "a key";
    },
  ],
];
