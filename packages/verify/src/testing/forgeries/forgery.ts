import { type Plan, type Policy, readPolicy } from "@lethe/query";
import type { Release, SpentAccount } from "../../format/release.ts";
import { type Sample, sample } from "../people.ts";

export type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
/** A release that is being forged. */
export type Draft = Mutable<Release>;
export type Judge = (release: Release, policy: string) => unknown;

const grouped =
  "SELECT sector, COUNT(*) AS n, SUM(change) AS total, AVG(wage) AS mean FROM people WHERE wage > 3 GROUP BY sector";
export const bySector: Sample = { text: grouped };
export const counted: Sample = {
  text: "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector",
  measure: "pure",
};
export const ofUnits: Sample = { text: grouped, unit: "id" };
export const byCity: Sample = { text: "SELECT city, COUNT(*) AS n FROM people GROUP BY city", unit: "id" };
/** Its groups are those of a list, with or without rows of units. */
export const kept: Sample = {
  text: "SELECT list.sector, COUNT(*) AS n FROM (VALUES ('construction'), ('other')) AS list(sector) LEFT JOIN people ON people.sector = list.sector GROUP BY list.sector",
};
export const quantile: Sample = { text: "SELECT MEDIAN(wage) AS m FROM people" };

export const ofPlan =
  (judge: (plan: Plan) => unknown): Judge =>
  ({ certificate }) =>
    judge(certificate.plan);
export const ofPolicy =
  (judge: (plan: Plan, policy: Policy) => unknown): Judge =>
  ({ certificate }, policy) =>
    judge(certificate.plan, readPolicy(policy));
export const ofCertificate =
  (judge: (certificate: Release["certificate"]) => unknown): Judge =>
  ({ certificate }) =>
    judge(certificate);

type PublicKeys = { kind: "public"; declared: unknown[][] };
export const declared = ({ certificate: { plan } }: Draft): unknown[][] =>
  (plan.keys.program as PublicKeys).declared;
export const estimateOf = (draft: Draft): { value: unknown; lower: unknown; upper: unknown } =>
  draft.rows[0]![1] as never;
export const sumsOf = (draft: Draft): Record<string, unknown>[] => draft.certificate.plan.sums as never;
export const columnsOf = (draft: Draft): Record<string, Record<string, unknown>> =>
  (draft.certificate.plan.from as never as { columns: Record<string, Record<string, unknown>> }).columns;
/** The account of a release that tells what is spent of it. */
export const spentOf = ({ certificate }: { readonly certificate: unknown }): Mutable<SpentAccount> =>
  (certificate as { readonly account: never }).account;
export const lossOf = (loss: unknown): Record<string, string> => loss as never;

/** A text that the judge must say of a sample after this change. */
export type Forgery = readonly [says: string, given: Sample, judge: Judge, change: (draft: Draft) => void];

/** A text, and a function whose result must tell it. */
export type Telling = readonly [says: string, tell: () => unknown];

export const tellingOf = ([says, given, judge, change]: Forgery): Telling => [
  says,
  async () => {
    const { release, policy } = await sample(given);
    const draft = structuredClone(release) as Draft;
    change(draft);
    return judge(draft as Release, policy);
  },
];
