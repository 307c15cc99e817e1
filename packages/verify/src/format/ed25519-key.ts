/** The DER that stands before the 32 bytes of every Ed25519 public key in an SPKI (RFC 8410, Sec. 4). */
const spkiPrefix = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
const keyBytes = 32;

const pemForm = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/;

/**
 * Returns the 32 bytes of an Ed25519 public key in SPKI PEM, or null for anything else. A private key is none: nobody should hand one over to be told
 * that it works.
 */
export function ed25519Key(pem: string): Uint8Array<ArrayBuffer> | null {
  const der = base64Bytes(pemForm.exec(pem)?.[1] ?? "");
  if (der?.length !== spkiPrefix.length + keyBytes) return null;
  return spkiPrefix.every((byte, at) => der[at] === byte) ? der.slice(spkiPrefix.length) : null;
}

function base64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
