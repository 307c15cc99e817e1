import { invalidParameter } from "@lethe/core";

/** The name that a client gives a request: 1 to 100 letters, digits and -_.:~. */
export const requestKey: RegExp = /^[\w.:~-]{1,100}$/;

/**
 * Reads the header Idempotency-Key: a text of 1 to 100 letters, digits and -_.:~, as it is or in double quotes. Null where there is none. It becomes the id of the
 * request, which belongs to whoever asks. Errors: parameter.invalid.
 */
export function idempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const [, quoted, plain] = /^(?:"([\w.:~-]{1,100})"|([\w.:~-]{1,100}))$/.exec(header.trim()) ?? [];
  const key = quoted ?? plain;
  if (key === undefined)
    throw invalidParameter("Idempotency-Key", header, "1 to 100 letters, digits and -_.:~");
  return key;
}
