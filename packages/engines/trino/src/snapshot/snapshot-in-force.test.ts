import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LetheError } from "@lethe/core";
import { type Policy, readPolicy, type TableStorage } from "@lethe/query";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readingInTrino } from "./reading-in-trino.ts";
import { snapshotInForce } from "./snapshot-in-force.ts";
import {
  domainHash,
  placesSeed,
  readTrinoManifest,
  type TrinoManifest,
  writeTrinoManifest,
} from "./trino-manifest.ts";

let stateDirectory: string;
beforeEach(() => {
  stateDirectory = mkdtempSync(join(tmpdir(), "lethe-trino-manifest-"));
});
afterEach(() => rmSync(stateDirectory, { recursive: true }));

const policyOf = (open = "unit: id", bound = 9): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  Visits: { relation: lake.clinic.visits, unit: id, columns: { id: { type: integer }, x: { type: number, bounds: [0, ${bound}] } } }
  other: { relation: lake.clinic.other, ${open}, columns: { id: { type: integer } } }
`);

function imported(policy: Policy, table: string, facts: Partial<TrinoManifest> = {}): void {
  writeTrinoManifest(stateDirectory, {
    ...{
      version: 1,
      id: "an id",
      table,
      relation: ["lake", "lethe", "copy"],
      previous: null,
      state: "9007199254740993",
    },
    ...{ domainHash: domainHash(policy.tables[table]!), sources: [`clinic.${table}`], unitNumbers: true },
    ...{ places: placesSeed("s"), asOf: "2026-01-01T00:00:00.000Z" },
    ...facts,
  });
}

const asked = (policy: Policy, state = "9007199254740993", seed = "s"): Promise<TableStorage | LetheError> =>
  snapshotInForce(
    async () => [[state]],
    { policy, table: "Visits", stateDirectory, seed },
    policy.tables.Visits!,
  ).then(
    ({ storage }) => storage,
    (error: LetheError) => error,
  );

it("is asked in the very state that was written, and its places under their seed alone", async () => {
  const policy = policyOf();
  expect(await asked(policy)).toMatchObject({ code: "engine.not-imported" });
  imported(policy, "Visits");
  expect(await asked(policy)).toEqual({
    ...{
      relation: ["lake", "lethe", "copy"],
      layout: "snapshot",
      imported: "an id",
      hasUnitNumbers: true,
      hasPlaces: true,
    },
  });
  expect(await asked(policy, "9007199254740993", "another")).toMatchObject({ hasPlaces: false });
  expect(await asked(policy, "9007199254740992")).toMatchObject({
    code: "engine.source",
    message: "the snapshot of Visits is not as it was written",
  });
});

it("is told without a server: what is read, of which moment, and whether rows have the order that is needed", () => {
  const policy = policyOf();
  const readingOf = (table: string, needsOrder = true, seed = "s", of = policy) =>
    readingInTrino({ policy: of, table, stateDirectory, needsOrder, seed: () => seed });
  const lies = { table: "Visits", from: "lies", snapshot: null, asOf: null, order: "none" };
  expect(readingOf("Visits")).toEqual(lies);
  imported(policy, "Visits");
  const frozen = { ...lies, from: "snapshot", snapshot: "lake.lethe.copy", asOf: "2026-01-01T00:00:00.000Z" };
  expect(readingOf("Visits")).toEqual({ ...frozen, order: "built" });
  expect(readingOf("Visits", true, "another")).toEqual({ ...frozen, order: "other-seed" });
  expect(readingOf("Visits", false)).toEqual({ ...frozen, order: null });
  expect(readingOf("other")).toEqual({ ...lies, table: "other", from: "not-imported" });
  expect(readingOf("Visits", true, "s", policyOf("unit: id", 8))).toEqual({ ...lies, from: "stale" });
  imported(policyOf("unit: row"), "other", { places: null });
  expect(readingOf("other", true, "s", policyOf("unit: row"))).toMatchObject({
    from: "snapshot",
    order: "not-needed",
  });
});

it("of a table that needs no order is told without the seed, which may be lost", () => {
  const policy = policyOf();
  imported(policy, "Visits");
  const seed = (): string => expect.fail("the seed was asked");
  expect(readingInTrino({ policy, table: "Visits", stateDirectory, needsOrder: false, seed })).toMatchObject({
    from: "snapshot",
    order: null,
  });
});

it("is refused under a policy of other cells", async () => {
  imported(policyOf(), "Visits");
  expect(await asked(policyOf("unit: id", 8))).toMatchObject({ code: "policy.changed" });
});

it("is refused beside another of one source in another role, or of one that cannot be told", async () => {
  const policy = policyOf("public: true");
  imported(policy, "Visits");
  imported(policy, "other");
  expect(await asked(policy)).toMatchObject({ layout: "snapshot" });
  for (const sources of [["clinic.Visits"], null]) {
    imported(policy, "other", { sources });
    expect(await asked(policy)).toMatchObject({ code: "policy.roles" });
  }
});

it("has a manifest of its own name, which must be one", () => {
  const policy = policyOf();
  imported(policy, "Visits");
  expect(readTrinoManifest(stateDirectory, "visits")).toBeNull();
  imported(policy, "Visits", { table: "other" });
  imported(policy, "other", { version: 2 as 1 });
  expect(() => readTrinoManifest(stateDirectory, "other")).toThrow("no readable manifest");
});
