import { ThreadRefusal } from "./thread-refusal.ts";
import type { Call, Refused, Reply, WorkName, Works } from "./works.ts";

/** The one script that this page may start as a thread. The service says with it what it may do. */
const path = "/verify/worker.js";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(given: string): string },
  ): { createScriptURL(given: string): string };
}

let thread: Worker | null = null;
let vouched: string | null = null;
let count = 0;
const waiting = new Map<number, (reply: Reply) => void>();

/** Starts the thread where it does not run, so that what is asked next does not wait for its code. */
export function startThread(): void {
  thread ??= started();
}

/** Asks the thread for one of its works. Errors: {@link ThreadRefusal}. */
export async function askThread<Name extends WorkName>(
  name: Name,
  given: Works[Name]["given"],
): Promise<Works[Name]["gives"]> {
  startThread();
  count += 1;
  const call: Call<Name> = { id: count, name, given };
  const reply = await new Promise<Reply>((resolve) => {
    waiting.set(call.id, resolve);
    thread?.postMessage(call);
  });
  if ("refused" in reply) throw new ThreadRefusal(reply.refused);
  return reply.gives;
}

function started(): Worker {
  const worker = new Worker(vouchedPath());
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    for (const [id, tell] of waiting) tell({ id, refused: lost });
    waiting.clear();
    thread = null;
  };
  return worker;
}

const lost: Refused = {
  code: "internal.invariant",
  message: "the part of this page that checks could not be loaded, or broke off",
  fix: "load the page again",
  line: null,
  column: null,
};

/** The path of the thread, which is vouched for where the browser asks for that. No other can be. */
function vouchedPath(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  vouched ??=
    trustedTypes?.createPolicy("lethe-thread", { createScriptURL: () => path }).createScriptURL(path) ?? path;
  return vouched;
}
