import { emptyHead } from "@lethe/serve/audit-chain";
import type { Page } from "../../house/use-pages.ts";
import { ThreadRefusal } from "../../thread/thread-refusal.ts";
import type { Head, Refused, ToFollow } from "../../thread/works.ts";

/** What every entry of a chain has: its number, the hash before it, and its own. */
export interface ChainEntry extends Head {
  readonly previous: string;
}

export interface Chain {
  /** Reads entries, newest first. */
  readonly page: (before: string | null) => Promise<Page<ChainEntry>>;
  /** Follows entries, oldest first. Errors: a {@link ThreadRefusal} that names the first that does not hold. */
  readonly follow: (given: ToFollow) => Promise<Head>;
}

/** What a walk along a chain found. */
export interface Followed {
  /** The newest entry; null where there is none. */
  readonly head: Head | null;
  readonly entries: number;
  /** Why the oldest entry that does not hold does not; null where all hold. */
  readonly broken: Refused | null;
  /** Whether the chain has the entry that was kept; null where none was. */
  readonly hasKept: boolean | null;
}

/**
 * Follows a whole chain back to its beginning, part by part, and keeps no part: each is followed from the hash that it begins with to the entry after it, and the oldest from the hash that every chain begins with.
 * @param kept an entry's place that was kept elsewhere, or null
 * @param tell is told how many entries were followed
 * Errors: whatever a page fails with.
 */
export async function followChain(
  { page, follow }: Chain,
  kept: Head | null,
  tell: (entries: number) => void,
): Promise<Followed> {
  let head: Head | null = null;
  let after: ChainEntry | null = null;
  let broken: Refused | null = null;
  let hasKept = kept === null ? null : false;
  let entries = 0;
  for (let before: string | null = null; ; ) {
    const part: Page<ChainEntry> = await page(before);
    const oldestFirst = part.items.toReversed();
    const [first] = oldestFirst;
    head ??= oldestFirst.at(-1) ?? null;
    if (kept && oldestFirst.some(({ sequence, hash }) => sequence === kept.sequence && hash === kept.hash))
      hasKept = true;
    // A service that does not go back is not asked for ever: it is taken at its word that this is the beginning.
    const isLast =
      part.before === null ||
      first === undefined ||
      (before !== null && !(Number(part.before) < Number(before)));
    const from: Head = isLast ? emptyHead : { sequence: first.sequence - 1, hash: first.previous };
    try {
      await follow({ from, entries: after === null ? oldestFirst : [...oldestFirst, after] });
    } catch (error) {
      if (!(error instanceof ThreadRefusal)) throw error;
      broken = error.refused;
    }
    entries += oldestFirst.length;
    tell(entries);
    if (isLast) break;
    before = part.before;
    after = first;
  }
  return { head, entries, broken, hasKept };
}
