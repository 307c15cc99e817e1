import type { Rational } from "@lethe/core";
import type { Answer, AskedOptions } from "@lethe/gateway";
import type { WaitSignal } from "./wait-for.ts";

/** Who asks, and by which token: a protocol has established both. */
export interface Asker {
  /** The name by which the ledger charges. */
  readonly principal: string;
  /** The most ε that one question may cost by this token, as `epsilon` is stated; null or absent where the token has no such cap. */
  readonly maxEpsilonPerQuestion?: Rational | null;
}

/** What is asked. */
export interface AskRequest {
  readonly text: string;
  readonly options: AskedOptions;
  /** As of a {@link Question}: an earlier answer may stand for this one ("earlier", unless stated), a new one is paid for, or nothing is. Left out beside an `idempotencyKey`. */
  readonly repeats?: "earlier" | "anew" | "made";
  /** The client's own name for this request, 1 to 255 characters: asked again by the same principal under the same key, it is answered with the same bytes at no charge. Of another principal it is another request. */
  readonly idempotencyKey?: string;
}

/** How long somebody waits. Who stops waiting neither calls a charge off nor loses the answer: asked again, it is there at no charge. */
export interface Waiting {
  /** The signal is looked at only where one has to wait. */
  readonly signal?: WaitSignal | undefined;
  /**
   * Is told of each charge once it is durable, and before the question is executed: so what follows from it follows from no private row. The execution waits for it, and where it fails there is none.
   */
  readonly charged?: ((charge: ToldCharge) => Promise<void>) | undefined;
}

/** A charge of a request, as it is told to whoever asks. */
export interface ToldCharge {
  readonly requestId: string;
  /** The place of its record in the ledger. */
  readonly sequence: number;
  /** Charged now; resumed, by a charge of before; shared, where the same request was in flight. */
  readonly how: "charged" | "resumed" | "shared";
}

/** An answer, and what its plan said of it before it was paid for. */
export interface AskOutcome {
  readonly answer: Answer;
  /** What an asker must know, such as that groups are chosen by chance. */
  readonly notices: readonly string[];
}
