import type { Answer, AskOptions, Explained, Release } from "@lethe/gateway";
import type { QuestionDescription, TableDescription } from "@lethe/query";
import type { Principal } from "../access/index.ts";
import type { RequestState, Waiting } from "../ask/index.ts";

/** A question as a protocol hands it on: who asks it is told beside it. */
export interface ServedQuestion extends Omit<AskOptions, "principal" | "targetRelease"> {
  readonly sql: string;
  /** The id of a request that was answered. */
  readonly targetRelease?: string;
  readonly fresh?: boolean;
  readonly made?: boolean;
  /** The client's own name for the request; null where it gave none. */
  readonly requestId: string | null;
}

/** An answer, and what must be known of it before it is paid for. */
export type ServedAnswer = Answer;

/** A request by its id, or by the client's own key for it. */
export interface RequestNamed {
  readonly id: string;
  readonly isKey: boolean;
}

/** A certificate and what proves it, without rows. */
export type SignedCertificate = Pick<Release, "certificate" | "signature">;

/** A request that was made earlier, or an answer that was received. */
export interface RequestLine {
  readonly requestId: string;
  /** Who was charged. */
  readonly principal: string;
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
  readonly price: Release["certificate"]["charge"];
  readonly state: RequestState;
  /** Of an answer that was received: whose request it answered. */
  readonly sharedBy: string | null;
  /** Of an answer that was received: the text by which it is given again. */
  readonly offer: string | null;
}

/** An answer that somebody offers to another. */
export interface OfferAsked {
  readonly requestId: string;
  /** Whose request it is: the asker's where it is null. */
  readonly of: string | null;
  readonly to: string;
}

/** A text that lets one person receive one answer. */
export interface OfferMade {
  readonly offer: string;
  /** ISO 8601. */
  readonly until: string;
}

/** A page of a list, newest first; `before` asks for the next one, and is null at the end. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly before: string | null;
}

/** What may be spent, and was. */
export interface ServedBudget {
  /** The person's own scopes, and the account as far as the asker may see it. */
  readonly scopes: readonly ServedScope[];
}

/** Caps and spending of one scope: its lifetime first, then its windows. Numbers are exact fractions, written as texts. */
export interface ServedScope {
  readonly name: string;
  readonly periods: readonly ServedPeriod[];
}

export interface ServedPeriod {
  readonly per: "lifetime" | "day" | "week" | "month" | "quarter";
  /** In the account's ε or ρ; null where nothing is limited. */
  readonly granted: string | null;
  /** Null where the asker may not see it. */
  readonly spent: string | null;
  /** Null in an account without δ. */
  readonly delta: { readonly granted: string | null; readonly spent: string | null } | null;
}

/** A part of a list. */
export interface PageAsked {
  readonly before: string | null;
  readonly most: number;
}

/**
 * All that whoever is let in may do, whatever the protocol. Each call checks what `access` says of its route, for the roles that the request has. Errors are coded, and never hold a value of the data:
 * serve.forbidden, and serve.absent for what is another's as for what does not exist.
 */
export interface Service {
  /** Pays, and answers: see `Door`. */
  ask(who: Principal, question: ServedQuestion, waiting?: Waiting): Promise<ServedAnswer>;
  /** Returns plan, price and expected error, at no price. */
  explain(who: Principal, question: ServedQuestion, waiting?: Waiting): Promise<Explained>;
  describe(who: Principal, sql: string, waiting?: Waiting): Promise<QuestionDescription>;
  tables(who: Principal): Promise<readonly TableDescription[]>;
  /**
   * Returns the caps and the spending of a person, the asker where `of` is null, and of the account as much as the asker may see; with a project, those of the person in it, and its caps. What a project spent in all is shown to those
   * who may see the account's spending.
   */
  budget(who: Principal, of: string | null, project?: string): Promise<ServedBudget>;
  /** Returns the asker's own requests, and the answers that they received. */
  requests(who: Principal, page: PageAsked): Promise<Page<RequestLine>>;
  /** Returns one of the asker's own requests, once it is charged, with its state. */
  request(who: Principal, named: RequestNamed): Promise<RequestLine>;
  /**
   * Lets whoever waits for one of the asker's own requests wait no longer: they are refused with serve.stopped. The charge stands, and the answer is free to ask again once it is there. It says the same whether the request was
   * in flight, answered or failed, since that depends on the data, and for the same reason the engine is not told.
   */
  stopWaiting(who: Principal, named: RequestNamed): Promise<void>;
  /** Returns certificates of requests that were answered: of a person, or of all where `of` is null and the asker may read any; a page may hold fewer than it has room for. */
  certificates(
    who: Principal,
    page: PageAsked & { readonly of: string | null },
  ): Promise<Page<SignedCertificate>>;
  /**
   * Offers the answer to a request to another person: as whoever paid for it, or as an owner. Nothing is charged, and whether the name is anybody's is not told. Errors also: serve.offer for an answer with a pilot; people.invalid for
   * a name that is none.
   */
  offer(who: Principal, asked: OfferAsked): Promise<OfferMade>;
  /**
   * Receives what was offered: the very bytes. The receiver's caps, and those of the project that they name, are charged what the answer cost, once; the account has paid. Errors also: serve.offer; serve.cap; those of
   * `Ledger.share`. With `made` nothing is charged: what was not received before is query.option, with the parts of its price as fields.
   */
  receive(
    who: Principal,
    given: { readonly offer: string; readonly project?: string; readonly made?: boolean },
  ): Promise<ServedAnswer>;
  /** Returns the certificate of a request and its signature, without its rows, as {@link Service.release} does: an auditor may see every one. */
  certificate(who: Principal, id: string, of: string | null): Promise<SignedCertificate>;
  /** Returns the release of a request, by its id and whose it is: the asker where `of` is null. */
  release(who: Principal, id: string, of: string | null): Promise<Release>;
}
