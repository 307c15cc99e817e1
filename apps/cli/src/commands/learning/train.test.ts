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
      sector: { type: text, categories: [trade, other], default: other }
budget: { measure: approximate, epsilon: 10000, delta: 1e-5, analysts: { ada: 50 } }
`;
const people = Array.from({ length: 600 }, (_, i) => {
  const age = 18 + ((i * 37) % 73);
  return `${age},${(10 + age * 0.5 + ((i * 53) % 41) / 10).toFixed(1)},${i % 3 === 0 ? "trade" : "other"}`;
});
const file = (model: string): string => `version: 1\ntable: people\n${model}\n`;
const models = {
  "wage.yaml": file("model: linear-regression\ntarget: wage\nfeatures: [age, sector]"),
  "ridge.yaml": file("model: ridge-regression\npenalty: 5\ntarget: wage\nfeatures: [age, sector]"),
  "narrow.yaml": file("model: ridge-regression\npenalty: 5\ntarget: wage\nfeatures: [age]"),
  "pca.yaml": file("model: pca\nfeatures: [age, wage]"),
  "bayes.yaml": file("model: naive-bayes\ntarget: sector\nfeatures: [age]"),
  "counts.yaml": file("model: marginals\nfeatures: [sector]\nmarginals: 1"),
  "groups.yaml": file("model: k-means\nfeatures: [age, wage]\nclusters: 3\nsteps: 4"),
  "wrong.yaml": file("model: linear-regression\ntarget: wage\nfeatures: [height]"),
};

const files = {
  "lethe.yaml": policy,
  "people.csv": `age,wage,sector\n${people.join("\n")}\n`,
  ...models,
};
oneFolder(files, async () => {
  expect((await lethe("init")).error).toBe("");
  expect((await lethe("import")).error).toBe("");
});

describe("lethe train", () => {
  it("tells the price of all sums before anything is paid", async () => {
    const before = await charges();
    const { out, code } = await lethe("train", "wage.yaml", "--epsilon", "2", "--explain");
    expect(code).toBeNull();
    expect(out).toContain("Price   ε 2 for all 2 questions together   (nothing is charged, no row is read)");
    const json = await lethe("train", "wage.yaml", "--epsilon", "2", "--explain", "--format", "json");
    expect(JSON.parse(json.out).price).toMatchObject({ epsilon: "2" });
    expect(await charges()).toBe(before);
  });

  it("pays once for several models, and finds the law of the data at a high price", async () => {
    const before = await charges();
    const asked = ["wage.yaml", "ridge.yaml", "pca.yaml", "bayes.yaml", "counts.yaml"];
    const { out, code } = await lethe("train", ...asked, "--epsilon", "900", "--out", "all.json");
    expect(code).toBeNull();
    expect(await charges()).toBe(before + 1);
    for (const words of [
      "Linear regression of wage",
      "Ridge regression of wage, λ 5",
      "component 1",
      "Naive Bayes",
      "Counts of about",
    ])
      expect(out).toContain(words);
    const trained = JSON.parse(readFileSync("all.json", "utf8"));
    const age = trained.models[0].coefficients.find(({ column }: { column: string }) => column === "age");
    expect(Math.abs(age.value - 0.5)).toBeLessThan(0.05);
    // Both regressions read the same sums, and so do the counts.
    expect(trained.release.answers.length).toBeLessThan(6);
  });

  it("writes what lethe verify checks, models included, and what other models are fitted to for nothing", async () => {
    await lethe("train", "wage.yaml", "--epsilon", "500", "--out", "wage.json");
    const trust = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    const { out, code } = await lethe("verify", "wage.json", ...trust);
    expect(code).toBeNull();
    expect(out).toContain("the models are those that follow from the released sums");
    const before = await charges();
    const ridge = await lethe("train", "ridge.yaml", "--from", "wage.json", "--out", "ridge.json");
    expect(ridge.code).toBeNull();
    expect(ridge.out).toContain("Ridge regression of wage");
    expect(ridge.out).not.toContain("Linear regression");
    expect((await lethe("verify", "ridge.json", ...trust)).code).toBeNull();
    expect((await lethe("train", "bayes.yaml", "--from", "wage.json")).code).toBe("release.invalid");
    expect(await charges()).toBe(before);
    const forged = readFileSync("wage.json", "utf8").replace(/"penalty": 0/, '"penalty": 1');
    writeFileSync("forged.json", forged);
    const refused = await lethe("verify", "forged.json", ...trust);
    expect(refused.code).toBe("release.invalid");
    expect(refused.out).toContain("the models do not follow from the released sums");
  });

  it("checks a model that rests on fewer columns than those it was measured with", async () => {
    const asked = ["--policy", "lethe.yaml"];
    await lethe("train", "wage.yaml", "--epsilon", "500", "--out", "wide.json", ...asked);
    const narrow = await lethe("train", "narrow.yaml", "--from", "wide.json", "--out", "narrow.json");
    expect(narrow.code).toBeNull();
    const { out, code } = await lethe("verify", "narrow.json", ...asked);
    expect(code, out).toBeNull();
  });

  it("says that a description is not that of the questions", async () => {
    await lethe("train", "wage.yaml", "--epsilon", "500", "--out", "honest.json");
    const honest = readFileSync("honest.json", "utf8");
    const forged = JSON.parse(honest);
    forged.descriptions[0].task.features[0].bounds = [18, 65];
    writeFileSync("described.json", JSON.stringify(forged));
    const { out, code } = await lethe("verify", "described.json", "--policy", "lethe.yaml");
    expect(code).toBe("release.invalid");
    expect(out).toContain("model 1 describes age otherwise than the policy");
    expect(out).toContain("model 1 describes other bounds than the sum of");
  });

  it("does not take a file for trained models that says something beside them, or something twice", async () => {
    await lethe("train", "wage.yaml", "--epsilon", "20", "--out", "plain.json");
    await lethe("query", "SELECT COUNT(*) FROM people", "--epsilon", "1", "--out", "query.json");
    const plain = readFileSync("plain.json", "utf8");
    const trained = JSON.parse(plain);
    const forgeries = {
      "worn.json": JSON.stringify({ ...JSON.parse(readFileSync("query.json", "utf8")), ...trained }),
      "twice.json": plain.replace('"release":', '"release": {"answers": []}, "release":'),
      "sure.json": JSON.stringify({ ...trained, confidence: 0.9999 }),
      "none.json": JSON.stringify({ ...trained, descriptions: [null] }),
      "cheap.json": plain.replace(
        '"charge": {\n        "measure": "approximate",\n        "epsilon": "20"',
        '"charge": {\n        "measure": "approximate",\n        "epsilon": "1/100"',
      ),
    };
    const before = await charges();
    for (const [name, text] of Object.entries(forgeries)) {
      expect(text, name).not.toBe(plain);
      writeFileSync(name, text);
      expect((await lethe("verify", name)).code, name).toBe("release.invalid");
      expect((await lethe("train", "wage.yaml", "--from", name)).code, name).toBe("release.invalid");
    }
    expect(await charges()).toBe(before);
  });

  it("refuses models whose questions would keep different rows of a unit", () =>
    inFolder(
      { "people.csv": `id,age,wage,sector\n${people.map((row, i) => `p${i % 200},${row}`).join("\n")}\n` },
      async () => {
        const unit = policy
          .replace(
            "unit: row",
            "unit: id\n    max_groups_contributed: GROUPS\n    max_rows_contributed_per_group: 2\n    limit: rows-before-filter",
          )
          .replace("    columns:", "    columns:\n      id: { type: text }");
        writeFileSync("wage.yaml", models["wage.yaml"]);
        writeFileSync("lethe.yaml", unit.replace("GROUPS", "3"));
        const refused = await lethe("train", "wage.yaml", "--epsilon", "1", "--explain");
        expect(refused.code).toBe("model.invalid");
        expect(refused.error).toContain("would keep 2, 4 rows of a unit");
        writeFileSync("lethe.yaml", unit.replace("GROUPS", "1"));
        expect((await lethe("train", "wage.yaml", "--epsilon", "1", "--explain")).code).toBeNull();
      },
    ));

  it("asks one question after another for a k-means, under one charge", async () => {
    const before = await charges();
    const { out, code } = await lethe("train", "groups.yaml", "--epsilon", "800", "--out", "groups.json");
    expect(code).toBeNull();
    expect(out).toContain("3 clusters, after 4 steps");
    // One charge, and a record without price for the answers of each round but the last.
    const { charges: records } = JSON.parse((await lethe("budget", "--format", "json")).out);
    expect(records.slice(before).map(({ loss }: { loss: { epsilon: string } }) => loss.epsilon)).toEqual([
      "800",
      "0",
      "0",
      "0",
    ]);
    const trained = JSON.parse(readFileSync("groups.json", "utf8"));
    const texts = trained.release.certificate.workload.plans.map(({ text }: { text: string }) => text);
    expect(new Set(texts).size).toBe(4);
    const verified = await lethe("verify", "groups.json", "--policy", "lethe.yaml");
    expect(verified.code).toBeNull();
    expect(verified.out).toContain("the models are those that follow from the released sums");
    expect((await lethe("train", "groups.yaml", "wage.yaml")).code).toBe("model.invalid");
  });

  it("gives SQL that scores a row", async () => {
    const { out } = await lethe("train", "wage.yaml", "--epsilon", "500", "--format", "sql");
    expect(out).toContain('AS "prediction"');
  });

  it("answers an analyst under her cap, and the same again under one id for nothing", async () => {
    const asked = [
      "train",
      "wage.yaml",
      "--epsilon",
      "30",
      "--as",
      "ada",
      "--request",
      "r1",
      "--format",
      "json",
    ];
    const first = await lethe(...asked);
    const again = await lethe(...asked);
    expect(first.code).toBeNull();
    expect(again.out).toBe(first.out);
    const refused = await lethe("train", "wage.yaml", "--epsilon", "30", "--as", "ada");
    expect(refused.code).toBe("ledger.budget");
  });

  it.each([
    [["wrong.yaml"], "model.invalid"],
    [["missing.yaml"], "cli.file"],
    [["wage.yaml", "--explain", "--out", "x.json"], "cli.usage"],
    [["wage.yaml", "--epsilon", "0"], "query.option"],
    [["wage.yaml", "--epsilon", "1", "--from", "lethe.yaml"], "release.invalid"],
  ] as const)("refuses %j, and charges nothing", async (asked, code) => {
    const before = await charges();
    expect((await lethe("train", ...asked)).code).toBe(code);
    expect(await charges()).toBe(before);
  });

  it("is a method of what open gives", async () => {
    const opened = await open("lethe.yaml");
    try {
      const trained = await opened.train([models["wage.yaml"], models["bayes.yaml"]], { epsilon: 400 });
      const { models: fitted } = trained;
      expect(fitted.map(({ kind }) => kind)).toEqual(["linear-regression", "naive-bayes"]);
      const again = await opened.fit([models["ridge.yaml"], models["wage.yaml"]], trained);
      const kinds = again.models.map(({ kind }) => kind);
      expect(kinds.slice(2)).toEqual(["ridge-regression", "linear-regression"]);
      expect(again.models.slice(0, 2)).toEqual(fitted);
      expect(again.models[3]).toEqual(fitted[0]);
    } finally {
      await opened.close();
    }
  });
});
