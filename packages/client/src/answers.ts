/** A loss in the account's measure. Its numbers are exact fractions, written as texts. */
export interface Loss {
  readonly measure: "pure" | "approximate" | "zcdp";
  readonly epsilon?: string;
  readonly delta?: string;
  readonly rho?: string;
}

/** A noisy value and the interval that holds the true one with the answer's confidence; null where nothing is known. */
export interface Estimate<T = number | null> {
  readonly value: T;
  readonly lower: T;
  readonly upper: T;
}

/** A cell of an answer: a key's value, what stands for several groups, or an estimate. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | Estimate
  | Estimate<string>
  | { readonly other: true }
  | { readonly all: true };

/** The answer to a question. */
export interface Answer {
  readonly columns: readonly { readonly name: string; readonly kind: string }[];
  /** A field for each column. */
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  /** What the answer cost when it was given, and what is charged now: nothing, where it was given before. */
  readonly price: Loss;
  readonly charged: Loss;
  /** When it was given: ISO 8601; empty for public rows where the response says no date. */
  readonly asOf: string;
  /** What is left of the budget, where you may see it. */
  readonly left?: Loss;
  readonly confidence: number;
  readonly requestId?: string;
  readonly notes: readonly string[];
}

/** The answer with all that was signed, which `lethe verify` and `@lethe/verify` check. */
export interface Release {
  readonly answer: Answer;
  readonly certificate: Readonly<Record<string, unknown>>;
  readonly signature: string;
  readonly [member: string]: unknown;
}

/** A question's plan in words and numbers, before it is paid for. */
export interface Explanation {
  readonly price: Loss;
  readonly answers: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly Readonly<Record<string, unknown>>[];
  readonly earlier: { readonly requestId: string; readonly asOf: string } | null;
  readonly [member: string]: unknown;
}

/** A table that one may ask about. */
export interface TableOffered {
  readonly name: string;
  readonly kind: "private" | "public";
  readonly unit: string | null;
  readonly columns: readonly Readonly<Record<string, unknown>>[];
  readonly questions: readonly string[];
  readonly [member: string]: unknown;
}

/** A certificate and what proves it. */
export interface SignedCertificate {
  readonly certificate: Release["certificate"];
  readonly signature: string;
}

/** A text that lets one person receive one answer. */
export interface Offer {
  readonly offer: string;
  /** ISO 8601. */
  readonly until: string;
}

/** A request that was made earlier, or an answer that you received. */
export interface RequestLine {
  readonly requestId: string;
  readonly principal: string;
  readonly at: string;
  readonly text: string;
  readonly price: Loss;
  /** Charged, and not answered: asking again goes on under the same charge. Failed: charged too. */
  readonly state: "in-flight" | "charged" | "settled" | "failed";
  /** Of an answer that you received: whose request it answered, and what gives it again, for nothing. */
  readonly sharedBy: string | null;
  readonly offer: string | null;
}

/** What may be spent, and was: of you, and of the account as far as you may see it. */
export interface Budget {
  readonly scopes: readonly BudgetScope[];
}

/** Caps and spending of one scope. */
export interface BudgetScope {
  /** Such as "the account" or "analyst ada". */
  readonly name: string;
  /** Its lifetime first, then its windows. */
  readonly periods: readonly {
    /** lifetime, day, week, month or quarter. */
    readonly per: string;
    /** In the account's ε or ρ, as exact fractions; null where nothing is limited, or you may not see it. */
    readonly granted: string | null;
    readonly spent: string | null;
    readonly delta: { readonly granted: string | null; readonly spent: string | null } | null;
  }[];
}
