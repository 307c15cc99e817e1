import { writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { open } from "../open.ts";
import { charges, lethe, peopleCsv } from "../testing/command-line.ts";
import { oneFolder } from "../testing/one-folder.ts";
import { sql } from "./sql/sql.ts";

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1000 }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      wage: { type: number, bounds: [0, 60] }
      sector: { type: text, categories: [manufacturing, construction, other] }
  sectors:
    file: sectors.csv
    public: true
    key: sector
    columns:
      sector: { type: text }
      since: { type: date, bounds: [1900-01-01, 2030-12-31] }
      firms: { type: integer, bounds: [0, 1000] }
`;
const sectorsCsv =
  "sector,since,firms\nmanufacturing,1950-03-01,40\nconstruction,1975-07-15,120\nmining,1901-01-01,\n";

oneFolder({ "people.csv": peopleCsv, "sectors.csv": sectorsCsv }, async () => {
  writeFileSync("lethe.yaml", policy);
  for (const words of [["init"], ["import", "--table", "people"], ["import", "--table", "sectors"]]) {
    const { code, error } = await lethe(...words);
    if (code !== null) throw new Error(error);
  }
});

const ofSectors = "SELECT sector, since, firms * 2 AS twice FROM sectors ORDER BY firms";

describe("a question of public tables alone", () => {
  it("is answered exactly, in every format, and charges nothing", async () => {
    const before = await charges();
    const { out, code } = await lethe("query", ofSectors);
    expect(code).toBeNull();
    expect(out.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
      ["sector", "since", "twice"],
      [expect.stringMatching(/^─+$/), expect.anything(), expect.anything()],
      ["manufacturing", "1950-03-01", "80"],
      ["construction", "1975-07-15", "240"],
      ["mining", "1901-01-01", "—"],
    ]);
    expect((await lethe("query", ofSectors, "--format", "csv")).out).toBe(
      "sector,since,twice\nmanufacturing,1950-03-01,80\nconstruction,1975-07-15,240\nmining,1901-01-01,",
    );
    expect(JSON.parse((await lethe("query", ofSectors, "--format", "json")).out)).toContainEqual({
      sector: "mining",
      since: "1901-01-01",
      twice: null,
    });
    expect(await charges()).toBe(before);
  });

  it("has no release to write, and no price to explain", async () => {
    const refused = await lethe("query", ofSectors, "--out", "release.json");
    expect(refused).toMatchObject({ code: "cli.usage", error: expect.stringContaining("--out") });
    const { out } = await lethe("explain", ofSectors);
    expect(out).toBe("exact, and for nothing: sectors is public");
    const json = (await lethe("explain", ofSectors, "--format", "json")).out;
    expect(JSON.parse(json)).toEqual({ public_tables: ["sectors"] });
  });

  it("takes parameters", async () => {
    const { out } = await lethe(
      "query",
      "SELECT firms FROM sectors WHERE sector = $1",
      ...["--param", "1=construction", "--format", "csv"],
    );
    expect(out).toBe("firms\n120");
  });

  it("is one for ask(), and not for query() and explain(), of the library", async () => {
    const opened = await open("lethe.yaml");
    try {
      expect(await opened.publicTables(ofSectors)).toEqual(["sectors"]);
      expect(await opened.publicTables("SELECT COUNT(*) FROM people")).toBeNull();
      const asked = await opened.ask(ofSectors);
      expect(asked).toMatchObject({ kind: "public", answer: { tables: ["sectors"] } });
      for (const refused of [opened.query(ofSectors), opened.explain(ofSectors)])
        await expect(refused).rejects.toMatchObject({ code: "query.public" });
    } finally {
      await opened.close();
    }
  });

  it("is answered in a session without a price", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let shown = "";
    output.on("data", (part) => {
      shown += String(part);
    });
    const asked = { policy: "lethe.yaml", as: "owner", epsilon: "1", confidence: "0.95" };
    const session = sql(asked, { input, output, width: () => 80 });
    input.end(`${ofSectors};\n`);
    await session;
    expect(shown).toMatch(/mining +1901-01-01 +—\s+exact, and for nothing: sectors is public/);
    expect(shown).not.toContain("Pay");
  });
});

describe("an answer beside a public table", () => {
  const text =
    "WITH n AS (SELECT sector, COUNT(*) AS people FROM people GROUP BY sector) SELECT s.sector, s.since, people / firms AS each FROM sectors s LEFT JOIN n USING (sector) ORDER BY s.sector";

  it("is explained before the table is read, paid once, and verifies", async () => {
    expect((await lethe("explain", text, "--epsilon", "1")).out).toMatch(
      /made of released rows and of rows of sectors, which is public,\s+at no price/,
    );
    const before = await charges();
    const { code, out } = await lethe("query", text, "--epsilon", "100", "--out", "beside.json");
    expect(code).toBeNull();
    expect(out).toMatch(/construction +1975-07-15 +0\.\d+/);
    expect(await charges()).toBe(before + 1);
    const verified = await lethe("verify", "beside.json", "--policy", "lethe.yaml");
    expect(verified.code).toBeNull();
    expect(verified.out).toContain("rows of public tables beside the answer");
  });
});
