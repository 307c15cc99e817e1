/** Draws so many bytes from a secure source. Apps give that of the operating system. */
export type RandomBytes = (count: number) => Uint8Array;

/** 256 bits as text: 43 characters of base64url. */
export function randomText(random: RandomBytes): string {
  return Buffer.from(random(32)).toString("base64url");
}
