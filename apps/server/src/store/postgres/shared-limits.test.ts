import { randomBytes } from "node:crypto";
import { draw, type KindRates, type RequestKind, requestKinds, spend } from "@lethe/serve";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from "../../../../../testing/src/postgres/start-postgres.ts";
import type { ServiceStore } from "../service-store.ts";
import { openServiceDatabase } from "./open-service-database.ts";
import { schemaName } from "./schema.ts";
import { forgetAttempts } from "./shared-attempts.ts";
import { forgetBuckets } from "./shared-limits.ts";
import { openTables, type Tables } from "./tables.ts";

const log = (): void => undefined;

describe.skipIf(!hasPostgres())("limits that processes share", () => {
  let server: PostgresServer;
  let tables: Tables;
  const stores: ServiceStore[] = [];
  beforeAll(async () => {
    server = await startPostgres({ fsync: "on", max_connections: "100" });
    const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count));
    for (let node = 0; node < 4; node += 1)
      stores.push(await openServiceDatabase({ url: server.url, random, connections: 6, log }));
    tables = openTables({ url: server.url, log });
  });
  afterAll(async () => {
    await tables.close();
    for (const store of stores) await store.close();
    await server.stop();
  });

  const clear = () => tables.run(`DELETE FROM ${schemaName}.buckets`);

  it("draw in the database as they do in one process, request by request", async () => {
    const rate = fc.record({
      burst: fc.integer({ min: 1, max: 50 }),
      perSecond: fc.double({ min: 0.01, max: 1e5, noNaN: true }),
    });
    const step = fc.record({
      // A clock may go back.
      after: fc.double({ min: -500, max: 3_000, noNaN: true }),
      cost: fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 60, noNaN: true })),
      must: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(rate, rate, fc.array(step, { maxLength: 25 }), async (one, two, steps) => {
        await clear();
        const fullAt: [number | undefined, number | undefined] = [undefined, undefined];
        let at = 1_800_000_000_000;
        for (const { after, cost, must } of steps) {
          at += Math.round(after);
          const [{ wait } = { wait: Number.NaN }] = await tables.run<{ readonly wait: number }>(
            `SELECT ${schemaName}.draw($1, $2, $3, $4, $5, $6) AS wait`,
            [
              ["a", "b"],
              [one.burst, two.burst],
              [1000 / one.perSecond, 1000 / two.perSecond],
              cost,
              must,
              at,
            ],
          );
          const draws = [draw(fullAt[0], one, at, cost), draw(fullAt[1], two, at, cost)] as const;
          const due = must ? 0 : Math.max(...draws.map(({ waitMs }) => waitMs));
          expect(wait).toBe(due);
          if (must) {
            fullAt[0] = spend(fullAt[0], one, at, cost);
            fullAt[1] = spend(fullAt[1], two, at, cost);
          } else if (due === 0) {
            fullAt[0] = draws[0].fullAt;
            fullAt[1] = draws[1].fullAt;
          }
        }
        const kept = await tables.run<{ readonly at: number }>(
          `SELECT full_at AS at FROM ${schemaName}.buckets WHERE full_at > '-Infinity' ORDER BY key`,
        );
        expect(kept.map((each) => each.at)).toEqual(fullAt.filter((each) => each !== undefined));
      }),
      { numRuns: 60 },
    );
  });

  it("admit at four processes together no more than one would: the burst, and the rate for the time that it took", async () => {
    await clear();
    const rate = { burst: 30, perSecond: 20 };
    const rates = Object.fromEntries(
      requestKinds.map((kind) => [kind, { person: rate, address: { burst: 1e6, perSecond: 1e6 } }]),
    ) as unknown as Record<RequestKind, KindRates>;
    const limits = stores.map((store) => store.limits(rates, 1_000));
    const clock = async (): Promise<number> => {
      const [row] = await tables.run<{ readonly at: number }>(
        "SELECT EXTRACT(epoch FROM clock_timestamp())::float8 AS at",
      );
      return row!.at;
    };
    const began = await clock();
    let admitted = 0;
    await Promise.all(
      Array.from({ length: 16 }, async (_, client) => {
        for (let turn = 0; turn < 40; turn += 1) {
          const waitMs = await limits[client % 4]!.waitMs({
            kind: "ask",
            person: "ada",
            address: `10.0.${client}.1`,
            at: 0,
          });
          if (waitMs === 0) admitted += 1;
        }
      }),
    );
    const most = rate.burst + rate.perSecond * ((await clock()) - began);
    expect(admitted).toBeLessThanOrEqual(most);
    expect(admitted).toBeGreaterThanOrEqual(rate.burst);
  });

  it("keep no more buckets than they must: full ones go, and of too many the fullest", async () => {
    await clear();
    await tables.run(
      `INSERT INTO ${schemaName}.buckets SELECT 'k' || n, EXTRACT(epoch FROM clock_timestamp()) * 1000 + (n - 100) * 1e6, 1e9 FROM generate_series(1, 400) AS n`,
    );
    await forgetBuckets(tables, 1_000);
    const keys = () =>
      tables.run<{ readonly n: number }>(
        `SELECT substr(key, 2)::int AS n FROM ${schemaName}.buckets ORDER BY 1`,
      );
    expect((await keys())[0]!.n).toBe(101);
    await forgetBuckets(tables, 40);
    expect((await keys()).map(({ n }) => n)).toEqual(Array.from({ length: 10 }, (_, at) => 391 + at));
  });

  it("count failed sign-ins at all processes together, and keep the most", async () => {
    const [one, two] = stores as [ServiceStore, ServiceStore];
    for (const store of [one, two, one, two])
      expect((await store.attempts.admit("ada", "192.0.2.1", 0)).waitMs).toBe(0);
    expect((await one.attempts.admit("ada", "192.0.2.1", 0)).waitMs).toBeGreaterThan(0);
    const begun = await two.attempts.admit("bob", "192.0.2.1", 0);
    expect(begun.waitMs).toBe(0);
    await two.attempts.succeeded("bob", "192.0.2.1", begun.at);
    const rules = { most: 1, halfLifeMs: 240 * 60_000 } as Parameters<typeof forgetAttempts>[1];
    await forgetAttempts(tables, rules);
    const rows = await tables.run(
      `SELECT kind, key FROM ${schemaName}.attempts WHERE kind IN ('name', 'pair') ORDER BY kind`,
    );
    expect(rows).toEqual([
      { kind: "name", key: "ada" },
      { kind: "pair", key: '["ada","192.0.2.1"]' },
    ]);
  });
});
