import { createHash, X509Certificate } from "node:crypto";

/** The hash of each signature algorithm of a certificate, by its object identifier in DER. MD5 and SHA-1 give way to SHA-256 (RFC 5929, section 4.1). */
const hashes: Readonly<Record<string, "sha256" | "sha384" | "sha512">> = {
  "2a864886f70d010104": "sha256",
  "2a864886f70d010105": "sha256",
  "2a864886f70d01010b": "sha256",
  "2a864886f70d01010c": "sha384",
  "2a864886f70d01010d": "sha512",
  "2a8648ce3d0401": "sha256",
  "2a8648ce3d040302": "sha256",
  "2a8648ce3d040303": "sha384",
  "2a8648ce3d040304": "sha512",
};

/**
 * The data of the channel binding tls-server-end-point (RFC 5929): the hash of the service's certificate, by the algorithm of its signature. Null for an algorithm that names no one hash, such as
 * Ed25519 or RSA-PSS: no channel is bound then, as in PostgreSQL.
 * @param pem the certificate, or the first of a chain
 */
export function endPointHash(pem: string): Uint8Array | null {
  const { raw } = new X509Certificate(pem);
  const hash = hashes[signatureAlgorithm(raw)];
  return hash === undefined ? null : new Uint8Array(createHash(hash).update(raw).digest());
}

/** A part of DER: where its content begins and ends. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm SEQUENCE { algorithm OBJECT IDENTIFIER, … }, … } (RFC 5280). */
function signatureAlgorithm(der: Buffer): string {
  const certificate = partAt(der, 0);
  const signed = partAt(der, certificate.from);
  const algorithm = partAt(der, signed.to);
  const { from, to } = partAt(der, algorithm.from);
  return der.subarray(from, to).toString("hex");
}

function partAt(der: Buffer, at: number): Part {
  const short = der.readUInt8(at + 1);
  if (short < 0x80) return { from: at + 2, to: at + 2 + short };
  const digits = short & 0x7f;
  const from = at + 2 + digits;
  return { from, to: from + der.readUIntBE(at + 2, digits) };
}
