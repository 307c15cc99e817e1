import { useEffect, useRef, useState } from "preact/hooks";
import { useHouse } from "./house.ts";
import { patiently } from "./patiently.ts";
import { useAction } from "./use-action.ts";

/** A part of a list that the service tells from its newest entry on. */
export interface Page<T> {
  readonly items: readonly T[];
  /** What to ask the next part with; null at the beginning of the list. */
  readonly before: string | null;
}

/** A list of which a visitor has seen a part. */
export interface Pages<T> {
  /** What is shown so far; null before anything came. */
  readonly items: readonly T[] | null;
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly problem: unknown;
  readonly more: () => void;
  /** Returns all of the list, also what is not shown. */
  readonly all: (tell: (many: number) => void) => Promise<readonly T[]>;
}

/** The entries of a part that is shown, and of one that is kept in a file. */
const shown = 25;
const saved = 200;
/** The parts without an entry that are passed at once, where the service looks for something. */
const mostPassed = 10;

/** Reads a list of the service by its parts, such as "releases". Another path needs a component of another key. */
export function usePages<T>(path: string): Pages<T> {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [page, setPage] = useState<Page<T> | null>(null);
  const stop = useRef(new AbortController());
  const after = async (held: Page<T>, limit: number): Promise<Page<T>> => {
    const before = held.before === null ? "" : `&before=${encodeURIComponent(held.before)}`;
    const query = `${path.includes("?") ? "&" : "?"}limit=${limit}${before}`;
    const next = await service.call<Page<T>>("GET", path + query, undefined, stop.current.signal);
    return { items: [...held.items, ...next.items], before: next.before };
  };
  const more = (): void =>
    void run(async () => {
      let held: Page<T> = page ?? { items: [], before: null };
      const many = held.items.length;
      for (let passed = 0; passed < mostPassed; passed++) {
        held = await after(held, shown);
        if (held.before === null || held.items.length > many) break;
      }
      setPage(held);
      if (page !== null) announce(`${held.items.length - many} more`);
    });
  const all: Pages<T>["all"] = async (tell) => {
    const { signal } = stop.current;
    let held = page ?? (await after({ items: [], before: null }, saved));
    while (held.before !== null) {
      tell(held.items.length);
      const from = held;
      held = await patiently(signal, () => after(from, saved));
    }
    return held.items;
  };
  useEffect(() => {
    const { current } = stop;
    more();
    return () => current.abort();
  }, []);
  return { items: page?.items ?? null, hasMore: page?.before != null, busy, problem, more, all };
}
