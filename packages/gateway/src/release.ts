import type { PrivacyLossText } from "@lethe/core";
import type { Odds } from "@lethe/core/accounting";
import { elementAt } from "@lethe/core/numeric";
import type { Plan, ReachedTarget } from "@lethe/query";

/** The only thing that leaves: rows with their intervals, the price, and a certificate that anyone can check. JSON throughout. */
export interface Release {
  readonly version: 1;
  readonly columns: readonly ReleasedColumn[];
  /** A row a group; cells in the order of `columns`. */
  readonly rows: readonly (readonly ReleasedCell[])[];
  /** The grouping that each row belongs to, where several are asked at once: {@link isGroupedAway}. */
  readonly groupings?: readonly RowGrouping[];
  /** What the question makes of `rows`, where it is a SELECT over an answer: this is what it shows. Absent elsewhere. */
  readonly over?: ShownRows;
  /** The answers to the other questions of the text, in the order of the plan, where it asks several: `over` is made of all. Absent elsewhere. */
  readonly others?: readonly OtherAnswer[];
  /** The values of the answers that questions of the text read before their rows were read, where some do. Absent elsewhere. */
  readonly released?: readonly ReleasedValue[];
  /** The chance that a group of this many units is missing, for private keys. Empty for public keys. */
  readonly missing: readonly { readonly units: number; readonly chance: number }[];
  /** Notes that a reader must know: selection by noisy values, aggregates that clamping may bias. */
  readonly notes: readonly string[];
  readonly certificate: Certificate;
  /** Hex Ed25519 signature, by the ledger's key, of the certificate's canonical JSON. */
  readonly signature: string;
}

/** The answer to another question of the text, under the name that the plan has for it. */
export interface OtherAnswer extends Pick<Release, "columns" | "rows" | "groupings" | "missing" | "notes"> {
  readonly name: string;
}

/** A value that stood in a question in the place of a subquery. */
export interface ReleasedValue {
  /** The subquery, as the plan writes it. */
  readonly sql: string;
  /** As cells show it: dates and timestamps are texts, ISO 8601, in UTC. */
  readonly value: string | number | boolean | null;
}

/** Columns, and rows of cells in their order. */
export interface ShownRows {
  readonly columns: readonly ReleasedColumn[];
  readonly rows: readonly (readonly ReleasedCell[])[];
}

/**
 * `aggregate` and `computed` columns hold estimates; `label` columns texts or booleans that were computed from noisy values
 * and have no interval, or ends of the intervals of other columns.
 */
export interface ReleasedColumn {
  readonly name: string;
  readonly kind: "key" | "aggregate" | "computed" | "label";
}

/**
 * Returns a release with the rows that its question shows in the place of those of the answers that they are made of, and with the notes on all of these.
 * `called` are the names of the columns for whoever asks the question again and calls them so.
 */
export function asShown(release: Release, called: readonly string[] | null = null): Release {
  const shown = withShownRows(release);
  if (called === null) return shown;
  return {
    ...shown,
    columns: shown.columns.map((column, at) => ({ ...column, name: elementAt(called, at) })),
  };
}

function withShownRows(release: Release): Release {
  const { groupings: _, over, others = [], released = [], ...rest } = release;
  if (!over) return release;
  const answers = [release, ...others];
  return {
    ...rest,
    ...over,
    missing: answers.find(({ missing }) => missing.length > 0)?.missing ?? [],
    notes: [...new Set([...released.map(releasedNote), ...answers.flatMap(({ notes }) => notes)])],
  };
}

/** Six digits serve for reading; the release holds all. */
function releasedNote({ sql, value }: ReleasedValue): string {
  const said = typeof value === "number" ? Number(value.toPrecision(6)) : (value ?? "NULL");
  return `${sql} was released as ${said}`;
}

/** Whether a column's cells are estimates. */
export function holdsEstimates({ kind }: Pick<ReleasedColumn, "kind">): boolean {
  return kind === "aggregate" || kind === "computed";
}

/** The place of a row among several groupings: places in the plan's `groupings`. */
export interface RowGrouping {
  readonly grouping: number;
  /** For a row that is the remainder of a total beside the released groups: the grouping of that total. Else null. */
  readonly over: number | null;
}

/** A key's value (64-bit integers beyond 2^53 as text; NULL where it is grouped away, too), the mark of all groups that are not released, or an estimate. */
export type ReleasedCell = string | number | boolean | null | Other | Estimate | TimeEstimate;

/** The mark in the place of a key that stands for all its values that no released group has. No value of a key reads like it. */
export interface Other {
  readonly other: true;
}

/**
 * A noisy value and the interval that holds the bounded aggregate (the exact one after the policy's clamping) with the
 * certificate's confidence, given that the row was released. All null where nothing is known.
 */
