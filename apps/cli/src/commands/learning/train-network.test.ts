import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

/** The wage is 20, and 30 more in trade, and half a year's age more; a member has a wage above 50. */
const wageOf = (age: number, trade: boolean): number => 20 + (trade ? 30 : 0) + (age - 18) / 2;
const people = Array.from({ length: 2000 }, (_, i) => {
  const [age, trade] = [18 + ((i * 37) % 73), i % 3 === 0];
  return { age, sector: trade ? "trade" : "other", wage: wageOf(age, trade) };
});
const csv = `age,wage,sector,member\n${people
  .map(({ age, wage, sector }) => `${age},${wage},${sector},${wage > 50}`)
  .join("\n")}\n`;
const file = (rest: string): string => `version: 1\ntable: people\nmodel: network\nunits: 2000\n${rest}\n`;
const models = {
  "member.yaml": file("target: member\nfeatures: [age, sector]\nsampler: full\nsteps: 60"),
  "sampled.yaml": file("target: member\nfeatures: [age, sector]\nrate: 1/4\nsteps: 12"),
  "hidden.yaml": file(
    "target: wage\nfeatures: [age, sector]\nsampler: full\nsteps: 80\nlayers: [{ layer: linear, outputs: 4 }, { layer: tanh }]",
  ),
  "tree.yaml": file("target: member\nfeatures: [age, sector]\ncorrelation: { kind: tree }\nsteps: 40"),
  "short.yaml": file("target: member\nfeatures: [age]\nsampler: full\nsteps: 6"),
  "wrong.yaml": file("target: member\nfeatures: [age]\nclip: 0"),
};

oneFolder({ "lethe.yaml": policy, "people.csv": csv, ...models }, async () => {
  expect((await lethe("init")).error).toBe("");
  expect((await lethe("import")).error).toBe("");
});

const high = ["--epsilon", "900", "--delta", "1e-6"];

describe("lethe train of a network", () => {
  it("tells price, steps, noise and time before anything is paid", async () => {
    const before = await charges();
    const { out, error } = await lethe(
      "train",
      "sampled.yaml",
      "--epsilon",
      "1",
      "--delta",
      "1e-6",
      "--explain",
    );
    expect(error).toBe("");
    expect(out).toMatch(/^Price {3}ε 0.9999\d*, δ 1e-6 for the whole training/);
    expect(out).toContain("Steps   12, of about 500 units each (poisson)");
    expect(out).toContain("Time    about a second");
    expect(await charges()).toBe(before);
  });

  it("pays once, tells classes apart, and is checked by lethe verify", async () => {
    const before = await charges();
    const { out, error } = await lethe("train", "member.yaml", ...high, "--out", "member.json");
    expect(error).toBe("");
    expect(await charges()).toBe(before + 1);
    expect(out).toContain("Network of member on age, sector");
    const { kind, release } = JSON.parse(readFileSync("member.json", "utf8"));
    expect(kind).toBe("network");
    const { openNetwork } = await import("@lethe/learn/networks");
    const predict = openNetwork(release.result);
    const right = people.filter((row) => predict(row).prediction === row.wage > 50).length;
    expect(right / people.length).toBeGreaterThan(0.85);

    const asked = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    const checked = await lethe("verify", "member.json", ...asked);
    expect(checked.error).toBe("");
    expect(checked.out).toContain("the event is 60 steps by full");
    const text = readFileSync("member.json", "utf8");
    writeFileSync("forged.json", text.replace(/"steps": ?60/, '"steps":600'));
    expect(readFileSync("forged.json", "utf8")).not.toBe(text);
    expect((await lethe("verify", "forged.json", ...asked)).code).toBe("release.invalid");
  });

  it.each(["sampled.yaml", "hidden.yaml", "tree.yaml"])("verify holds for %s", async (model) => {
    const { error } = await lethe("train", model, ...high, "--out", `${model}.json`);
    expect(error).toBe("");
    const asked = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    const { out } = await lethe("verify", `${model}.json`, ...asked);
    expect(out).not.toContain("FAILED");
    expect(out).toContain("and the charge covers them");
  });

  it("is an expression of SQL that scores a row", async () => {
    const { out, error } = await lethe("train", "member.yaml", ...high, "--format", "sql");
    expect(error).toBe("");
    expect(out).toContain('AS "probability"');
  });

  it("answers an analyst under her cap, and the same bytes again under one id for nothing", async () => {
    const asked = [
      "train",
      "sampled.yaml",
      "--epsilon",
      "10",
      "--delta",
      "1e-6",
      "--as",
      "ada",
      "--request",
      "once",
    ];
    const first = await lethe(...asked, "--format", "json");
    expect(first.error).toBe("");
    const before = await charges();
    expect((await lethe(...asked, "--format", "json")).out).toBe(first.out);
    expect(await charges()).toBe(before);
    const other = await lethe("train", "member.yaml", ...asked.slice(2));
    expect(other.code).toBe("ledger.request");
    expect((await lethe("train", "sampled.yaml", ...high, "--as", "ada")).code).toBe("ledger.budget");
  });

  it.each([
    [["wrong.yaml", "--epsilon", "1"], "model.invalid"],
    [["member.yaml", "--epsilon", "1", "--mechanism", "laplace"], "query.option"],
    [["member.yaml", "member.yaml", "--epsilon", "1"], "model.invalid"],
    [["member.yaml", "--epsilon", "1", "--from", "member.json"], "cli.usage"],
  ] as const)("refuses %j before anything is paid", async (argv, code) => {
    const before = await charges();
    expect((await lethe("train", ...argv, "--delta", "1e-6")).code).toBe(code);
    expect(await charges()).toBe(before);
  });

  it("is a method of what open gives", async () => {
    const opened = await open("lethe.yaml");
    try {
      const { result } = await opened.trainOnRows(models["short.yaml"], { epsilon: 50, delta: 1e-6 });
      expect(result.kind === "network" && result.weights.length).toBe(2);
    } finally {
      await opened.close();
    }
  });
});

