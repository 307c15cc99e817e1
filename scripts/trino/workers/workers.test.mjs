import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { charges, inFolder, lethe } from "../../../apps/cli/src/testing/command-line.ts";
import { report } from "../../../testing/src/replay/report.ts";
import { askAs } from "../ask.mjs";
import { startTrino } from "../cluster.mjs";
import { clinicUnits, makeClinic, makeClinicOnDuckDb } from "./clinic.mjs";
import { duckDbAnswers, freezeClinic, trinoAnswers, urlOf } from "./clinic-answers.mjs";
import { splitWork, untilSplit } from "./split-work.mjs";

/* A Trino of several nodes computes what one node computes, and DuckDB. `npm run bench -- trino-workers` starts one; the tests compare the one that LETHE_TRINO names, on few rows. */

const named = clinicUnits.map((unit) => [unit.join(", "), unit]);
const schema = `clinic_${process.pid}`;

const manifestsOf = (unit, folder) => join(folder, `manifests-${clinicUnits.indexOf(unit)}`);

/** What a Trino computes of a clinic under one of its units: of the tables as they lie, and of their snapshots, which it writes. */
async function compared(url, unit, folder) {
  const raw = await trinoAnswers(url, unit, schema);
  await freezeClinic(url, unit, schema, manifestsOf(unit, folder));
  return { raw, snapshot: await trinoAnswers(url, unit, schema, manifestsOf(unit, folder)) };
}

describe.skipIf(!process.env.LETHE_TRINO)("one Trino, which LETHE_TRINO names", () => {
  let folder;
  const url = process.env.LETHE_TRINO;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "lethe-clinic-"));
    await makeClinic(url, schema, 4_000);
    await makeClinicOnDuckDb(join(folder, "clinic.duckdb"), 4_000);
  });
  afterAll(async () => {
    await askAs("owner", url, `DROP SCHEMA IF EXISTS iceberg.${schema} CASCADE`);
    rmSync(folder, { recursive: true });
  });

  it("computes what DuckDB does", async () => {
    const unit = clinicUnits[1];
    const expected = await duckDbAnswers(unit, folder);
    expect(await compared(url, unit, folder)).toEqual({ raw: expected, snapshot: expected });
  });
});

const rows = Number(process.env.TRINO_WORKERS ?? 0);

describe.skipIf(!(rows > 0))("a coordinator with two workers (TRINO_WORKERS)", () => {
  let folder;
  let cluster;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "lethe-workers-"));
    cluster = await startTrino({
      workers: 2,
      warehouse: join(folder, "warehouse"),
      extra: {
        // A worker that does not answer is given up within seconds.
        "query.remote-task.max-error-duration": "5s",
        "exchange.max-error-duration": "5s",
        // No question is forgotten before its work is counted.
        "query.min-expire-age": "1h",
        "query.max-history": 1000,
      },
    });
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  describe("and one node over the same tables", () => {
    const alone = new Map();
    beforeAll(async () => {
      await makeClinicOnDuckDb(join(folder, "clinic.duckdb"), rows);
      const one = await startTrino({ warehouse: join(folder, "warehouse") });
      try {
        await makeClinic(one.url, schema, rows);
        for (const unit of clinicUnits) alone.set(unit, await compared(one.url, unit, folder));
      } finally {
        await one.stop();
      }
    });

    it.each(named)("compute the same as DuckDB, of tables and of snapshots: %s", async (_, unit) => {
      const expected = await duckDbAnswers(unit, folder);
      const single = alone.get(unit);
      const found = {
        raw: await trinoAnswers(cluster.url, unit, schema),
        snapshot: await trinoAnswers(cluster.url, unit, schema, manifestsOf(unit, folder)),
      };
      const differences = Object.entries(expected).flatMap(([question, answer]) =>
        [single.raw, single.snapshot, found.raw, found.snapshot].filter(
          (all) => JSON.stringify(all[question], texts) !== JSON.stringify(answer, texts),
        ),
      );
      report("answers", { answers: 4 * Object.keys(expected).length, differences: differences.length });
      expect(single).toEqual({ raw: expected, snapshot: expected });
      expect(found).toEqual({ raw: expected, snapshot: expected });
    });

    it("split the work over both workers, and leave none to the coordinator", async () => {
      const work = await splitWork(cluster.url, " AS units");
      const all = work.reduce((sum, [, , ms]) => sum + ms, 0);
      const shares = work.map(([, isCoordinator, ms]) => [isCoordinator, ms / all]);
      report("split work", { ms: all, shares: shares.map(([, share]) => share) });
      expect(shares).toEqual([
        [true, 0],
        [false, expect.any(Number)],
        [false, expect.any(Number)],
      ]);
      for (const [, share] of shares.slice(1)) expect(share).toBeGreaterThanOrEqual(0.25);
    });
  });

  const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  orders: { relation: tpch.sf1.orders, unit: custkey, max_groups_contributed: 2, max_rows_contributed_per_group: 2,
    columns: { custkey: { type: integer }, orderstatus: { type: text, categories: [F, O, P] } } }
  lines: { relation: tpch.sf1.lineitem, unit: row, columns: { quantity: { type: number, bounds: [0, 50] } } }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
`;

  /** Runs what asks the cluster by commands, in a folder with a policy and a ledger of its own; the ledger must verify after it. */
  const withLedger = (session, work) =>
    inFolder({ "lethe.yaml": policy }, async () => {
      process.env.LETHE_DATABASE_URL = urlOf(cluster.url, "lethe", session);
      try {
        expect(await lethe("init")).toMatchObject({ code: null });
        await work();
        expect(await lethe("ledger", "verify")).toMatchObject({ error: "", code: null });
      } finally {
        delete process.env.LETHE_DATABASE_URL;
      }
    });

  const ask = (request, text) =>
    lethe("query", "--epsilon", "1", "--format", "json", "--request", request, text);
  const failed = {
    out: "",
    code: "engine.failed",
    error:
      "error [engine.failed] the database could not answer; details are in the owner's log\n  fix: ask the owner of the data",
  };

  it("fails by the constant, and is paid, where a question needs more of a worker's memory than it may have", () =>
    withLedger("?session.query_max_memory_per_node=24MB", async () => {
      const said = await ask("memory", "SELECT orderstatus, COUNT(*) FROM orders GROUP BY orderstatus");
      report("memory", { failed: said.code === failed.code ? 1 : 0 });
      expect(said).toEqual(failed);
      expect(await charges()).toBe(1);
    }));

  it("fails by the constant where a worker dies, and answers under the same charge by the worker that is left, and by both", () =>
    withLedger("", async () => {
      const total = "SELECT COUNT(*), AVG(quantity) FROM lines";
      const asked = ask("death", total);
      await untilSplit(cluster.url, "lineitem", 2);
      process.kill(cluster.nodes[1], "SIGKILL");
      expect(await asked).toEqual(failed);
      expect(await charges()).toBe(1);
      const answer = await ask("death", total);
      expect(answer).toMatchObject({ error: "", code: null });
      expect(await ask("death", total)).toEqual(answer);
      expect(await charges()).toBe(1);

      await cluster.revive(1);
      expect(await ask("both", "SELECT SUM(quantity) FROM lines")).toMatchObject({ error: "", code: null });
      expect(await charges()).toBe(2);
      const [, ...workers] = await splitWork(cluster.url, "lineitem");
      for (const [, , ms] of workers) expect(ms).toBeGreaterThan(0);
      report("death", { answered: 2, charges: 2 });
    }));
});

/** Exact integers as texts. */
const texts = (_, value) => (typeof value === "bigint" ? `${value}n` : value);
