import { afterEach, expect, test } from "vitest";
import { inInstance } from "../instance.ts";
import { defaultLimits } from "../limits.ts";
import { type Fixture, fixture } from "../testing/engine-fixture.ts";
import { buildIndex } from "./build-index.ts";
import { importTable } from "./import-table.ts";
import { runTelling } from "./progress.ts";

let house: Fixture | undefined;
afterEach(() => house?.remove());

test("an import and an index tell each of their steps from nothing to all, and never less than before", async () => {
  house = fixture(
    "visits: { file: visits.csv, unit: person, limit: rows-before-filter, columns: { person: { type: text }, n: { type: integer, bounds: [0, 9] } } }",
  );
  house.write(
    "visits.csv",
    `person,n\n${Array.from({ length: 200_000 }, (_, at) => `p${at % 700},${at % 10}`).join("\n")}\n`,
  );
  const heard: (readonly [string, number])[] = [];
  const progress = (step: string, share: number): void => void heard.push([step, share]);
  await importTable({ ...house, table: "visits", progress });
  await buildIndex({ ...house, table: "visits", seed: "s", progress });
  const steps = [...new Set(heard.map(([step]) => step))];
  expect(steps).toEqual(["checking visits.csv", "writing rows", "ordering the rows of visits"]);
  for (const step of steps) {
    const shares = heard.filter(([each]) => each === step).map(([, share]) => share);
    expect(shares.at(-1)).toBe(1);
    expect(shares.every((share, at) => share >= 0 && share >= (shares[at - 1] ?? 0))).toBe(true);
    expect(shares.length).toBeGreaterThan(1);
  }
});

test("a statement that takes long tells shares between, and one that fails is heard of no more", async () => {
  house = fixture(
    "people: { file: people.csv, unit: row, columns: { n: { type: integer, bounds: [0, 9] } } }",
  );
  const limits = { ...defaultLimits(house.stateDirectory), threads: 1 };
  await inInstance(limits, async (connection) => {
    const shares: number[] = [];
    await connection.run("CREATE TABLE many AS SELECT md5(range::VARCHAR) AS text FROM range(1000000)");
    const sql = "CREATE TABLE sorted AS SELECT md5(md5(md5(text))) AS text FROM many ORDER BY text";
    await runTelling(connection, { sql }, (share) => shares.push(share));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    const failing = runTelling(connection, { sql: "SELECT error('no') FROM many" }, (share) =>
      shares.push(share),
    );
    await expect(failing).rejects.toThrow("no");
    const { length } = shares;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(shares).toHaveLength(length);
  });
});
