import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { charges, inFolder, lethe } from "../../testing/command-line.ts";

const methods = ["mst", "aim", "residuals", "aim-grem"] as const;
const cities = Array.from({ length: 10_000 }, (_, at) => `c${at}`);
const policy = (adjacency: string, unit: string, more = ""): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
tables:
  people:
    file: people.csv
    ${unit}
    columns:
      id: { type: text }
      age: { type: integer, bounds: [18, 90] }
      wage: { type: number, bounds: [0, 100] }
      one: { type: text, categories: [only] }
${more}      member: { type: boolean }
budget: { measure: approximate, epsilon: 100000, delta: 1e-5 }
`;
const eachRow = policy("add-or-remove-one", "unit: row");
const large = policy(
  "add-or-remove-one",
  "unit: row",
  `      city: { type: text, categories: [${cities.join(", ")}] }\n`,
);
/** Two rows of a person are counted, under the neighbouring relation that moves tables furthest. */
const twoRows = policy(
  "replace-one",
  "unit: id\n    limit: rows-before-filter\n    max_groups_contributed: 1\n    max_rows_contributed_per_group: 2",
);
const tables = {
  "of no rows": "",
  "of nothing but NULLs": "a,,,,\nb,,,,\n",
  "of values that no domain holds": [
    "a,-5,NaN,other,maybe",
    "a,99999999999,inf,ONLY,2",
    'a,30.5,1e308,"x\ny",yes please',
    "b,twelve,-inf,only,true\n",
  ].join("\n"),
};

// Each command says before it pays what that takes.
beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
afterAll(() => void vi.restoreAllMocks());

const price = ["--epsilon", "200", "--delta", "1e-8", "--yes"];

describe.each([
  ["each row a unit, added or removed", eachRow],
  ["units of several rows, replaced", twoRows],
])("a synthetic table, %s,", (_, text) => {
  it.each(Object.entries(tables))("%s is made like any other, and verifies", (__, rows) =>
    inFolder({ "lethe.yaml": text, "people.csv": `id,age,wage,one,member\n${rows}` }, async () => {
      await lethe("init");
      await lethe("import");
      for (const method of methods) {
        for (const rest of [
          "columns: [age, wage, one, member]\nbins: 6\ntarget: member",
          "columns: [one]",
          "columns: [one, member]\ntarget: one",
        ]) {
          const before = await charges();
          writeFileSync("table.yaml", `version: 1\ntable: people\nmethod: ${method}\n${rest}\n`);
          const files = [`${method}-${before}.csv`, `${method}-${before}.json`] as const;
          const made = await lethe(
            "synthesize",
            "table.yaml",
            ...price,
            "--out",
            files[0],
            "--release",
            files[1],
          );
          expect(made, `${method} ${rest}`).toMatchObject({ error: "", code: null });
          expect(await charges()).toBe(before + 1);
          // A NULL alone in its row is an empty line.
          const drawn = readFileSync(files[0], "utf8").split("\n").slice(1, -1);
          expect(made.out).toContain(` ${drawn.length.toLocaleString("en-US")} rows are in`);
          const known = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
          const verified = await lethe("verify", files[1], ...known);
          expect(verified.error).toBe("");
          expect(verified.out).not.toContain("FAILED");
        }
      }
    }),
  );
});

it("takes a column of ten thousand values, and refuses what is too much with fixes that are accepted", () =>
  inFolder(
    { "lethe.yaml": large, "people.csv": "id,age,wage,one,city,member\na,30,4,only,c77,true\n" },
    async () => {
      await lethe("init");
      await lethe("import");
      const refusal = async (rest: string): Promise<string> => {
        writeFileSync("table.yaml", `version: 1\ntable: people\n${rest}\n`);
        return (await lethe("synthesize", "table.yaml", ...price, "--explain")).error;
      };
      for (const method of methods) {
        writeFileSync("city.yaml", `version: 1\ntable: people\nmethod: ${method}\ncolumns: [city, member]\n`);
        const made = await lethe("synthesize", "city.yaml", ...price, "--out", `${method}.csv`);
        expect(made).toMatchObject({ error: "", code: null });
      }
      const long = await refusal("method: aim\ncolumns: [wage, member]\nbins: 4096");
      expect(long).toContain('the table of "wage" and "member" cannot be asked for: with 4096 bins');
      const [, bins] = /write bins: (\d+)/.exec(long) ?? [];
      expect(await refusal(`method: aim\ncolumns: [wage, member]\nbins: ${bins}`)).toBe("");
      const much = await refusal("method: mst\ncolumns: [city, wage, age, member]\nbins: 256");
      expect(much).toContain('leave out "city"');
      expect(await refusal("method: mst\ncolumns: [wage, age, member]\nbins: 256")).toBe("");
      const wide = Array.from({ length: 257 }, (_, at) => `      c${at}: { type: boolean }`).join("\n");
      writeFileSync("lethe.yaml", eachRow.replace("      member: { type: boolean }", wide));
      const all = await refusal("method: aim-grem");
      expect(all).toContain("columns, and may have 256");
      const named = Array.from({ length: 256 }, (_, at) => `c${at}`).join(", ");
      expect(await refusal(`method: aim-grem\ncolumns: [${named}]`)).toBe("");
    },
  ));
