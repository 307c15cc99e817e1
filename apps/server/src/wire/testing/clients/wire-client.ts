/** What a client does, or is declared not to do, in docs/reference/wire-clients.md. */
export const features = [
  "tls",
  "binding",
  "reflect",
  "price",
  "simple",
  "prepared",
  "binary",
  "cursor",
  "copy",
  "repeat",
  "refusal",
  "cancel",
] as const;
export type Feature = (typeof features)[number];

/** Where a client connects to, and what it asks there. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** The file of the certificate that the service is known by. */
  readonly certificate: string;
  /** The value of the parameter of the question that is prepared, which makes it the literal one. */
  readonly age: number;
  readonly questions: Readonly<Record<"literal" | "prepared" | "slow" | "refused", string>>;
  /** Resolves once the service is at the slow question of this user. */
  readonly isAsked: () => Promise<void>;
}

/** What came of a feature: what the client was told. */
export interface Told {
  readonly user?: string;
  readonly tables?: readonly string[];
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly notices?: readonly string[];
  /** How many rows came in each part. */
  readonly parts?: readonly number[];
  /** A COPY as csv with its header. */
  readonly csv?: string;
  /** Whether the answer was the same when the statement was run again. */
  readonly same?: boolean;
  readonly state?: string | undefined;
  readonly position?: number | undefined;
  readonly hint?: string | undefined;
  /** The answer to the question whose wait was called off. */
  readonly again?: number;
  readonly [other: string]: unknown;
}

/** What came of each feature: what was told, or how it failed. */
export type Outcomes = ReadonlyMap<Feature, Told | string>;

/** One client. */
export interface WireClient {
  readonly name: string;
  /** The version that is pinned; null where it is that of the machine. */
  readonly version: string | null;
  /** Why it cannot be run on this machine; null where it can. */
  readonly missing: () => string | null;
  /** What it has not, each with its reason. */
  readonly without: Readonly<Partial<Record<Feature, string>>>;
  readonly run: (place: Place, wanted: readonly Feature[]) => Promise<Outcomes>;
}

type Acts = Partial<Record<Feature, () => Promise<Told>>>;

/** Runs the features of a client that lives in this process, one after the other. */
export async function outcomesOf(acts: Acts, wanted: readonly Feature[]): Promise<Outcomes> {
  const outcomes = new Map<Feature, Told | string>();
  for (const feature of wanted)
    outcomes.set(
      feature,
      await (acts[feature]?.() ?? Promise.reject(new Error("no such act"))).catch((error) => `${error}`),
    );
  return outcomes;
}
