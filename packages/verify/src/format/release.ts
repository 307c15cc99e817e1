import type { PrivacyLossText } from "@lethe/core";
import type { Plan } from "@lethe/query";

/**
 * The release as it stands in a file, declared here once more: the verifier does not take the service's word for what
 * its own format is. A test holds the two declarations together.
 */
export interface Release {
  readonly version: 1;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly groupings?: readonly RowGrouping[];
  /** What the question makes of the rows, where it is a SELECT over an answer. */
  readonly over?: ShownRows;
  /** The answers to the other questions of the text. */
  readonly others?: readonly OtherAnswer[];
  /** The values of answers that questions of the text read. */
  readonly released?: readonly ReleasedValue[];
  readonly missing: readonly { readonly units: number; readonly chance: number }[];
  readonly notes: readonly string[];
  readonly certificate: Certificate;
  readonly signature: string;
}

/** A release as it was read: plans of the first version are in today's form, and so no longer what was signed. */
export interface ReadRelease {
  readonly release: Release;
  /** The certificate as it stands in the text. */
  readonly signed: unknown;
  /** The version of the plan that was signed. */
  readonly planVersion: 1 | 2;
  /** The first request, where the question had a pilot. */
  readonly pilot: ReadRelease | null;
}

export interface OtherAnswer extends Pick<Release, "columns" | "rows" | "groupings" | "missing" | "notes"> {
  readonly name: string;
}

export interface ReleasedValue {
  readonly sql: string;
  readonly value: string | number | boolean | null;
}

export interface ShownRows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Column {
  readonly name: string;
  readonly kind: "key" | "aggregate" | "computed" | "label";
}

export type Cell = string | number | boolean | null | Other | Estimate | TimeEstimate;

export interface Other {
  readonly other: true;
}

export interface RowGrouping {
  readonly grouping: number;
  readonly over: number | null;
}

export interface Estimate {
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

export interface TimeEstimate {
  readonly value: string;
  readonly lower: string;
  readonly upper: string;
}

export interface Certificate {
  readonly version: 1;
  readonly requestId: string;
  readonly principal: string;
  readonly at: string;
  readonly plan: Plan;
  readonly charge: PrivacyLossText;
  readonly losses: readonly PrivacyLossText[];
  /** What was charged for tells of one unit's presence; absent in releases from before it was stated. */
  readonly odds?: Odds;
  readonly confidence: number;
  /** The release schedule that was kept: milliseconds for each of so many statements. */
  readonly schedule?: Schedule;
  readonly account: Account;
  readonly ledger: { readonly sequence: number; readonly hash: string; readonly publicKey: string };
  readonly rowsHash: string;
  /** The target error, where one was stated instead of a price. */
  readonly target?: Target;
  /** The first request of a question with a pilot. */
  readonly pilot?: Release;
}

export interface Schedule {
  readonly each: number;
  readonly statements: number;
}

export interface Target {
  readonly halfWidth: number;
  readonly relative: { readonly share: string; readonly expectedRows: number } | null;
  readonly released: {
    readonly share: string;
    readonly requestId: string;
    readonly answers: readonly TargetedAnswer[];
  } | null;
  readonly rows: number | null;
  readonly reached: number | null;
  readonly epsilon: string;
  readonly capped: boolean;
  readonly certificate: string | null;
}

export interface TargetedAnswer {
  readonly name: string;
  readonly values: number;
  readonly typical: number;
  readonly halfWidth: number;
  readonly reached: number | null;
}

/** The most that a test of one unit's presence gains: true less false alarms; the true ones at one false in a hundred; the μ of Gaussian privacy, where one is proven. */
export interface Odds {
  readonly advantage: number;
  readonly mu: number | null;
  readonly truePositives: number;
}

/** The account as far as whoever was answered may see it. */
export type Account = SpentAccount | CappedAccount | WindowedAccount;

/** The cap alone. */
export interface CappedAccount {
  readonly granted: PrivacyLossText;
}

/** Windows alone bound it. */
export interface WindowedAccount {
  readonly lifetime: "none";
  readonly windows: readonly AccountWindow[];
}

export interface AccountWindow {
  readonly per: "day" | "week" | "month" | "quarter";
  readonly measure: PrivacyLossText["measure"];
  /** ε, or ρ. */
  readonly main: string | null;
  readonly delta: string | null;
}

export interface SpentAccount {
  readonly granted: PrivacyLossText;
  readonly spent: PrivacyLossText;
  readonly left: PrivacyLossText;
  readonly membershipAdvantage: number;
  readonly truePositives?: number;
  readonly mu?: number | null;
}

export function isEstimate(cell: Cell | undefined): cell is Estimate {
  return typeof cell === "object" && cell !== null && "value" in cell && typeof cell.value !== "string";
}

export function isTimeEstimate(cell: Cell | undefined): cell is TimeEstimate {
  return typeof cell === "object" && cell !== null && "value" in cell && typeof cell.value === "string";
}

export function isOther(cell: Cell | undefined): cell is Other {
  return typeof cell === "object" && cell !== null && "other" in cell;
}
