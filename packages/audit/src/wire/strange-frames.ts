import type { AuditRow } from "../audits/audit-row.ts";
import type { Wire } from "./wire.ts";
import { wireRow } from "./wire-row.ts";

/** The service ends a connection on which nobody signs in within half a minute. */
const patience = 45_000;
const protocol3 = 0x0003_0000;
const sslRequest = 0x04d2_162f;

/** Bytes that are no PostgreSQL client's, or never become one's: each connection is ended in bounded time, and the service goes on; null where the protocol is not attacked. */
export async function strangeFrames({ postgres, send, newName }: Wire): Promise<AuditRow | null> {
  if (postgres === null) return null;
  const waits = await Promise.all(
    strange.map(async ([what, bytes]) => [what, await postgres.send(bytes, patience)] as const),
  );
  const faults = waits
    .filter(([, took]) => took === null)
    .map(([what]) => `${what} held a connection longer than ${patience / 1000} s`);
  const { status } = await send({ method: "GET", path: "/healthz" });
  const isOffered = (await postgres.challenge(newName())) !== null;
  if (status !== 200 || !isOffered) faults.push("the service no longer answers");
  return wireRow(
    "strange frames",
    "what is no PostgreSQL client, or never signs in, is refused in bounded time",
    `${faults.length} of ${strange.length + 1} wrong`,
    {
      finding: faults.length === 0 ? null : faults.join("; "),
      how: `connections ended within ${patience / 1000} s`,
    },
  );
}

const strange: readonly (readonly [string, Uint8Array])[] = [
  ["a negative length", ints(-8, protocol3)],
  ["a length of 2 GB", ints(0x7fff_ffff, protocol3)],
  ["a length of nothing", ints(0, protocol3)],
  ["an unknown protocol", ints(8, 0x0007_0000)],
  ["bytes before TLS was answered", joined(ints(8, sslRequest), texts("SELECT 1"))],
  ["a request of HTTP", texts("GET / HTTP/1.1\r\nHost: lethe\r\n\r\n")],
  ["a user without an end", joined(ints(64, protocol3), texts("user\0ada"))],
  ["half a length", Uint8Array.of(0, 0)],
];

/** Numbers of 32 bits, the highest byte first. */
function ints(...numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * numbers.length));
  numbers.forEach((each, at) => {
    view.setInt32(4 * at, each);
  });
  return new Uint8Array(view.buffer);
}

function texts(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
