import { createHmac } from "node:crypto";
import { LetheError } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { foldName, sameBytes } from "../people/index.ts";

/** An answer of one person that another may receive. */
export interface Offer {
  /** Whose request was answered. */
  readonly from: string;
  readonly requestId: string;
  /** The one who may receive it, and nobody else. */
  readonly to: string;
  /** The end of the offer, in milliseconds since 1970. What was received before is received again after it too. */
  readonly until: number;
}

/** How long an offer may be taken. */
export const offerMs: number = 7 * 24 * 3_600_000;

const mark = "offer_";

/**
 * Makes and reads offers, which are kept nowhere: an offer is a text that the service alone can make, so that whoever shows it needs no place to look it up, and asking for another's offer tells nothing.
 * @param secret the service's own, which it has again after each start
 */
export class Offers {
  readonly #key: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#key = createHmac("sha256", secret).update("lethe-offers@1").digest();
  }

  /** Returns the text of an offer. */
  textOf({ from, requestId, to, until }: Offer): string {
    const content = Buffer.from(canonicalJson({ from, requestId, to, until }), "utf8");
    return `${mark}${content.toString("base64url")}.${Buffer.from(this.#proofOf(content)).toString("base64url")}`;
  }

  /** Returns the offer that a text is, to whom it is for. Errors: serve.offer, the same for every text that is none, and for another's. */
  read(text: string, receiver: string): Offer {
    const [, content = "", proof = ""] = /^offer_([\w-]{1,4000})\.([\w-]{43})$/.exec(text) ?? [];
    const bytes = Buffer.from(content, "base64url");
    if (!sameBytes(this.#proofOf(bytes), Buffer.from(proof, "base64url"))) throw noOffer();
    const offer = JSON.parse(bytes.toString("utf8")) as Offer;
    if (foldName(offer.to) !== foldName(receiver)) throw noOffer();
    return offer;
  }

  #proofOf(content: Uint8Array): Uint8Array {
    return createHmac("sha256", this.#key).update(content).digest();
  }
}

/** The refusal of an offer that is none, is for another or is over: one text for all of them. */
export function noOffer(): LetheError {
  return new LetheError(
    "serve.offer",
    "the offer is none of this service's, is for somebody else, or is over",
    {
      fix: "ask whoever has the answer to offer it to you again, under the name that you sign in with",
    },
  );
}
