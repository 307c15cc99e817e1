import type { Format } from "../frames/client-message.ts";
import { type DescribedColumn, serverMessage } from "../frames/server-message.ts";
import type { Channel } from "../sign-in/channel.ts";
import type { WireColumn } from "./wire-answer.ts";
import { formOf, type WireCell, wireValue } from "./wire-type.ts";

/** Returns columns as they are described. `formats` are none for text, one for all, or one for each. */
export function describedAs(
  columns: readonly WireColumn[],
  formats: readonly Format[],
): readonly DescribedColumn[] {
  return columns.map(({ name, type }, at) => {
    const { oid, size, typmod = -1 } = formOf(type);
    return { name, oid, size, typmod, format: formatAt(formats, at) };
  });
}

function formatAt(formats: readonly Format[], at: number): Format {
  return (formats.length === 1 ? formats[0] : formats[at]) ?? "text";
}

/** The bytes that are put together before they are written. */
const atOnce = 65_536;

/** Writes messages, many at once, and waits while the client does not read. */
export async function sendAll(channel: Channel, messages: Iterable<Buffer>): Promise<void> {
  let [waiting, size]: [Buffer[], number] = [[], 0];
  for (const message of messages) {
    waiting.push(message);
    size += message.length;
    if (size < atOnce) continue;
    await channel.write(Buffer.concat(waiting));
    if (channel.gone.aborted) return;
    [waiting, size] = [[], 0];
  }
  if (size > 0) await channel.write(Buffer.concat(waiting));
}

/** Yields the messages of rows, at most so many where `most` is not 0. `given` is told of each. */
export function* rowMessages(
  rows: Iterator<readonly WireCell[]>,
  columns: readonly WireColumn[],
  formats: readonly Format[],
  most: number,
  given: () => void,
): Iterable<Buffer> {
  for (let count = 0; most === 0 || count < most; count += 1) {
    const next = rows.next();
    if (next.done) return;
    given();
    yield serverMessage.row(
      next.value.map((value, at) => wireValue(value, columns[at]?.type ?? "text", formatAt(formats, at))),
    );
  }
}

/** The tag of a statement that gave rows. */
export function tagOf(word: string, count: number): string {
  return word === "SHOW" ? word : `${word} ${count}`;
}
