import { LetheError } from "@lethe/core";

/** Reads the place of a chain's record, SEQUENCE:HASH. `printed` says where it was printed. Errors: cli.usage. */
export function parseHead(text: string, printed: string): { sequence: number; hash: string } {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence !== undefined && hash !== undefined) return { sequence: Number(sequence), hash };
  throw new LetheError("cli.usage", "--head must be SEQUENCE:HASH", { fix: `copy it from ${printed}` });
}
