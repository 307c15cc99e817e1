import { readFileSync, writeFileSync } from "node:fs";
import { predictConvex } from "@lethe/learn/convex";
import { describe, expect, it } from "vitest";
import { open } from "../../open.ts";
import { charges, inFolder, lethe } from "../../testing/command-line.ts";

const policyOf = (adjacency: string, budget: string): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [18, 90] }
      wage: { type: number, bounds: [0, 100] }
      sector: { type: text, categories: [trade, other] }
      member: { type: boolean }
budget: { ${budget} }
`;
const approximate = "measure: approximate, epsilon: 10000, delta: 1e-5, analysts: { ada: 50 }";
const added = policyOf("add-or-remove-one", approximate);
const replaced = policyOf("replace-one", approximate);

/** The wage is 20, and 30 more in trade, and 20 more from 54 on; a member has a wage above 45. */
const rows = Array.from({ length: 1000 }, (_, i) => {
  const [age, trade] = [18 + ((i * 37) % 73), i % 3 === 0];
  const wage = 20 + (trade ? 30 : 0) + (age >= 54 ? 20 : 0) + ((i * 53) % 41) / 10 - 2;
  return { age, wage, sector: trade ? "trade" : "other", member: wage > 45 };
});
const csv = (of: readonly (typeof rows)[number][]): string =>
  `age,wage,sector,member\n${of.map((row) => `${row.age},${row.wage},${row.sector},${row.member}`).join("\n")}\n`;
const file = (rest: string): string => `version: 1\ntable: people\nmodel: convex\nunits: 1000\n${rest}\n`;
const ofMembers = "target: member\nfeatures: [age, sector]";
const models = {
  "member.yaml": file(ofMembers),
  "wage.yaml": file("target: wage\nfeatures: [age, sector]\nwhere: age >= 20"),
  "pass.yaml": file(`${ofMembers}\nalgorithm: one-pass`),
  "localized.yaml": file(`${ofMembers}\nalgorithm: localization`),
  "output.yaml": file(`${ofMembers}\nalgorithm: output-perturbation`),
  "objective.yaml": file(`${ofMembers}\nalgorithm: objective-perturbation`),
  "vertices.yaml": file(`${ofMembers}\nalgorithm: frank-wolfe\nradius: 8\nsteps: 8`),
  "theorem.yaml": file(`${ofMembers}\nnoise: theorem`),
  "hinge.yaml": file(`${ofMembers}\nloss: hinge\nalgorithm: localization`),
  "wrong.yaml": file("target: member\nfeatures: [height]"),
  "pca.yaml": "version: 1\ntable: people\nmodel: pca\nfeatures: [age, wage]\n",
};

/** Runs a test in a workspace of a policy and a table, with nothing spent. */
async function workspace(policy: string, table: string, work: () => Promise<void>): Promise<void> {
  await inFolder({ ...models, "lethe.yaml": policy, "people.csv": table }, async () => {
    expect((await lethe("init")).error).toBe("");
    expect((await lethe("import")).error).toBe("");
    await work();
  });
}

const high = ["--epsilon", "900", "--delta", "1e-6"];
const low = ["--epsilon", "1", "--delta", "1e-6"];
const verified = (path: string) =>
  lethe("verify", path, "--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub");

describe("lethe train of a convex model", () => {
  it("tells problem, noise, price and bound before anything is paid", () =>
    workspace(added, csv(rows), async () => {
      const { out, error } = await lethe("train", "member.yaml", ...low, "--explain");
      expect(error).toBe("");
      expect(out.split("\n").map((line) => line.split(" ")[0])).toEqual([
        "Price",
        "Unit",
        "Problem",
        "Method",
        "Noise",
        "Theorem",
        "Tight",
        "Bound",
      ]);
      expect(out).toMatch(/^Price {3}ε 1, δ 1e-6 for the whole training/);
      expect(out).toContain(
        "logistic loss over 4 weights in a ball of radius 4; L 1.73, β 0.75; 1000 declared units",
      );
      expect(out).toContain("ε 1 at δ 1e-6 is the certified price");
      expect(out).toMatch(/exceeds the least in the ball by at most 0\.\d+/);
      const half = ["--epsilon", "0.5", "--delta", "1e-6", "--explain"];
      const theorem = await lethe("train", "theorem.yaml", ...half);
      // What the theorem prints costs less than the ε that it states.
      expect(theorem.out).toMatch(/C Thm 2 takes σ 0\.\d+ for ε 0\.5, and proves/);
      expect(theorem.out).toMatch(/Price {3}ε 0\.1\d+, δ 1e-6/);
      expect(theorem.out).toContain("vacuous");
      const told = JSON.parse(
        (await lethe("train", "member.yaml", ...low, "--explain", "--format", "json")).out,
      );
      expect(told.model).toMatchObject({ kind: "convex", weights: 4, units: 1000, tuning: null });
      expect(await charges()).toBe(0);
    }));

  it("pays once, finds the law of the data, and tells it as JSON, in SQL and by predict", () =>
    workspace(added, csv(rows), async () => {
      const { out, error } = await lethe("train", "member.yaml", ...high, "--out", "member.json");
      expect(error).toBe("");
      expect(await charges()).toBe(1);
      expect(out).toContain(
        "Convex model of the score of member = true: logistic loss, by noisy projected descent",
      );
      expect(out).toContain("charged to owner");
      const { kind, release } = JSON.parse(readFileSync("member.json", "utf8"));
      expect(kind).toBe("convex");
      expect(release.certificate.procedure).toMatchObject({
        kind: "convex",
        plan: { source: "people", where: null },
      });
      const right = rows.filter(
        ({ member, ...row }) => predictConvex(release.result, row).prediction === member,
      );
      expect(right.length).toBeGreaterThan(900);
      const sql = await lethe("train", "wage.yaml", ...high, "--format", "sql");
      expect(sql.out).toMatch(/^GREATEST\(.*\) AS "prediction"$/);
    }));

  it.each(["member", "wage", "pass", "localized", "output", "objective", "vertices", "theorem"])(
    "is checked by lethe verify, which derives it again: %s",
    (name) =>
      workspace(replaced, csv(rows.slice(0, 200)), async () => {
        const price = name === "theorem" ? ["--epsilon", "0.9", "--delta", "1e-6"] : low;
        const { error } = await lethe("train", `${name}.yaml`, ...price, "--out", "model.json");
        expect(error).toBe("");
        const genuine = await verified("model.json");
        expect(genuine.error).toBe("");
        expect(genuine.out).toContain("the event is that of");
        expect(genuine.out).not.toContain("FAILED");
        const text = readFileSync("model.json", "utf8");
        const changed = text.replace(/"radius": ?\d+/g, '"radius":80');
        expect(changed).not.toBe(text);
        writeFileSync("forged.json", changed);
        expect(await verified("forged.json")).toMatchObject({ code: "release.invalid" });
      }),
  );

  it("answers an analyst under her cap, and the same bytes again under one id for nothing", () =>
    workspace(added, csv(rows), async () => {
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
      expect(first.error).toBe("");
      const again = await lethe(...asked, "--request", "b1");
      expect(again.out).toBe(first.out);
      expect(await charges()).toBe(1);
      expect((await lethe(...asked)).code).toBe("ledger.budget");
      expect(await charges()).toBe(1);
    }));

  it("refuses what no theorem covers, by its line, and charges nothing", () =>
    workspace(added, csv(rows), async () => {
      for (const [asked, code, words] of [
        [["wrong.yaml", ...low], "model.invalid", "line 6, features[0]"],
        [["localized.yaml", ...low], "model.invalid", "line 7, algorithm"],
        [["hinge.yaml", ...low], "model.invalid", "line 7, loss"],
        [["theorem.yaml", ...low], "model.invalid", "line 7, noise: C Thm 2 asks for ε below 1"],
        [["member.yaml", "pca.yaml", ...low], "model.invalid", "cannot share"],
        [["member.yaml", ...low, "--from", "lethe.yaml"], "cli.usage", "--from"],
        [["member.yaml", ...low, "--mechanism", "laplace"], "query.option", "mechanism"],
        [["member.yaml", "--epsilon", "1", "--delta", "0"], "query.missing-delta", "needs a delta"],
        [["member.yaml", "--delta", "1e-6"], "query.option", "epsilon"],
      ] as const) {
        const said = await lethe("train", ...asked);
        expect(said.code, asked.join(" ")).toBe(code);
        expect(said.error).toContain(words);
        expect(said.out).toBe("");
      }
      expect(await charges()).toBe(0);
    }));

  it("is a method of what open gives", () =>
    workspace(added, csv(rows), async () => {
      const opened = await open("lethe.yaml");
      try {
        const { model, price } = await opened.explainOnRows(models["member.yaml"], {
          epsilon: 2,
          delta: 1e-6,
        });
        expect(model).toMatchObject({ kind: "convex", plans: [{ algorithm: "noisy-descent@1" }] });
        const { result, certificate } = await opened.trainOnRows(models["member.yaml"], {
          epsilon: 2,
          delta: 1e-6,
        });
        expect(result.kind).toBe("convex");
        expect(certificate.charge).toEqual(price);
      } finally {
        await opened.close();
      }
    }));
});

describe("a choice among candidates", () => {
  const candidates = file(
    "target: member\nfeatures: [age, sector]\ncandidates:\n  - { radius: 0.01, steps: 20 }\n  - { radius: 4, steps: 60 }\ntries: 6",
  );

  it("costs one price, tells which was chosen, and is derived again by verify", () =>
    workspace(added, csv(rows), async () => {
      writeFileSync("choice.yaml", candidates);
      const asked = ["train", "choice.yaml", "--epsilon", "4", "--delta", "1e-6"];
      const told = await lethe(...asked, "--explain");
      expect(told.error).toBe("");
      expect(told.out).toContain("Candidate 2\n  Problem logistic loss over 4 weights in a ball of radius 4");
      expect(told.out).toMatch(/Choice {2}the best of about 6 tries/);
      expect(told.out).toMatch(/Whole {3}ε [34](\.\d+)? at δ 1e-6 is the certified price of all tries/);
      const { out, error } = await lethe(...asked, "--out", "choice.json", "--card", "choice.md");
      expect(error).toBe("");
      expect(await charges()).toBe(1);
      expect(out).toMatch(/Chosen {2}candidate [12]; the next lines are of its training alone/);
      const { release } = JSON.parse(readFileSync("choice.json", "utf8"));
      expect(Number(release.certificate.charge.epsilon.split("/")[0])).toBeGreaterThan(0);
      const genuine = await verified("choice.json");
      expect(genuine.error).toBe("");
      expect(genuine.out).toContain("the event is that of tries of 2 candidates");
      expect(readFileSync("choice.md", "utf8")).toContain(
        "It is the best of about 6 tries. Each tried one of 2 candidates, drawn by coins",
      );
    }));

  it("has no price in zCDP or in pure DP", async () => {
    for (const [budget, code, words] of [
      ["measure: zcdp, epsilon: 10, delta: 1e-5", "model.invalid", "line 7, candidates"],
      [
        "measure: pure, epsilon: 10",
        "query.unsupported",
        "a choice among candidates has no price in pure DP",
      ],
    ] as const)
      await workspace(policyOf("add-or-remove-one", budget), csv(rows.slice(0, 5)), async () => {
        writeFileSync("choice.yaml", candidates);
        const said = await lethe("train", "choice.yaml", "--epsilon", "1");
        expect(said.code).toBe(code);
        expect(said.error).toContain(words);
        expect(await charges()).toBe(0);
      });
  });
});

describe("another account", () => {
  it("of zCDP buys the ρ that ε is worth at its δ, and tells ε there", () =>
    workspace(policyOf("replace-one", "measure: zcdp, epsilon: 10, delta: 1e-5"), csv(rows), async () => {
      for (const name of ["member", "pass", "localized", "output", "vertices"]) {
        const { out, error } = await lethe(
          "train",
          `${name}.yaml`,
          "--epsilon",
          "1",
          "--explain",
          "--format",
          "json",
        );
        expect(error).toBe("");
        const { price, model } = JSON.parse(out);
        expect(price.measure).toBe("zcdp");
        expect(model.plans[0].report.price.delta).toBeCloseTo(1e-5, 12);
        expect(model.plans[0].report.price.epsilon).toBeLessThanOrEqual(1);
        expect(model.plans[0].report.price.epsilon).toBeGreaterThan(0.75);
      }
      const { error } = await lethe("train", "member.yaml", "--epsilon", "1", "--out", "member.json");
      expect(error).toBe("");
      expect((await verified("member.json")).error).toBe("");
      for (const name of ["objective", "theorem"]) {
        const said = await lethe("train", `${name}.yaml`, "--epsilon", "0.5");
        expect(said.code).toBe("model.invalid");
        expect(said.error).toMatch(/fix: write (algorithm: output-perturbation|noise: tight)/);
      }
    }));

  it("of pure DP has a price for Frank–Wolfe alone", () =>
    workspace(policyOf("add-or-remove-one", "measure: pure, epsilon: 10"), csv(rows), async () => {
      const said = await lethe("train", "member.yaml", "--epsilon", "1");
      expect(said.code).toBe("query.unsupported");
      expect(said.error).toContain("write algorithm: frank-wolfe");
      const { error } = await lethe("train", "vertices.yaml", "--epsilon", "2", "--out", "vertices.json");
      expect(error).toBe("");
      const { charge } = JSON.parse(readFileSync("vertices.json", "utf8")).release.certificate;
      expect(charge.measure).toBe("pure");
      expect((await verified("vertices.json")).error).toBe("");
    }));
});

describe("units with several rows", () => {
  const limits = "unit: { column: id }\n    max_groups_contributed: 1\n    max_rows_contributed_per_group: 2";
  const several = (limit: string): string =>
    added
      .replace("unit: row", `${limits}\n    limit: ${limit}`)
      .replace("columns:", "columns:\n      id: { type: integer }");
  const [columns, ...lines] = csv(rows).trimEnd().split("\n");
  const table = `id,${columns}\n${lines.map((line, i) => `${i % 250},${line}`).join("\n")}\n`;

  it("are limited before the filter, and each counts as one", () =>
    workspace(several("rows-before-filter"), table, async () => {
      const { out, error } = await lethe("train", "member.yaml", ...high, "--format", "json");
      expect(error).toBe("");
      expect(JSON.parse(out).release.result.weights.length).toBe(4);
      // Of several rows objective perturbation would count the first alone.
      const said = await lethe("train", "vertices.yaml", ...low, "--explain");
      expect(said.error).toBe("");
    }));

  it("that are limited after it are refused before anything is charged, with a fix that is accepted", () =>
    workspace(several("groups-after-filter"), table, async () => {
      const said = await lethe("train", "member.yaml", ...low);
      expect(said.code).toBe("model.invalid");
      expect(said.error).toContain("write limit: rows-before-filter");
      expect(await charges()).toBe(0);
    }));

  it("have no place in objective perturbation", () =>
    workspace(several("rows-before-filter").replace("add-or-remove-one", "replace-one"), table, async () => {
      const said = await lethe("train", "objective.yaml", ...low);
      expect(said.code).toBe("model.invalid");
      expect(said.error).toContain("write algorithm: output-perturbation");
    }));
});

describe("whatever the data are", () => {
  const [first] = rows;
  if (first === undefined) throw new Error("no row");
  const tables: readonly (readonly [string, string])[] = [
    ["many rows", csv(rows)],
    ["no rows", csv([])],
    ["one class alone", csv(rows.map((row) => ({ ...row, member: true })))],
    ["constant columns", csv(rows.map(() => first))],
    ["no labels", csv(rows).replaceAll(/(true|false)$/gm, "")],
    ["values beyond their bounds", csv(rows.map((row) => ({ ...row, age: 1000, wage: -1e9 })))],
  ];
  it.each(tables)("what is charged is what was told without a row, and nothing fails: %s", (_, table) =>
    workspace(replaced, table, async () => {
      for (const name of ["member", "wage", "localized", "vertices"]) {
        const asked = ["train", `${name}.yaml`, ...low, "--format", "json"];
        const told = JSON.parse((await lethe(...asked, "--explain")).out);
        const { out, error } = await lethe(...asked);
        expect(error).toBe("");
        const { result, certificate } = JSON.parse(out).release;
        expect(result.weights.every(Number.isFinite)).toBe(true);
        expect(certificate.charge).toEqual(told.price);
        expect(certificate.procedure.plan).toEqual(told.plan);
      }
    }),
  );
});
