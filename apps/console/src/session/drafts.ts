/** What the visitor has written and not yet sent, by the name of its place. */
export interface Drafts {
  readonly get: (place: string) => string | null;
  readonly set: (place: string, text: string) => void;
  readonly drop: (place: string) => void;
}

const begin = "lethe.draft.";
const ownerKey = "lethe.drafts-of";

/**
 * Keeps the drafts of a person in this window, over a reload and a session that ended by itself. Those of somebody else are thrown away first.
 * @param store the window's own; null where the browser keeps nothing, and drafts live as long as the page
 */
export function draftsOf(person: string, store: Storage | null): Drafts {
  const held = new Map<string, string>();
  try {
    if (store?.getItem(ownerKey) !== person) dropDrafts(store);
    store?.setItem(ownerKey, person);
  } catch {
    // A full store lets no draft outlive the page.
  }
  return {
    get: (place) => held.get(place) ?? store?.getItem(begin + place) ?? null,
    set: (place, text) => {
      held.set(place, text);
      try {
        store?.setItem(begin + place, text);
      } catch {
        store?.removeItem(begin + place);
      }
    },
    drop: (place) => {
      held.delete(place);
      store?.removeItem(begin + place);
    },
  };
}

/** Throws every draft of this window away. */
export function dropDrafts(store: Storage | null): void {
  if (store === null) return;
  const keys = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  for (const key of keys) if (key.startsWith(begin) || key === ownerKey) store.removeItem(key);
}

/** Returns what this window keeps texts in; null where the browser lets it keep nothing. */
export function windowStore(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
