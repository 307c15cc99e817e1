import type { MadeAnswer, PublicAnswer, Release, Repeat } from "@lethe/gateway";
import type { CatalogAnswer, Explanation, QuestionDescription, TableDescription } from "@lethe/query";
import type { Principal } from "@lethe/serve";
import type { QuestionBody } from "./bodies/question-body.ts";

/** A question as a protocol hands it on. */
export interface AskedQuestion extends QuestionBody {
  /** The id that the client gave the request; null where it gave none. */
  readonly requestId: string | null;
}

/** The answer to a question, in the forms that it may have. */
export type ServedAnswer =
  | { readonly kind: "release"; readonly release: Release; readonly repeat: Repeat | null }
  | { readonly kind: "made"; readonly made: MadeAnswer }
  | { readonly kind: "public"; readonly answer: PublicAnswer }
  | { readonly kind: "catalog"; readonly catalog: CatalogAnswer }
  | { readonly kind: "explanation"; readonly explanation: ServedExplanation };

/** A plan in words and numbers, and the request whose answer would be given for nothing. */
export interface ServedExplanation extends Explanation {
  readonly earlier: { readonly requestId: string; readonly asOf: string } | null;
}

/** A line of a list of releases. */
export interface ReleaseLine {
  readonly requestId: string;
  readonly principal: string;
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
  readonly price: Release["certificate"]["charge"];
  readonly state: "reserved" | "settled" | "failed";
}

/** A page of a list, newest first; `before` asks for the next one, and is null at the end. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly before: string | null;
}

/**
 * What whoever is let in may do: the one door that every protocol uses. Each call checks what `access` says of its route; errors are coded, and never hold a value of the
 * data.
 */
export interface Service {
  ask(
    who: Principal,
    question: AskedQuestion,
    waiting: { readonly signal: AbortSignal },
  ): Promise<ServedAnswer>;
  explain(who: Principal, question: AskedQuestion): Promise<ServedExplanation>;
  describe(who: Principal, sql: string): Promise<QuestionDescription>;
  tables(who: Principal): Promise<readonly TableDescription[]>;
  /** Returns the caps and the spending of a person, the asker where `of` is null, and of the account what the asker may see. */
  budget(who: Principal, of?: string | null): Promise<object>;
  releases(
    who: Principal,
    page: { readonly before: string | null; readonly most: number },
  ): Promise<Page<ReleaseLine>>;
  /** Returns the release of a request, by its id and whose it is: the asker where `of` is null. */
  release(who: Principal, id: string, of: string | null): Promise<Release>;
}
