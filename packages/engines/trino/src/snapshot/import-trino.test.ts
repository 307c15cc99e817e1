import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational } from "@lethe/core/numeric";
import {
  compilePlan,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  resolveQuestion,
  trino,
} from "@lethe/query";
import { askTrino, hasTrino, type TrinoTables, trinoTables, trinoUrlOf } from "@lethe/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal } from "../../../../core/src/exact/exact.ts";
import { openTrino } from "../open-trino.ts";
import type { TrinoEngine } from "../trino-engine.ts";
import { importTrino, removeTrinoSnapshot } from "./import-trino.ts";

describe.skipIf(!hasTrino())("a snapshot in Trino", () => {
  let own: TrinoTables;
  let state: string;
  const policyOf = (limit: string, columns = "", bound = 100) =>
    readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  visits: { relation: iceberg.${own.schema}.visits, unit: person, max_groups_contributed: 2, max_rows_contributed_per_group: 2, limit: ${limit},
    columns: { person: { type: integer }, ward: { type: text, categories: [a, b, c, d] }, cost: { type: number, bounds: [0, ${bound}] }${columns} } }
`);
  beforeAll(async () => {
    state = mkdtempSync(join(tmpdir(), "lethe-trino-snapshot-"));
    own = await trinoTables("iceberg");
    await askTrino(`CREATE TABLE iceberg.${own.schema}.visits AS
      SELECT i % 40 AS person, substr('abcdx', 1 + (i * 7) % 5, 1) AS ward, IF(i % 13 = 0, nan(), i * 0.37 - 3e0) AS cost
      FROM UNNEST(sequence(1, 400)) AS t (i)`);
  });
  afterAll(async () => {
    rmSync(state, { recursive: true });
    await own.drop();
  });

  const log = (): void => undefined;
  const url = (): string => trinoUrlOf("lethe", "iceberg");
  const ownersUrl = (): string => trinoUrlOf("owner", `iceberg/${own.schema}`);
  const place = (policy: ReturnType<typeof policyOf>, seed: string) => ({
    ...{
      policy,
      table: "visits",
      url: url(),
      ownersUrl: ownersUrl(),
      seed,
      stateDirectory: state,
      clock: () => 0,
      log,
    },
  });

  async function answers(engine: TrinoEngine, policy: ReturnType<typeof policyOf>): Promise<unknown> {
    const storage = await engine.storage("visits");
    const texts = [
      "ward, COUNT(*), AVG(cost) FROM visits GROUP BY ward",
      "COUNT(DISTINCT person), SUM(cost) FROM visits WHERE cost > 20",
    ];
    const all = [];
    for (const text of texts) {
      const question = resolveQuestion(await parseQuestion(`SELECT ${text}`), policy);
      const options = { epsilon: parseRational("1") };
      const plan = planQuestion(question, policy, options, policyHash(policy));
      const { groups } = unseal(await engine.run(compilePlan(plan, () => storage, trino)));
      all.push(groups.map(({ key, units, sums }) => `${key} ${units} ${sums}`).sort());
    }
    return all;
  }

  it.each(["groups-after-filter", "rows-before-filter"])(
    "gives the answers of the table, %s",
    async (limit) => {
      const policy = policyOf(limit);
      const live = openTrino({ policy, url: url(), seed: "s", log });
      const { rows, manifest } = await importTrino(place(policy, "s"));
      expect(rows).toBe("400");
      const frozen = openTrino({ policy, url: url(), seed: "s", log, stateDirectory: state });
      expect(await frozen.storage("visits")).toMatchObject({
        relation: manifest.relation,
        layout: "snapshot",
        imported: manifest.id,
        hasPlaces: true,
        hasUnitNumbers: true,
      });
      expect(await answers(frozen, policy)).toEqual(await answers(live, policy));
      const other = openTrino({ policy, url: url(), seed: "another", log, stateDirectory: state });
      expect(await other.storage("visits")).toMatchObject({ layout: "snapshot", hasPlaces: false });
      await Promise.all([live, frozen, other].map((engine) => engine.close()));
    },
  );

  it("is refused under another policy, and once it was written to; and goes when it is told to", async () => {
    const policy = policyOf("rows-before-filter");
    const { manifest } = await importTrino(place(policy, "s"));
    const wider = openTrino({
      policy: policyOf("rows-before-filter", "", 50),
      url: url(),
      seed: "s",
      log,
      stateDirectory: state,
    });
    await expect(wider.storage("visits")).rejects.toMatchObject({ code: "policy.changed" });
    await askTrino(`DELETE FROM ${manifest.relation.map((name) => `"${name}"`).join(".")} WHERE person = 1`);
    const frozen = openTrino({ policy, url: url(), seed: "s", log, stateDirectory: state });
    await expect(frozen.storage("visits")).rejects.toMatchObject({
      code: "engine.source",
      message: "the snapshot of visits is not as it was written",
    });
    expect(await removeTrinoSnapshot(place(policy, "s"))).toBe(true);
    expect(await removeTrinoSnapshot(place(policy, "s"))).toBe(false);
    expect((await frozen.storage("visits")).layout).toBe("raw");
    await Promise.all([wider.close(), frozen.close()]);
  });

  it("is not written by a user that may only read, and nothing is in force then", async () => {
    const policy = policyOf("rows-before-filter");
    await expect(
      importTrino({ ...place(policy, "s"), ownersUrl: trinoUrlOf("lethe", `iceberg/${own.schema}`) }),
    ).rejects.toMatchObject({
      code: "engine.source",
    });
    const engine = openTrino({ policy, url: url(), seed: "s", log, stateDirectory: state });
    expect((await engine.storage("visits")).layout).toBe("raw");
    await engine.close();
  });
});
