import { createHash } from "node:crypto";

/**
 * Hex SHA-256 of a text's UTF-8 bytes.
 * @example sha256("abc") // => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
 */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
