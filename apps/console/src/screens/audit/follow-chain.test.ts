import { sha256 } from "@lethe/core/canonical";
import { hashedText } from "@lethe/ledger/hashed-text";
import { emptyHead, entryAfter } from "@lethe/serve/audit-chain";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followAuditLog, followLedger } from "../../thread/chains.ts";
import { refusedBy } from "../../thread/refused-by.ts";
import { ThreadRefusal } from "../../thread/thread-refusal.ts";
import type { Head, ToFollow } from "../../thread/works.ts";
import { type ChainEntry, followChain } from "./follow-chain.ts";

function ledgerOf(length: number): readonly ChainEntry[] {
  const records: ChainEntry[] = [];
  for (let sequence = 0; sequence < length; sequence++) {
    const previous = records.at(-1)?.hash ?? emptyHead.hash;
    const record = { sequence, at: sequence, kind: "reserve", payload: "{}", balance: "", previous };
    records.push({ ...record, hash: sha256(hashedText(record)) });
  }
  return records;
}

function logOf(length: number): readonly ChainEntry[] {
  const actor = { name: "ada", by: null, id: null, address: null };
  const entries: ReturnType<typeof entryAfter>[] = [];
  for (let at = 0; at < length; at++)
    entries.push(entryAfter(entries.at(-1) ?? emptyHead, { at, actor, fact: { kind: "signed-out" } }));
  return entries;
}

const chains = [
  ["the ledger", ledgerOf, followLedger, "ledger.corrupt", "record"],
  ["the audit log", logOf, followAuditLog, "log.corrupt", "entry"],
] as const;

/** Follows a chain in parts of a size, as the thread would. */
function followed(
  entries: readonly ChainEntry[],
  size: number,
  follow: (given: ToFollow) => Head,
  kept: Head | null = null,
) {
  const page = async (before: string | null) => {
    const end = before === null ? entries.length : Number(before);
    const first = Math.max(0, end - size);
    return { items: entries.slice(first, end).reverse(), before: first === 0 ? null : String(first) };
  };
  const asked = async (given: ToFollow): Promise<Head> => {
    try {
      return follow(given);
    } catch (error) {
      throw new ThreadRefusal(refusedBy(error));
    }
  };
  return followChain({ page, follow: asked }, kept, () => undefined);
}

describe.each(chains)("%s, followed by parts", (_, chainOf, follow, code, word) => {
  it("holds where nothing was changed, whatever the size of a part, and has the heads that it had", async () => {
    const chain = chainOf(23);
    for (const size of [1, 2, 7, 23, 100]) {
      const { head, ...found } = await followed(chain, size, follow);
      expect(found).toEqual({ entries: 23, broken: null, hasKept: null });
      expect(head).toMatchObject({ sequence: 22, hash: chain[22]?.hash });
      for (const kept of chain) expect((await followed(chain, size, follow, kept)).hasKept).toBe(true);
      expect((await followed(chain.slice(0, 20), size, follow, chain[22])).hasKept).toBe(false);
    }
  });

  it("names the first entry that does not hold, whichever was changed, left out, put in or moved", async () => {
    const chain = chainOf(12);
    const ways: readonly ((at: number) => readonly ChainEntry[])[] = [
      (at) => chain.map((each, place) => (place === at ? { ...each, at: 99 } : each)),
      (at) => chain.filter((_each, place) => place !== at),
      (at) => chain.flatMap((each, place) => (place === at ? [each, each] : [each])),
      (at) => chain.with(at, chain[at + 1] as ChainEntry).with(at + 1, chain[at] as ChainEntry),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 1, max: 14 }),
        fc.integer({ min: 0, max: 3 }),
        async (at, size, way) => {
          const { broken } = await followed(ways[way]?.(at) ?? [], size, follow);
          const place = way === 2 ? at + 1 : at;
          expect(broken).toMatchObject({ code, message: expect.stringMatching(`${word} ${place}$`) });
        },
      ),
      { seed: 20_261_128, numRuns: 200 },
    );
  });

  it("is broken where its beginning is missing, and ends where a service turns in a circle", async () => {
    const chain = chainOf(9);
    expect((await followed(chain.slice(4), 2, follow)).broken?.message).toMatch(`${word} 0`);
    const asked = async (given: ToFollow): Promise<Head> => {
      try {
        return follow(given);
      } catch (error) {
        throw new ThreadRefusal(refusedBy(error));
      }
    };
    const circle = { items: chain.slice(3, 6).reverse(), before: "3" };
    const nothing = { items: [], before: "3" };
    const middle = { items: chain.slice(1, 3).reverse(), before: "3" };
    for (const parts of [[circle], [circle, nothing], [circle, middle]]) {
      const turns = [...parts];
      const page = async () => turns.shift() ?? parts.at(-1) ?? nothing;
      const { broken } = await followChain({ page, follow: asked }, null, () => undefined);
      expect(broken?.code).toBe(code);
    }
  });

  it("of nobody holds", async () => {
    expect(await followed([], 5, follow)).toEqual({ head: null, entries: 0, broken: null, hasKept: null });
  });
});
