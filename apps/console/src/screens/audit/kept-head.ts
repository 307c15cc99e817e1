import type { Head } from "../../thread/works.ts";

/**
 * Reads the place of a chain's entry as the command line prints it; null where it is none.
 * @example keptHead("head 3:00…") // => { sequence: 3, hash: "00…" }
 */
export function keptHead(text: string): Head | null {
  const [, sequence, hash] = /^(?:head\s+)?(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return sequence === undefined || hash === undefined ? null : { sequence: Number(sequence), hash };
}
