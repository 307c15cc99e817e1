import { LetheError } from "@lethe/core";

/** The refusal of a body that is larger than the service takes. */
export function tooLarge(limit: number): LetheError {
  return new LetheError("serve.too-large", `a request's body has at most ${limit} bytes`, {
    fix: "send a shorter text, or have the owner raise limits.body in the service's configuration",
    fields: { limit },
  });
}

/**
 * Reads a body of at most `limit` bytes. More is refused as soon as it is seen: by the declared length before a byte is read, and by what came where none was
 * declared or it was a lie. The chunks are then read no further. How long one may take is the server's to limit: it has the socket.
 * @param chunks the body as it comes
 * @param declared the number of the header Content-Length, or null
 * @param limit in bytes
 * Errors: serve.too-large.
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  declared: number | null,
  limit: number,
): Promise<Uint8Array> {
  if (declared !== null && !(declared <= limit)) throw tooLarge(limit);
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (!(size <= limit)) throw tooLarge(limit);
    read.push(chunk);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of read) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
