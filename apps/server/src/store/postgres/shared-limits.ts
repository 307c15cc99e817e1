import {
  bucketsOf,
  type KindRates,
  type LimitedRequest,
  type RequestKind,
  type RequestLimits,
} from "@lethe/serve";
import { schemaName } from "./schema.ts";
import type { Tables } from "./tables.ts";

/** Draws of one process between two looks at how many buckets there are. */
const drawsBetweenLooks = 512;

export interface SharedLimitsOptions {
  readonly rates: Readonly<Record<RequestKind, KindRates>>;
  /** The buckets that are kept: a full one is as good as none and goes first; where that is not enough, the fullest go, down to a quarter. */
  readonly most: number;
}

/**
 * Rates that all processes of a service hold to together: each request is one statement, which draws from buckets in the database by the database's clock. See {@link drawFunction}: what is admitted by all of them in any time is no
 * more than one process alone would admit.
 */
export function sharedLimits(tables: Tables, { rates, most }: SharedLimitsOptions): RequestLimits {
  let draws = 0;
  const draw = async (request: LimitedRequest, must: boolean): Promise<number> => {
    const buckets = [...bucketsOf(rates, request)].sort((a, b) => (a.key < b.key ? -1 : 1));
    const [row] = await tables.run<{ readonly wait: number }>(
      `SELECT ${schemaName}.draw($1::text[], $2::float8[], $3::float8[], $4, $5, NULL) AS wait`,
      [
        buckets.map(({ key }) => key),
        buckets.map(({ rate }) => rate.burst),
        buckets.map(({ rate }) => 1000 / rate.perSecond),
        request.cost ?? 1,
        must,
      ],
    );
    draws += 1;
    if (draws % drawsBetweenLooks === 0) await forgetBuckets(tables, most);
    return (row as { readonly wait: number }).wait;
  };
  return {
    waitMs: (request) => draw(request, false),
    spend: async (request) => {
      await draw(request, true);
    },
  };
}

/** Forgets buckets that are full, and of too many the fullest. Those that another process draws from are left. */
export async function forgetBuckets(tables: Tables, most: number): Promise<void> {
  const now = "EXTRACT(epoch FROM clock_timestamp()) * 1000";
  const remove = (those: string): string =>
    `DELETE FROM ${schemaName}.buckets WHERE key IN (SELECT key FROM ${schemaName}.buckets ${those} FOR UPDATE SKIP LOCKED)`;
  await tables.run(remove(`WHERE full_at <= ${now}`));
  const [counted] = await tables.run<{ readonly count: number }>(
    `SELECT COUNT(*)::float8 AS count FROM ${schemaName}.buckets`,
  );
  const count = counted?.count ?? 0;
  if (count <= most) return;
  await tables.run(`${remove(`ORDER BY (full_at - ${now}) / span LIMIT $1`)}`, [
    count - Math.floor(most / 4),
  ]);
}
