import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { open } from "../../open.ts";
import { charges, inFolder, lethe } from "../../testing/command-line.ts";
import { oneFolder } from "../../testing/one-folder.ts";

const policy = (adjacency = "add-or-remove-one", measure = "approximate"): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
tables:
  people:
    file: people.csv
    unit: row
    expected_rows: 3000
    columns:
      age: { type: integer, bounds: [18, 90] }
      sector: { type: text, categories: [trade, care, "a, \\"b\\""] }
      grade: { type: integer, categories: [1, 2, 3] }
      member: { type: boolean }
      free: { type: text }
budget: { measure: ${measure}, epsilon: 10000${measure === "pure" ? "" : ", delta: 1e-5"} }
`;

/** Members are those from 54 on; the grade is the place of the sector. Every 10th age is missing. */
const sectors = ["trade", "care", '"a, ""b"""'];
const people = Array.from({ length: 3000 }, (_, i) => {
  const [age, sector] = [18 + ((i * 37) % 73), i % 3];
  return `${i % 10 === 0 ? "" : age},${sectors[sector]},${sector + 1},${age >= 54},secret-${i}`;
});
const file = (rest: string): string => `version: 1\n${rest}\n`;
const files = {
  "lethe.yaml": policy(),
  "people.csv": `age,sector,grade,member,free\n${people.join("\n")}\n`,
  "mst.yaml": file("table: people\nmethod: mst\nbins: { age: 8 }"),
  "target.yaml": file("table: people\nmethod: mst\ntarget: member\nbins: { age: 8 }"),
  "aim.yaml": file("table: people\nmethod: aim\nbins: 8\nmodel_mb: 0.1"),
  "residuals.yaml": file("table: people\nmethod: residuals\nbins: 8"),
  "aim-grem.yaml": file("table: people\nmethod: aim-grem\nbins: 8"),
  "old.yaml": file("table: people\nwhere: age >= 54\nmethod: mst\ncolumns: [age, member]"),
};

oneFolder(files, async () => {
  expect((await lethe("init")).error).toBe("");
  expect((await lethe("import")).error).toBe("");
});

const high = ["--epsilon", "100", "--delta", "1e-6"];

/** Rows of a file without quoted fields but the sector's. */
function rowsOf(path: string): readonly { age: string; sector: string; grade: string; member: string }[] {
  const [head, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(head).toBe("age,sector,grade,member");
  return lines.map((line) => {
    const [, age = "", sector = "", grade = "", member = ""] =
      /^([^,]*),("(?:[^"]|"")*"|[^,]*),([^,]*),([^,]*)$/.exec(line) ?? [];
    return { age, sector, grade, member };
  });
}

describe("lethe synthesize", () => {
  it("tells price, noise, size and time before anything is paid", async () => {
    const before = await charges();
    const asked = ["synthesize", "mst.yaml", "--epsilon", "1", "--delta", "1e-6", "--explain"];
    const { out, error } = await lethe(...asked);
    expect(error).toBe("");
    expect(out).toMatch(/^Price {3}ε 1, δ 1e-6 for the whole table/);
    expect(out).toContain("Without free: nothing public bounds their values");
    expect(out).toMatch(/Time {4}(up to|about) (a second|\d+ seconds)/);
    const explained = JSON.parse((await lethe(...asked, "--format", "json")).out);
    expect(explained.attributes).toEqual([
      { name: "age", values: 9 },
      { name: "sector", values: 4 },
      { name: "grade", values: 4 },
      { name: "member", values: 3 },
    ]);
    expect(await charges()).toBe(before);
  });

  it.each(["mst", "aim", "residuals", "aim-grem"])(
    "draws by %s rows like those of the data, for one charge",
    async (method) => {
      const before = await charges();
      const paths = [`${method}.csv`, `${method}.json`, `${method}.html`] as const;
      const { out, error, code } = await lethe(
        ...["synthesize", `${method}.yaml`, ...high],
        ...["--out", paths[0], "--release", paths[1], "--report", paths[2], "--request", method],
      );
      expect([code, error]).toEqual([null, ""]);
      expect(out).toContain(`rows are in ${paths[0]}`);
      expect(out).toContain("Price   ε 100, δ 1e-6, charged to owner as");
      expect(await charges()).toBe(before + 1);

      const rows = rowsOf(paths[0]);
      expect(Math.abs(rows.length - 3000)).toBeLessThan(30);
      const share = (holds: (row: (typeof rows)[number]) => boolean): number =>
        rows.filter(holds).length / rows.length;
      // At this price noise is a few rows: what the data always does, the rows nearly always do.
      expect(share(({ sector, grade }) => sectors[Number(grade) - 1] === sector)).toBeGreaterThan(0.97);
      expect(share(({ age }) => age === "")).toBeCloseTo(0.1, 1);
      const aged = rows.filter(({ age }) => age !== "");
      expect(aged.every(({ age }) => /^\d+$/.test(age) && +age >= 18 && +age <= 90)).toBe(true);
      expect(aged.filter(({ age, member }) => +age >= 54 === (member === "true")).length).toBeGreaterThan(
        0.9 * aged.length,
      );
      const page = readFileSync(paths[2], "utf8");
      expect(page).toContain("<h1>Synthetic table of people</h1>");
      expect(page).toContain("<td>sector</td>");
      for (const written of [out, page, readFileSync(paths[1], "utf8")])
        expect(written).not.toContain("secret-");
    },
  );

  it("is the same bytes for nothing under one request, and from its release", async () => {
    const before = await charges();
    await lethe(
      "synthesize",
      "mst.yaml",
      ...high,
      "--request",
      "mst",
      "--out",
      "again.csv",
      "--release",
      "again.json",
    );
    const from = await lethe("synthesize", "--from", "mst.json", "--out", "from.csv");
    expect(from.error).toBe("");
    for (const path of ["again.csv", "from.csv"])
      expect(readFileSync(path, "utf8")).toBe(readFileSync("mst.csv", "utf8"));
    expect(readFileSync("again.json", "utf8")).toBe(readFileSync("mst.json", "utf8"));
    expect(await charges()).toBe(before);
  });

  it.each([
    ["mst", "noisy tables were released, whose noises fit the session"],
    ["aim-grem", "residuals were released, whose noises fit the session"],
  ])("by %s is checked by lethe verify", async (method, says) => {
    const asked = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    const { out, error } = await lethe("verify", `${method}.json`, ...asked);
    expect(error).toBe("");
    expect(out).toContain(says);
    expect(out).not.toContain("FAILED");
  });

  it("writes as many rows as are asked for, also as Parquet, which answers like the CSV", async () => {
    await lethe("synthesize", "--from", "mst.json", "--out", "few.parquet", "--rows", "500");
    await lethe("synthesize", "--from", "mst.json", "--out", "few.csv", "--rows", "500");
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const count = async (from: string): Promise<unknown> =>
      (await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${from}`)).getRows()[0]?.[0];
    const csv =
      "read_csv('few.csv', columns = {'age': 'BIGINT', 'sector': 'VARCHAR', 'grade': 'BIGINT', 'member': 'BOOLEAN'})";
    expect(await count("'few.parquet'")).toBe(500);
    expect(await count(`(FROM 'few.parquet' EXCEPT ALL FROM ${csv})`)).toBe(0);
    connection.closeSync();
    instance.closeSync();
  });

  it("tells how long it may take from the plan alone, and what the database counts", async () => {
    const { out } = await lethe("synthesize", "aim-grem.yaml", ...high, "--explain", "--format", "json");
    const { seconds, rows, tables } = JSON.parse(out).time;
    // The database counts each of four columns, each once more over merged values, and all pairs.
    expect([rows, tables]).toEqual([3000, 14]);
    expect(seconds.expected).toBeGreaterThan(0);
    expect(seconds.most).toBeGreaterThanOrEqual(seconds.expected);
    const words = (await lethe("synthesize", "aim-grem.yaml", ...high, "--explain")).out;
    expect(words).toContain(
      "of this machine's processor, beside the database's, which counts at most 14 tables",
    );
  });

  it("tells a declared target before it is paid, and keeps it in what verify reads", async () => {
    const { out: told } = await lethe("synthesize", "target.yaml", ...high, "--explain");
    expect(told).toContain("of which member is to be predicted");
    expect(told).toContain("count the target with each other column");
    const { error } = await lethe("synthesize", "target.yaml", ...high, "--release", "target.json");
    expect(error).toBe("");
    const { measurements } = JSON.parse(readFileSync("target.json", "utf8")).result;
    const pairs = measurements.map(({ attributes }: { attributes: number[] }) => attributes.join(" "));
    expect(pairs).toEqual(expect.arrayContaining(["0 3", "1 3", "2 3"]));
    const asked = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    const { out } = await lethe("verify", "target.json", ...asked);
    expect(out).not.toContain("FAILED");
    expect((await lethe("synthesize", "--from", "target.json", "--out", "target.csv")).error).toBe("");
  });

  it("takes rows of a condition alone", async () => {
    const { code } = await lethe("synthesize", "old.yaml", ...high, "--out", "old.csv");
    expect(code).toBe(null);
    const [head, ...rows] = readFileSync("old.csv", "utf8").trimEnd().split("\n");
    expect(head).toBe("age,member");
    expect(rows.filter((row) => row.endsWith("true")).length).toBeGreaterThan(0.97 * rows.length);
  });

  it("refuses a release that was changed, and names why", async () => {
    const { writeFileSync } = await import("node:fs");
    const text = readFileSync("mst.json", "utf8");
    const release = JSON.parse(text);
    const changes: Record<string, () => void> = {
      "its tables are not those that its certificate names": () => {
        release.result.measurements[0].values[0] += 1;
      },
      "its signature is not of its certificate": () => {
        release.certificate.principal = "somebody";
      },
      "it does not hold the tables of a synthesis": () => {
        release.certificate.procedure.kind = "boosting";
      },
    };
    for (const [why, change] of Object.entries(changes)) {
      Object.assign(release, JSON.parse(text));
      change();
      writeFileSync("forged.json", JSON.stringify(release));
      const { error, code } = await lethe("synthesize", "--from", "forged.json");
      expect([code !== null, error]).toEqual([true, expect.stringContaining(why)]);
    }
  });

  it.each([
    ["table: people\nmethod: gan", "is not a method"],
    ["table: people\nmethod: mst\ncolumns: [free]", "free"],
    ["table: people\nmethod: mst\ntarget: free", "is no column of the synthetic table"],
    ["table: people\nmethod: mst\ncolumns: [age]\ntarget: age", "is the only column of the synthetic table"],
    ["table: people\nmethod: mst\ncolumns: [height]", "height"],
    ["table: people\nmethod: mst\nbins: { sector: 4 }", "no number of the synthetic table"],
    ["table: people\nmethod: aim\nmodel_mb: 17", "must be above 0 and at most 16"],
    ["table: people\nmethod: aim\nmodel_mb: 0.000001", "MB"],
    ["table: people\nmethod: aim-grem\nmodel_mb: 513", "must be above 0 and at most 512"],
    ["table: people\nmethod: aim-grem\nmodel_mb: 0.001", "the model would take 0.00"],
    ["table: people\nmethod: mst\nwhere: free >", "where"],
  ])("refuses %j before anything is paid", async (rest, named) => {
    const { writeFileSync } = await import("node:fs");
    const before = await charges();
    writeFileSync("wrong.yaml", file(rest));
    const { error, code } = await lethe("synthesize", "wrong.yaml", ...high);
    expect([code !== null, error]).toEqual([true, expect.stringContaining(named)]);
    expect(await charges()).toBe(before);
  });

  it("refuses to pay for noise unless told to, and files that are there", async () => {
    const asked = ["synthesize", "mst.yaml", "--epsilon", "0.001", "--delta", "1e-9"];
    const before = await charges();
    const dull = await lethe(...asked);
    expect([dull.code !== null, dull.error]).toEqual([true, expect.stringContaining("% noise")]);
    const there = await lethe("synthesize", "mst.yaml", ...high, "--out", "mst.csv");
    expect(there.code).not.toBe(null);
    const ending = await lethe("synthesize", "mst.yaml", ...high, "--out", "mst.xlsx");
    expect(ending.error).toContain("neither a .csv nor a .parquet");
    expect(existsSync("mst.xlsx")).toBe(false);
    expect(await charges()).toBe(before);
    expect((await lethe(...asked, "--yes")).code).toBe(null);
  });

  it("is there for programs", async () => {
    const opened = await open("lethe.yaml");
    const text = readFileSync("mst.yaml", "utf8");
    const release = await opened.synthesize(text, { epsilon: 100, delta: "1e-6", requestId: "mst" });
    const table = await opened.syntheticTable(release);
    expect([...table.rows(3)]).toEqual([...table.rows(3)]);
    expect(table.columns.map(({ type }) => type)).toEqual(["integer", "text", "integer", "boolean"]);
    const { price } = await opened.explainSynthesis(text, { epsilon: 100, delta: "1e-6" });
    expect(price).toEqual(release.certificate.charge);
    await opened.close();
  });
});

it("refuses an account of pure DP, and says what there is instead", () =>
  inFolder({ ...files, "lethe.yaml": policy("replace-one", "pure") }, async () => {
    await lethe("init");
    const { error } = await lethe("synthesize", "mst.yaml", "--epsilon", "1", "--explain");
    expect(error).toContain("has no price in pure DP");
  }));

it("costs the same under replace-one, with more noise", async () => {
  const sigma = async (adjacency: string): Promise<number> => {
    let found = 0;
    await inFolder({ ...files, "lethe.yaml": policy(adjacency) }, async () => {
      await lethe("init");
      const { out } = await lethe(
        "synthesize",
        "mst.yaml",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
        "--explain",
        "--format",
        "json",
      );
      const [num = "", den = "1"] = JSON.parse(out).stages[0].sigma.split("/");
      found = Number(num) / Number(den);
    });
    return found;
  };
  const [one, other] = [await sigma("add-or-remove-one"), await sigma("replace-one")];
  expect(other / one).toBeGreaterThan(1.3);
});
