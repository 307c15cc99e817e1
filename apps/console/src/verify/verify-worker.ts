import "./no-evaluation.ts";
import { LetheError } from "@lethe/core";
import { preloadGrammar } from "@lethe/query";
import { verifyText } from "@lethe/verify";
import type { VerifyCall, VerifyReply } from "./verify-call.ts";

/** The part of a thread's global scope that is used here; the page's own types have no name for it. */
interface ThreadScope {
  onmessage: ((event: { readonly data: VerifyCall }) => void) | null;
  postMessage(reply: VerifyReply): void;
}

const scope = globalThis as unknown as ThreadScope;

/** Verifies what the page sends, in a thread of its own: the page stays quick, and only this script may compile PostgreSQL's grammar. It asks the service for nothing else. */
scope.onmessage = ({ data }) => {
  void replyTo(data).then((reply) => scope.postMessage(reply));
};
preloadGrammar();

async function replyTo({ id, text, policyText, publicKeyPem }: VerifyCall): Promise<VerifyReply> {
  try {
    const { checks, cannotShow } = await verifyText(text, {
      ...(policyText === null ? {} : { policyText }),
      ...(publicKeyPem === null ? {} : { publicKeyPem }),
    });
    return { id, checks, cannotShow };
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return { id, refused: { message: error.message, fix: error.fix } };
  }
}
