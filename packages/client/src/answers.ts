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
  readonly answers: readonly ExpectedAnswer[];
  /** The coverage at which half-widths are stated. */
  readonly confidence: number;
  /** The reasons why the answer would say next to nothing: it is not bought unless that is accepted. */
  readonly warnings: readonly { readonly message: string; readonly fix: string }[];
  /** The notice that groups are chosen by chance; null where keys are public. */
  readonly keyNotice: string | null;
  /** Changes that would make the same answers cheaper, the one that saves most first. */
  readonly alternatives: readonly Alternative[];
  readonly earlier: { readonly requestId: string; readonly asOf: string } | null;
  /** Of each table that the question reads: whether as it lies, or the rows of an import. */
  readonly reads: readonly TableRead[];
  readonly [member: string]: unknown;
}

/** How a question would read a table now. */
export interface TableRead {
  readonly table: string;
  /** lies: the table as its owner keeps it. import, copy and snapshot: rows that were frozen of a file, of PostgreSQL and within Trino. */
  readonly from: "lies" | "import" | "copy" | "snapshot" | "not-imported" | "stale";
  /** The name of a snapshot in Trino; null elsewhere. */
  readonly snapshot: string | null;
  /** The moment of which the rows are, ISO 8601: of a copy and of a snapshot; null elsewhere. */
  readonly asOf: string | null;
  /** Whether the order that the question needs of each unit's rows is kept; null where it needs none. */
  readonly order: "built" | "other-seed" | "none" | "not-needed" | null;
  /** The same in sentences, with what an index or an import would be worth. */
  readonly words: readonly string[];
}

/** A column of an answer with its expected error, in the question's units. */
export interface ExpectedAnswer {
  readonly name: string;
  readonly kind: string;
  /** The interval's half-width, whatever the group's size; null where it depends on that. */
  readonly halfWidth: number | null;
  /** The half-width by number of rows; empty where the size does not matter, or nothing is known. */
  readonly curve: readonly HalfWidthAt[];
  /** The half-width at the rows that the policy expects. */
  readonly expected: HalfWidthAt | null;
  readonly bounds: readonly [number, number] | null;
  /** The unit of half-widths and bounds, where the answer is a time. */
  readonly unit?: "days" | "seconds";
}

/** Half-widths in a group of so many rows: the usual one, and the widest. */
export interface HalfWidthAt {
  readonly rows: number;
  readonly typical: number;
  readonly worst: number;
}

/** A change of the question or its policy that makes the same answers cheaper. */
export interface Alternative {
  readonly change: string;
  /** The text to write for it. */
  readonly how: string;
  /** The disadvantage of the change; null where there is none. */
  readonly takes: string | null;
  /** The ε to state with it. */
  readonly epsilon: string;
  readonly price: Loss;
  /** The part of the price that this saves, in (0, 1). */
  readonly saved: number;
}

/** A table that one may ask about. */
export interface TableOffered {
  readonly name: string;
  readonly kind: "private" | "public";
  readonly unit: string | null;
  readonly columns: readonly ColumnOffered[];
  readonly questions: readonly string[];
  readonly [member: string]: unknown;
}

/** A column that one may ask about, with what the policy says of its values. */
export interface ColumnOffered {
  readonly name: string;
  readonly type: string;
  readonly bounds: readonly [number | string, number | string] | null;
  readonly categories: readonly unknown[] | null;
  readonly [member: string]: unknown;
}

/** A question that somebody saved, as it would be sent. */
export interface SavedQuestion {
  readonly title: string;
  readonly sql: string;
  /** The price, read exactly; null for the policy's default. */
  readonly epsilon: string | null;
}

/** What you state of a dashboard: at most 30 questions, and at most 20 people who may read it too. */
export interface DashboardContent {
  readonly name: string;
  readonly questions: readonly SavedQuestion[];
  readonly readers: readonly string[];
}

/** Saved questions: yours, or another's who lets you read them. No answer is in it. */
export interface Dashboard extends DashboardContent {
  readonly id: string;
  readonly person: string;
  /** One more with each change. */
  readonly version: number;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** What you state of a dashboard that is there, with the version that you changed. */
export type DashboardChange = DashboardContent & Pick<Dashboard, "version">;

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
