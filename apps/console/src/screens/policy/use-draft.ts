import { useRef, useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { type Loaded, useLoaded } from "../../house/use-loaded.ts";
import { askThread } from "../../thread/ask-thread.ts";
import type { Path, PolicyRead } from "../../thread/works.ts";
import type { PolicyCheck } from "./policy-parts.ts";

/** A draft of the policy, and what is to be said of it. */
export interface Draft {
  readonly text: string;
  /** What the page wrote into the editor last. */
  readonly given: { readonly text: string };
  /** Writes a text into the editor. */
  readonly write: (text: string) => void;
  /** Takes what was typed. */
  readonly type: (text: string) => void;
  /** Changes one place, and leaves the rest as it is written. */
  readonly change: (path: Path, to: string | null) => void;
  /** Goes back to the policy in force. */
  readonly drop: () => void;
  /** Keeps the text no longer for the next look at the screen. */
  readonly forget: () => void;
  /** What this browser reads in the text; the value may be of an earlier text. */
  readonly read: Loaded<PolicyRead & { readonly of: string }>;
  /** What the service says of it; null where there is nothing to ask it. */
  readonly check: Loaded<{ readonly of: string; readonly found: PolicyCheck } | null>;
}

const place = "policy";

/** Keeps one draft for the text and for the form. It stays while its owner looks at other screens, and over a reload. `checks`: whether the service may be asked of it. */
export function useDraft(served: string, checks: boolean): Draft {
  const { service, drafts } = useHouse();
  const [given, setGiven] = useState({ text: drafts.get(place) ?? served });
  const [text, setText] = useState(given.text);
  const newest = useRef(text);
  const turns = useRef(Promise.resolve());
  const type = (next: string): void => {
    newest.current = next;
    setText(next);
    if (next === served) drafts.drop(place);
    else drafts.set(place, next);
  };
  const write = (next: string): void => {
    type(next);
    setGiven({ text: next });
  };
  const change = (path: Path, to: string | null): void => {
    turns.current = turns.current
      .then(() => askThread("changePolicy", { text: newest.current, path, to }))
      .then(write, () => undefined);
  };
  const read = useLoaded(
    async (signal) => {
      await pause(150, signal);
      return { of: text, ...(await askThread("readPolicy", text)) };
    },
    [text],
  );
  const isSound = read.value?.of === text && read.value.refused === null;
  const asked = checks && isSound && text !== served ? text : null;
  const check = useLoaded(
    async (signal) => {
      if (asked === null) return null;
      await pause(600, signal);
      return {
        of: asked,
        found: await service.call<PolicyCheck>("POST", "policy/check", { text: asked }, signal),
      };
    },
    [service, asked],
  );
  return {
    text,
    given,
    write,
    type,
    change,
    drop: () => write(served),
    forget: () => drafts.drop(place),
    read,
    check,
  };
}

/** Waits, so that a text that is still typed is not asked of. Errors: the signal's. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal.throwIfAborted();
}
