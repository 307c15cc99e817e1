import type { Event } from "../events/event.ts";

/** The same tree with equal subtrees as one object, so that a fold meets each once and counts instead of listing. */
export function sharedEvents(event: Event): Event {
  const known = new Map<string, { readonly event: Event; readonly index: number }>();

  /** The shared node, and a short text that only equal nodes have. */
  function share(part: Event): { readonly event: Event; readonly index: number } {
    let built: Event = part;
    let key: string;
    if (part.kind === "compose") {
      const parts = part.events.map(share);
      built = { ...part, events: parts.map((each) => each.event) };
      key = `compose ${parts.map(({ index }) => index).join(" ")}`;
    } else if (part.kind === "mix") {
      const parts = part.parts.map(({ weight, event: each }) => ({ weight, shared: share(each) }));
      built = { ...part, parts: parts.map(({ weight, shared }) => ({ weight, event: shared.event })) };
      key = `mix ${parts.map(({ weight, shared }) => `${weight} ${shared.index}`).join(",")}`;
    } else if ("event" in part) {
      const { event: inner, ...own } = part;
      const shared = share(inner);
      built = { ...part, event: shared.event };
      key = `${JSON.stringify(own)} ${shared.index}`;
    } else {
      key = JSON.stringify(part);
    }
    const found = known.get(key);
    if (found) return found;
    const node = { event: built, index: known.size };
    known.set(key, node);
    return node;
  }
  return share(event).event;
}