export interface Estimate {
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** An estimate of a date or a timestamp, and its interval's ends: ISO 8601, in UTC. */
export interface TimeEstimate {
  readonly value: string;
  readonly lower: string;
  readonly upper: string;
}

/** Everything needed to derive the price and the noise again. Signed. Says nothing of the data but through `rowsHash`. */
export interface Certificate {
  readonly version: 1;
  readonly requestId: string;
  readonly principal: string;
  /** ISO 8601, from the service's clock. */
  readonly at: string;
  /** The whole plan: question, policy hash, sensitivities, noise, event. */
  readonly plan: Plan;
  /** The loss that this release incurred, in the account's measure, as the ledger records it. */
  readonly charge: PrivacyLossText;
  /** The event's loss under every measure that can be proven for it. */
  readonly losses: readonly PrivacyLossText[];
  /**
   * What a test of one unit's presence gains at most from this release, by what was run for it and whatever else it knows: never less than the truth. `truePositives` is at one false alarm in
   * a hundred; `mu` is null where none is proven. Absent in releases from before it was stated.
   */
  readonly odds?: Odds;
  /** Coverage of the intervals, such as 0.95. */
  readonly confidence: number;
  /**
   * The release schedule that was kept for this answer: it had `each` milliseconds for each of so many statements, and left then, and not before. Absent where answers leave when they are
   * ready. That a schedule was kept says nothing of what time tells: timing is outside the guarantee.
   */
  readonly schedule?: CertifiedSchedule;
  /** The state of the account after this charge. */
  readonly account: AccountState;
  /** The charge's place in the ledger's hash chain. */
  readonly ledger: { readonly sequence: number; readonly hash: string; readonly publicKey: string };
  /** Hex sha256 of the canonical JSON of {columns, rows, missing, notes}, and of groupings, over, others and released where they are there. */
  readonly rowsHash: string;
  /**
   * The target error, where one was stated instead of a price: the error to reach, the numbers that it is a share of, and the price it took.
   */
  readonly target?: CertifiedTarget;
  /**
   * The release of the pilot, whole: its charge comes on top of this one. Where there is no target beside it, the second
   * request was not paid, and plan, charge and rows are the pilot's.
   */
  readonly pilot?: Release;
}

export interface CertifiedSchedule {
  /** Milliseconds. */
  readonly each: number;
  /** The statements that the plan asks of the database; of a question with a pilot, those of both requests. */
  readonly statements: number;
}

export interface CertifiedTarget extends ReachedTarget {
  /** Hex sha256 of the canonical JSON of the certificate of the release that it is a share of. */
  readonly certificate: string | null;
}

/** The account as whoever is answered may see it. */
export type AccountState = SpentAccount | CappedAccount | WindowedAccount;

/** The account's cap alone, for who may not see its spending. */
export interface CappedAccount {
  readonly granted: PrivacyLossText;
}

/** An account without a lifetime's cap: so much a window, unbounded over time. Nothing is said of all that it has released. */
export interface WindowedAccount {
  readonly lifetime: "none";
  readonly windows: readonly CertifiedWindow[];
}

/** A cap over a window of the UTC calendar, in the account's measure; what is null is not limited by it. */
export interface CertifiedWindow {
  readonly per: "day" | "week" | "month" | "quarter";
  readonly measure: PrivacyLossText["measure"];
  /** ε, or ρ of zcdp. */
  readonly main: string | null;
  readonly delta: string | null;
}

/** The account's cap and what is spent of it. */
export interface SpentAccount {
  readonly granted: PrivacyLossText;
  readonly spent: PrivacyLossText;
  readonly left: PrivacyLossText;
  /**
   * The most that any test can gain over guessing whether one person is in the data, from ALL that this account has released: that of the worst mechanism of what is spent; where that is this charge
   * alone, no more than its own odds.
   */
  readonly membershipAdvantage: number;
  /** Of the same, the most true alarms at one false in a hundred. Absent in releases from before it was stated, as is `mu`. */
  readonly truePositives?: number;
  /** Of the same, the μ of Gaussian differential privacy; null where none is proven. */
  readonly mu?: number | null;
}

export function isEstimate(cell: ReleasedCell): cell is Estimate {
  return typeof cell === "object" && cell !== null && "value" in cell && typeof cell.value !== "string";
}

export function isTimeEstimate(cell: ReleasedCell): cell is TimeEstimate {
  return typeof cell === "object" && cell !== null && "value" in cell && typeof cell.value === "string";
}

export function isOther(cell: ReleasedCell): cell is Other {
  return typeof cell === "object" && cell !== null && "other" in cell;
}

/** Whether the NULL in a cell is no value of a key, but stands for all of them: its row is of a grouping without that key. */
export function isGroupedAway(
  { groupings, certificate }: Pick<Release, "groupings" | "certificate">,
  row: number,
  column: number,
): boolean {
  const mark = groupings?.[row];
  if (mark === undefined) return false;
  const { plan } = certificate;
  const output = plan.outputs[column];
  return output?.kind === "key" && !elementAt(plan.groupings ?? [], mark.grouping).includes(output.key);
}
