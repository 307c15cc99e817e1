import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inFolder } from "../testing/command-line.ts";
import { policyOf, workspaceOf } from "../workspace.ts";
import { neighbourOf } from "./neighbour-of.ts";

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  visits: { file: visits.csv, unit: pid, columns: { pid: { type: text }, cost: { type: number, bounds: [0, 9] } } }
budget: { measure: pure, epsilon: 5 }
`;

/** The neighbour that another policy makes of this one. */
const neighbour = (text: string): Promise<ReturnType<typeof neighbourOf>> =>
  inFolder({ "lethe.yaml": policy }, async () => {
    mkdirSync("other");
    writeFileSync("other/lethe.yaml", text);
    const own = workspaceOf();
    const found = neighbourOf(own, policyOf(own), "other/lethe.yaml");
    expect(found.workspace).toEqual({ ...workspaceOf("other/lethe.yaml"), seed: own.seed });
    return found;
  });

it("a neighbour is the same policy over tables that lie elsewhere, read under the policy's own seed", async () => {
  expect((await neighbour(policy)).policy.tables.visits!.file).toBe("visits.csv");
  const moved = await neighbour(
    policy.replace("file: visits.csv", "file: more.csv, csv: { delimiter: ';' }"),
  );
  expect(moved.policy.tables.visits).toMatchObject({ file: "more.csv", csv: { delimiter: ";" } });
  await expect(
    neighbour(policy.replace("visits.csv", "shop.duckdb, relation: main.visits")),
  ).resolves.toBeDefined();
});

it.each([
  ["[0, 9]", "[0, 10]"],
  ["unit: pid", "unit: row"],
  ["name: person", "name: patient"],
])("a policy with other words than %s is no neighbour", async (from, to) => {
  await expect(neighbour(policy.replace(from, to))).rejects.toMatchObject({
    code: "cli.usage",
    message: "the neighbour's policy differs in more than in where the tables lie",
  });
});

it("the policy itself is no neighbour, however its place is written", () =>
  inFolder({ "lethe.yaml": policy }, async (folder) => {
    const own = workspaceOf();
    for (const path of ["lethe.yaml", "./x/../lethe.yaml", join(process.cwd(), "lethe.yaml")])
      expect(() => neighbourOf(own, policyOf(own), path)).toThrow("--neighbour names the policy itself");
    expect(() => neighbourOf(own, policyOf(own), join(folder, "none.yaml"))).toThrow(/there is no policy/);
  }));