/** Kills the process before its call of this number that a checkpoint's disk makes. */
const deadly = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
let left = Number(process.env.DIES_BEFORE);
let drafts = new Set();
const concerns = (args) => args.some((arg) => (typeof arg === "string" && arg.includes("/trainings/")) || drafts.has(arg));
for (const name of ["openSync", "writeSync", "fsyncSync", "linkSync", "unlinkSync", "truncateSync", "rmSync"]) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (concerns(args) && --left === 0) process.kill(process.pid, "SIGKILL");
    const result = real(...args);
    if (name === "openSync" && concerns(args)) drafts.add(result);
    return result;
  };
}
syncBuiltinESMExports();
`;

it("killed at every write in turn is charged once, goes on from what was kept, and leaves nothing behind", () =>
  inFolder(
    { "lethe.yaml": policy, "people.csv": csv, "short.yaml": models["short.yaml"], "deadly.mjs": deadly },
    async (folder) => {
      const bin = fileURLToPath(new URL("../../../dist/bin.mjs", import.meta.url));
      expect((await lethe("init")).error).toBe("");
      expect((await lethe("import")).error).toBe("");
      const asked = [
        "train",
        "short.yaml",
        "--epsilon",
        "5",
        "--delta",
        "1e-6",
        "--request",
        "killed",
        "--format",
        "json",
      ];
      const run = (diesBefore: number) =>
        spawnSync(process.execPath, ["--import", `${folder}/deadly.mjs`, bin, ...asked], {
          encoding: "utf8",
          env: { ...process.env, DIES_BEFORE: String(diesBefore) },
        });
      let deaths = 0;
      for (;;) {
        const { signal, status, stdout, stderr } = run(deaths + 1);
        expect(existsSync(".lethe/trainings")).toBe(true);
        if (signal === "SIGKILL") {
          expect(stdout).toBe("");
          deaths += 1;
          expect(deaths).toBeLessThan(60);
          continue;
        }
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
        expect(run(0).stdout).toBe(stdout);
        break;
      }
      expect(deaths).toBeGreaterThan(8);
      expect(await charges()).toBe(1);
      expect(readdirSync(".lethe/trainings")).toEqual([]);
    },
  ));

it("of units with several rows, clips a unit's rows together, whatever their number", async () => {
  const visits = (rows: number): string => {
    const own = Array.from({ length: rows }, () => "loud,90,true");
    const others = Array.from({ length: 300 }, (_, i) => `p${i},${18 + (i % 73)},${i % 2 === 0}`);
    return `person,age,member\n${[...others, ...own].join("\n")}\n`;
  };
  const manyRows = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: person
    limit: rows-before-filter
    max_groups_contributed: 1
    max_rows_contributed_per_group: 50
    columns:
      person: { type: text }
      age: { type: integer, bounds: [18, 90] }
      member: { type: boolean }
budget: { measure: approximate, epsilon: 100000, delta: 1e-5 }
`;
  const text = file(
    "target: member\nfeatures: [age]\nsampler: full\nsteps: 1\noptimizer: { kind: sgd, rate: 1000 }",
  );
  const moved = async (rows: number): Promise<number> => {
    let weight = Number.NaN;
    await inFolder({ "lethe.yaml": manyRows, "people.csv": visits(rows), "one.yaml": text }, async () => {
      expect((await lethe("init")).error).toBe("");
      expect((await lethe("import")).error).toBe("");
      const { out, error } = await lethe(
        "train",
        "one.yaml",
        "--epsilon",
        "50000",
        "--delta",
        "1e-6",
        "--format",
        "json",
      );
      expect(error).toBe("");
      weight = JSON.parse(out).release.result.weights[0];
    });
    return weight;
  };
  // One step of rate 1,000 over 2,000 units: a unit whose gradient is clipped to 1 moves a weight by some .35, 50 rows that are clipped one by one by
  // some 17. The noise's deviation is about .05: by chance alone, one run in a billion is outside.
  const [none, many] = [await moved(0), await moved(50)];
  expect(Math.abs(many - none)).toBeGreaterThan(0.04);
  expect(Math.abs(many - none)).toBeLessThan(2);
});
