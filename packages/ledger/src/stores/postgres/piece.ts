import type { Append, Snapshot, StoredRequest } from "../store.ts";
import { notFetched, type View } from "./view.ts";

/** A piece of work that waits, and whoever waits for it. */
export interface Piece {
  /** Whether it looks at the durable head alone, with no decision beside it. */
  readonly atHead: boolean;
  readonly request: StoredRequest | null;
  /** Looks, and says what is to be added. Throws what the work throws, and `notFetched`. */
  readonly work: (snapshot: Snapshot) => Append | null;
  readonly tell: () => void;
  readonly refuse: (error: unknown) => void;
}

/** What becomes of each piece once its transaction is over: null is told, an error is refused with it. */
export type Outcomes = ReadonlyMap<Piece, { readonly error: unknown } | null>;

/** Runs pieces in their order: each sees what those before it add. */
export async function decideAll(view: View, group: readonly Piece[]): Promise<Outcomes> {
  const outcomes = new Map<Piece, { readonly error: unknown } | null>();
  for (const { request } of group) view.want(request);
  await view.fetch();
  for (const each of group) outcomes.set(each, await decide(view, each));
  return outcomes;
}

async function decide(view: View, { request, work }: Piece): Promise<{ readonly error: unknown } | null> {
  for (;;) {
    try {
      const append = work(view.snapshot(request));
      if (append) view.add(append);
      return null;
    } catch (error) {
      if (error !== notFetched) return { error };
    }
    await view.fetch();
  }
}

export function tellAll(outcomes: Outcomes): void {
  for (const [piece, refused] of outcomes) {
    if (refused) piece.refuse(refused.error);
    else piece.tell();
  }
}

export function refuseAll(group: readonly Piece[], error: unknown): void {
  for (const each of group) each.refuse(error);
}
