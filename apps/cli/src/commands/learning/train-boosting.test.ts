import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { open } from "../../open.ts";
import { charges, inFolder, lethe } from "../../testing/command-line.ts";
import { oneFolder } from "../../testing/one-folder.ts";

const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [18, 90] }
      wage: { type: number, bounds: [0, 100] }
      sector: { type: text, categories: [trade, other] }
      member: { type: boolean }
budget: { measure: approximate, epsilon: 10000, delta: 1e-5, analysts: { ada: 50 } }
`;

/** The wage is 20, and 30 more in trade, and 20 more from 54 on; a member has a wage above 45. */
const wageOf = (age: number, trade: boolean): number => 20 + (trade ? 30 : 0) + (age >= 54 ? 20 : 0);
const people = Array.from({ length: 2000 }, (_, i) => {
  const [age, trade] = [18 + ((i * 37) % 73), i % 3 === 0];
  const wage = wageOf(age, trade);
  return `${age},${wage + ((i * 53) % 41) / 10 - 2},${trade ? "trade" : "other"},${wage > 45}`;
});
const file = (rest: string): string => `version: 1\ntable: people\nmodel: boosting\n${rest}\n`;
const models = {
  "wage.yaml": file("target: wage\nfeatures: [age, sector]"),
  "old.yaml": file("where: age >= 54\ntarget: wage\nfeatures: [age, sector]"),
  "member.yaml": file("target: member\nfeatures: [age, sector]\nrounds: 4"),
  "wrong.yaml": file("target: wage\nfeatures: [height]"),
  "pca.yaml": "version: 1\ntable: people\nmodel: pca\nfeatures: [age, wage]\n",
};

const files = {
  "lethe.yaml": policy,
  "people.csv": `age,wage,sector,member\n${people.join("\n")}\n`,
  ...models,
};
oneFolder(files, async () => {
  expect((await lethe("init")).error).toBe("");
  expect((await lethe("import")).error).toBe("");
});

const high = ["--epsilon", "900", "--delta", "1e-6"];

describe("lethe train of a boosting", () => {
  it("tells price, noise and steps before anything is paid", async () => {
    const before = await charges();
    const { out, error } = await lethe(
      "train",
      "wage.yaml",
      "--epsilon",
      "1",
      "--delta",
      "1e-6",
      "--explain",
    );
    expect(error).toBe("");
    expect(out).toMatch(/^Price {3}ε 1, δ 1e-6 for the whole training/);
    expect(out).toContain("Steps   16: 8 rounds of 2 features");
    const asked = ["train", "wage.yaml", "--delta", "1e-6", "--explain", "--format", "json", "--epsilon"];
    const [dear, cheap] = [
      JSON.parse((await lethe(...asked, "2")).out),
      JSON.parse((await lethe(...asked, "1")).out),
    ];
    expect(cheap.model.steps.deviation).toBeGreaterThan(1.7 * dear.model.steps.deviation);
    expect(await charges()).toBe(before);
  });

  it("pays once, and finds the law of the data at a high price", async () => {
    const before = await charges();
    const { out, error } = await lethe("train", "wage.yaml", ...high, "--out", "wage.json");
    expect(error).toBe("");
    expect(await charges()).toBe(before + 1);
    expect(out).toContain("Boosted model of wage");
    const { kind, release } = JSON.parse(readFileSync("wage.json", "utf8"));
    expect(kind).toBe("boosting");
    expect(release.certificate.procedure).toMatchObject({
      kind: "boosting",
      plan: { source: "people", where: null, rows: 1 },
    });
    const [age, sector] = release.result.shapes;
    const added = (years: number): number =>
      age.bins[age.edges.filter((edge: number) => edge <= years).length].value;
    const inTrade = sector.groups.findIndex((group: string[]) => group.includes("trade"));
    expect(added(80) - added(30)).toBeGreaterThan(18);
    expect(added(80) - added(30)).toBeLessThan(22);
    expect(Math.abs(sector.bins[inTrade].value - sector.bins[1 - inTrade].value - 30)).toBeLessThan(2);
  });

  it("is checked by lethe verify, which derives its event again", async () => {
    const asked = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    const { out, error } = await lethe("verify", "wage.json", ...asked);
    expect(error).toBe("");
    expect(out).toContain("the event is counts of 2 features and 16 steps");
    expect(out).not.toContain("FAILED");
    const text = readFileSync("wage.json", "utf8");
    const changed: string = text.replace(/"rounds": ?8/, '"rounds":80');
    expect(changed).not.toBe(text);
    writeFileSync("forged.json", changed);
    const forged = await lethe("verify", "forged.json", ...asked);
    expect(forged.code).toBe("release.invalid");
    expect(forged.out).toContain("derived 160 times");
  });

  it("reads the rows of its condition alone", async () => {
    const { out } = await lethe("train", "old.yaml", ...high, "--format", "json");
    const [, sector] = JSON.parse(out).release.result.shapes;
    const rows = sector.bins.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0);
    const old = people.filter((row) => Number(row.split(",")[0]) >= 54).length;
    expect(Math.abs(rows - old)).toBeLessThan(5);
  });

  it("tells two classes apart, as SQL that scores a row", async () => {
    const { out, error } = await lethe("train", "member.yaml", ...high, "--format", "sql");
    expect(error).toBe("");
    expect(out).toContain('AS "probability"');
    expect(out).toContain('WHEN "sector" IN');
  });

  it("answers an analyst under her cap, and the same bytes again under one id for nothing", async () => {
    const asked = [
      "train",
      "wage.yaml",
      "--epsilon",
      "30",
      "--delta",
      "1e-7",
      "--as",
      "ada",
      "--format",
      "json",
    ];
    const first = await lethe(...asked, "--request", "b1");
    const before = await charges();
    const again = await lethe(...asked, "--request", "b1");
    expect(first.error).toBe("");
    expect(again.out).toBe(first.out);
    expect(JSON.parse(first.out).release.certificate.charge.delta).toBe("1/10000000");
    expect((await lethe(...asked)).code).toBe("ledger.budget");
    expect(await charges()).toBe(before);
  });

  it.each([
    [["wrong.yaml", ...high], "model.invalid"],
    [["wage.yaml", "pca.yaml", ...high], "model.invalid"],
    [["wage.yaml", ...high, "--from", "lethe.yaml"], "cli.usage"],
    [["wage.yaml", ...high, "--explain", "--format", "sql"], "cli.usage"],
    [["wage.yaml", ...high, "--mechanism", "laplace"], "query.option"],
    [["wage.yaml", "--epsilon", "1", "--delta", "0"], "query.missing-delta"],
    [["wage.yaml", "--delta", "1e-6"], "query.option"],
    [["wage.yaml", "--epsilon", "60", "--delta", "1e-7", "--as", "ada"], "ledger.budget"],
  ] as const)("refuses %j, and charges nothing", async (asked, code) => {
    const before = await charges();
    const said = await lethe("train", ...asked);
    expect(said.code).toBe(code);
    expect(said.out).toBe("");
    expect(await charges()).toBe(before);
  });

  it("is a method of what open gives", async () => {
    const opened = await open("lethe.yaml");
    try {
      const { result } = await opened.trainOnRows(models["member.yaml"], { epsilon: 500, delta: 1e-6 });
      expect(result.kind === "boosting" && result.shapes.map(({ name }) => name)).toEqual(["age", "sector"]);
      const { model } = await opened.explainOnRows(models["member.yaml"], { epsilon: 500, delta: 1e-6 });
      expect(model.kind === "boosting" && model.steps.count).toBe(8);
    } finally {
      await opened.close();
    }
  });
});

const changed = (text: string): string => policy.replace(/^budget:.*$/m, text);

it("in zCDP, ε buys the ρ of the account's δ; pure DP has no price for it", async () => {
  const zcdp = changed("budget: { measure: zcdp, epsilon: 10, delta: 1e-5 }");
  const pure = changed("budget: { measure: pure, epsilon: 10 }");
  const rows = { "people.csv": "age,wage,sector,member\n20,30,trade,true\n" };
  await inFolder({ ...models, ...rows, "lethe.yaml": zcdp }, async () => {
    const { out, error } = await lethe(
      "train",
      "wage.yaml",
      "--epsilon",
      "1",
      "--explain",
      "--format",
      "json",
    );
    expect(error).toBe("");
    expect(JSON.parse(out).price.measure).toBe("zcdp");
  });
  await inFolder({ ...models, ...rows, "lethe.yaml": pure }, async () => {
    expect((await lethe("train", "wage.yaml", "--epsilon", "1", "--explain")).code).toBe("query.unsupported");
  });
});

it("of units with several rows, reads as many as the policy lets count, and counts them as one unit", async () => {
  const several = policy
    .replace(
      "unit: row",
      "unit: { column: id }\n    max_groups_contributed: 1\n    max_rows_contributed_per_group: 2\n    limit: rows-before-filter",
    )
    .replace("columns:", "columns:\n      id: { type: integer }");
  const rows = people.map((row, i) => `${i % 400},${row}`);
  await inFolder(
    { ...models, "lethe.yaml": several, "people.csv": `id,age,wage,sector,member\n${rows.join("\n")}\n` },
    async () => {
      expect((await lethe("init")).error).toBe("");
      expect((await lethe("import")).error).toBe("");
      const { out, error } = await lethe("train", "wage.yaml", ...high, "--format", "json");
      expect(error).toBe("");
      const { result, certificate } = JSON.parse(out).release;
      expect(certificate.procedure.plan.rows).toBe(2);
      const weight = result.shapes[1].bins.reduce(
        (sum: number, bin: { weight: number }) => sum + bin.weight,
        0,
      );
      expect(weight).toBeLessThan(820);
      expect(weight).toBeGreaterThan(500);
    },
  );
});
