import type { CheckTold, VerifyCall, VerifyReply } from "./verify-call.ts";

/** What a verification in this browser told. */
export interface Verified {
  readonly checks: readonly CheckTold[];
  readonly cannotShow: readonly string[];
}

/** A text that is nothing to verify, and what would be. */
export class NothingToVerify extends Error {
  readonly fix: string;

  constructor({ message, fix }: { readonly message: string; readonly fix: string }) {
    super(message);
    this.fix = fix;
  }
}

/** The one script that this page may start as a thread. The service says with it what it may do. */
const workerPath = "/verify/worker.js";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(given: string): string },
  ): { createScriptURL(given: string): string };
}

let worker: Worker | null = null;
let count = 0;
const waiting = new Map<number, (reply: VerifyReply) => void>();

/** Starts the thread. Where the browser asks for it, the path is vouched for here, and no other can be. */
function start(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const url =
    trustedTypes?.createPolicy("lethe-verify", { createScriptURL: () => workerPath }).createScriptURL("") ??
    workerPath;
  const started = new Worker(url);
  started.onmessage = ({ data }: MessageEvent<VerifyReply>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  started.onerror = (event) => {
    event.preventDefault();
    for (const [id, tell] of waiting)
      tell({
        id,
        refused: { message: "the verification broke off", fix: "load the page again, or run lethe verify" },
      });
    waiting.clear();
    worker = null;
  };
  return started;
}

/**
 * Verifies a release or a certificate in this browser, without the service. Errors: NothingToVerify where the text is neither, or the policy or the key cannot be read.
 * @param given.policyText the policy's YAML, where it is at hand
 * @param given.publicKeyPem the ledger's public key, from its owner and not from the release
 */
export async function verifyHere(given: Omit<VerifyCall, "id">): Promise<Verified> {
  worker ??= start();
  const id = ++count;
  const asked = worker;
  const reply = await new Promise<VerifyReply>((resolve) => {
    waiting.set(id, resolve);
    asked.postMessage({ id, ...given } satisfies VerifyCall);
  });
  if ("refused" in reply) throw new NothingToVerify(reply.refused);
  return reply;
}
