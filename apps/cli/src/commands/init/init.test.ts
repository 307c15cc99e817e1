import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type Policy, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { inFolder, lethe, peopleCsv, secret } from "../../testing/command-line.ts";

const files = { "people.csv": peopleCsv };
const written = (path = "lethe.yaml"): Policy => readPolicy(readFileSync(path, "utf8"));

describe("lethe init", () => {
  it("drafts a policy from header and words, opens ledger and seed, says what to type next", () =>
    inFolder({ "visits.CSV": "pid;wage;age;sector;married\n1;2;3;x;true\n" }, async () => {
      const words = [
        ["--table", "stays", "--unit", "pid", "--unit-name", "patient", "--adjacency", "replace-one"],
        ["--bounds", "wage=0..60.5", "--bounds", "age=int:-1..120", "--categories", "sector=a b,c,other"],
        ["--booleans", "married", "--max-groups", "3", "--max-rows", "4", "--expected-rows", "1000"],
        ["--limit", "rows-before-filter"],
        ["--delimiter", ";", "--measure", "zcdp", "--epsilon", "1/2", "--delta", "1e-9"],
      ];
      const { out, code } = await lethe("init", "visits.CSV", ...words.flat());
      expect(code).toBeNull();
      expect(out).toContain("no value was read");
      expect(out).toContain("Read the policy, then: lethe import visits.CSV");
      expect(out).not.toContain("a column's name is a number");
      const policy = written();
      expect(policy.privacyUnit).toEqual({ name: "patient", adjacency: "replace-one" });
      expect(policy.tables.stays).toMatchObject({
        file: "visits.CSV",
        unit: { kind: "column", column: "pid" },
        contribution: { maxGroups: 3, maxRowsPerGroup: 4 },
        csv: { delimiter: ";" },
        expectedRows: 1000,
        columns: {
          wage: { type: "number", bounds: [0, 60.5] },
          age: { type: "integer", bounds: [-1, 120] },
          sector: { type: "text", categories: ["a b", "c", "other"], default: "other" },
          married: { type: "boolean" },
        },
      });
      expect(policy.budget).toMatchObject({ measure: "zcdp", epsilon: { num: 1n, den: 2n } });
      expect(statSync(".lethe").mode & 0o777).toBe(0o700);
      expect(statSync(".lethe/seed").mode & 0o777).toBe(0o600);
      expect((await lethe("import")).code).toBeNull();
    }));

  it("reads the header alone: what stands below changes nothing", () =>
    inFolder(files, async () => {
      await lethe("init", "people.csv", "--unit", "row");
      const policy = readFileSync("lethe.yaml", "utf8");
      expect(policy).not.toMatch(secret);
      rmSync("lethe.yaml");
      rmSync(".lethe", { recursive: true });
      writeFileSync("people.csv", Buffer.from('wage,sector,city\n\u0000,"open,\xff\xfe', "latin1"));
      await lethe("init", "people.csv", "--unit", "row");
      expect(readFileSync("lethe.yaml", "utf8")).toBe(policy);
    }));

  it("takes unusual names as they are", () =>
    inFolder(
      { "odd names.csv": '\ufeffprénom,城市,a b,x=y,"#""c",row,null,constructor,-1\n1,2,3,4,5,6,7,8,9\n' },
      async () => {
        const words = ["--bounds", "x=y=0..3", "--bounds", "prénom=-1e0..2", "--booleans", "row"];
        const categories = ["--categories", "城市=北京,null,true", "--bounds", "constructor=0..1"];
        const { code, out } = await lethe("init", "odd names.csv", "--unit", "row", ...words, ...categories);
        expect(code).toBeNull();
        expect(out).toContain("a column's name is a number");
        expect(Object.keys(written().tables.odd_names!.columns)).toEqual(
          expect.arrayContaining(["prénom", "城市", "a b", "x=y", '#"c', "row", "null", "constructor", "-1"]),
        );
        expect((await lethe("import")).code).toBeNull();
        const sql = 'SELECT 城市, SUM("x=y"), AVG(prénom), SUM(constructor) FROM odd_names GROUP BY 城市';
        expect((await lethe("query", sql, "--epsilon", "1")).code).toBeNull();
      },
    ));

  it("opens the ledger of a policy that is there", () =>
    inFolder(files, async () => {
      await lethe("init", "people.csv", "--unit", "row");
      rmSync(".lethe", { recursive: true });
      expect(await lethe("init")).toMatchObject({
        code: null,
        out: expect.stringContaining("Opened the ledger"),
      });
    }));

  it("puts policy and ledger where --policy says", () =>
    inFolder(files, async () => {
      const { out, code } = await lethe("init", "people.csv", "--unit", "row", "--policy", "own/p.yaml");
      expect(code).toBeNull();
      expect(out).toContain("lethe import people.csv --policy own/p.yaml");
      expect(written("own/p.yaml").tables.people!.file).toBe("../people.csv");
      expect((await lethe("import", "people.csv", "--policy", "own/p.yaml")).code).toBeNull();
      expect(existsSync(".lethe")).toBe(false);
    }));

  it("never replaces a policy, a ledger or a seed", () =>
    inFolder(files, async () => {
      await lethe("init", "people.csv", "--unit", "row");
      const kept = ["lethe.yaml", ".lethe/ledger/ledger.db", ".lethe/ledger/ledger.key", ".lethe/seed"];
      const before = kept.map((path) => readFileSync(path));
      expect(await lethe("init", "people.csv", "--unit", "row")).toMatchObject({ code: "cli.file" });
      expect(await lethe("init")).toMatchObject({ code: "ledger.exists" });
      expect(kept.map((path) => readFileSync(path))).toEqual(before);
      rmSync("lethe.yaml");
      expect(await lethe("init", "people.csv", "--unit", "row")).toMatchObject({ code: "ledger.exists" });
      expect(existsSync("lethe.yaml")).toBe(false);
    }));

  it("makes a lost seed anew and keeps the ledger", () =>
    inFolder(files, async () => {
      await lethe("init", "people.csv", "--unit", "row");
      await lethe("import");
      rmSync(".lethe/seed");
      const database = readFileSync(".lethe/ledger/ledger.db");
      const sql = "SELECT COUNT(*) FROM people";
      expect(await lethe("query", sql, "--epsilon", "1")).toMatchObject({
        code: "cli.file",
        error: expect.stringContaining("lethe init makes a new one"),
      });
      expect((await lethe("init")).out).toContain("Kept the ledger");
      expect(readFileSync(".lethe/ledger/ledger.db")).toEqual(database);
      expect((await lethe("query", sql, "--epsilon", "1")).code).toBeNull();
    }));

  it.each<[string, string[], string, RegExp]>([
    ["nobody protected, no terminal", [], "cli.usage", /--unit row/],
    ["an unknown unit", ["--unit", "person"], "policy.invalid", /has no column "person"/],
    ["bounds the wrong way", ["--unit", "row", "--bounds", "wage=60..0"], "cli.usage", /not in order/],
    ["no bounds", ["--unit", "row", "--bounds", "wage"], "cli.usage", /does not state bounds/],
    ["NaN in bounds", ["--unit", "row", "--bounds", "wage=0..NaN"], "cli.usage", /does not state bounds/],
    ["infinite bounds", ["--unit", "row", "--bounds", "wage=0..1e999"], "policy.invalid", /wage/],
    ["huge bounds", ["--unit", "row", "--bounds", "wage=0..1e300"], "policy.invalid", /above 2\^50/],
    [
      "fractions of integers",
      ["--unit", "row", "--bounds", "wage=int:0.5..6"],
      "policy.invalid",
      /whole number/,
    ],
    [
      "a column that is not there",
      ["--unit", "row", "--bounds", "wag=0..1"],
      "policy.invalid",
      /did you mean "wage"/,
    ],
    [
      "a column twice",
      ["--unit", "row", "--bounds", "wage=0..1", "--bounds", "wage=0..2"],
      "cli.usage",
      /wage is declared twice/,
    ],
    [
      "a column as two things",
      ["--unit", "row", "--bounds", "city=0..1", "--categories", "city=a,b"],
      "cli.usage",
      /city is declared twice/,
    ],
    ["bounds of the unit", ["--unit", "city", "--categories", "city=a,b"], "cli.usage", /names the unit/],
    ["no categories", ["--unit", "row", "--categories", "sector="], "cli.usage", /does not state categories/],
    ["a category twice", ["--unit", "row", "--categories", "sector=a,a"], "cli.usage", /repeat/],
    ["no boolean", ["--unit", "row", "--booleans", ""], "cli.usage", /names no column/],
    ["ε of 0", ["--unit", "row", "--epsilon", "0"], "cli.usage", /--epsilon must be a number above 0/],
    ["ε below 0", ["--unit", "row", "--epsilon=-1"], "cli.usage", /--epsilon/],
    ["ε that is no number", ["--unit", "row", "--epsilon", "NaN"], "cli.usage", /--epsilon/],
    ["ε with a comma", ["--unit", "row", "--epsilon", "0,5"], "cli.usage", /--epsilon/],
    ["ε that goes on", ["--unit", "row", "--epsilon", "5, analysts: {eve: 1}"], "cli.usage", /--epsilon/],
    ["δ of 0", ["--unit", "row", "--delta", "0"], "cli.usage", /--delta/],
    ["δ of 1", ["--unit", "row", "--delta", "1"], "cli.usage", /--delta must be below 1/],
    ["an unknown measure", ["--unit", "row", "--measure", "renyi"], "cli.usage", /pure, approximate, zcdp/],
    ["an unknown adjacency", ["--unit", "row", "--adjacency", "one"], "cli.usage", /replace-one/],
    [
      "no number of groups",
      ["--unit", "city", "--max-groups", "abc"],
      "cli.usage",
      /--max-groups must be a whole/,
    ],
    ["no group", ["--unit", "city", "--max-groups", "0"], "cli.usage", /at least 1/],
    [
      "groups of a row",
      ["--unit", "row", "--max-groups", "3"],
      "cli.usage",
      /each row is one unit in one group/,
    ],
    ["bounds of a row", ["--unit", "row", "--limit", "rows-before-filter"], "cli.usage", /nothing to limit/],
    ["an unknown bound", ["--unit", "city", "--limit", "rows"], "cli.usage", /groups-after-filter/],
    ["no number of rows", ["--unit", "row", "--expected-rows", "x"], "cli.usage", /--expected-rows/],
    ["no delimiter", ["--unit", "row", "--delimiter", ""], "cli.usage", /one character/],
    ["two delimiters", ["--unit", "row", "--delimiter", ";;"], "cli.usage", /one character/],
    ["a line break as delimiter", ["--unit", "row", "--delimiter", "\n"], "policy.invalid", /delimiter/],
    ["no table name", ["--unit", "row", "--table", ""], "policy.invalid", /not a name/],
    ["an escape as name", ["--unit", "row", "--unit-name", "\u001b[31m"], "policy.invalid", /not a name/],
  ])("refuses %s, and writes nothing", (_, words, code, message) =>
    inFolder(files, async () => {
      const said = await lethe("init", "people.csv", ...words);
      expect(said.code).toBe(code);
      expect(said.error).toMatch(message);
      expect(said.error).toMatch(/\n {2}fix: \S/);
      expect(said.error).not.toMatch(secret);
      expect(said.error).not.toMatch(/line \d+,/); // of a file that was never written
      expect(existsSync("lethe.yaml") || existsSync(".lethe")).toBe(false);
    }),
  );

  it.each<[string, string | Uint8Array, RegExp]>([
    ["an empty file", "", /no name for column 1/],
    ["a name twice", "a,A\n1,2\n", /twice/],
    ["no name", "a,,c\n1,2,3\n", /no name for column 2/],
    ["an open quote", 'a,"b\n1,2\n', /open quote/],
    ["a line break in a name", 'a,"b\nc"\n1,2\n', /control character/],
    ["an escape in a name", "a,\u001b[31m\n1,2\n", /control character/],
    ["a turned text in a name", "a,\u202ered\n1,2\n", /no usable name/],
    ["a NUL in a name", "a,b\u0000\n1,2\n", /UTF-8/],
    ["another encoding", Buffer.from("a,\xe9\n1,2\n", "latin1"), /UTF-8/],
    ["UTF-16", Buffer.from("\ufeffa,b\n", "utf16le"), /UTF-8/],
    ["a name of an object's own", "a,__proto__\n1,2\n", /no usable name/],
  ])("refuses a header with %s", (_, content, message) =>
    inFolder({ "d.csv": content }, async () => {
      const said = await lethe("init", "d.csv", "--unit", "row");
      expect(["engine.source", "policy.invalid"]).toContain(said.code);
      expect(said.error).toMatch(message);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
      expect(said.error).not.toMatch(/[\u0000-\u0009\u001b\u007f-\u009f\u202e]/);
      expect(existsSync("lethe.yaml")).toBe(false);
    }),
  );

  it("refuses files it cannot draft from", () =>
    inFolder({ ...files, "people.txt": peopleCsv, "d.parquet": "x" }, async () => {
      mkdirSync("folder.csv");
      expect((await lethe("init", "nosuch.csv", "--unit", "row")).code).toBe("engine.source");
      expect((await lethe("init", "folder.csv", "--unit", "row")).code).toBe("engine.source");
      expect((await lethe("init", "people.txt", "--unit", "row")).error).toContain(
        "name a .csv, .parquet or .duckdb",
      );
      expect((await lethe("init", "", "--unit", "row")).code).toBe("cli.usage");
      expect((await lethe("init", "d.parquet", "--unit", "row")).error).toContain("--bounds");
      expect((await lethe("init", "no.parquet", "--unit", "row", "--bounds", "a=0..1")).code).toBe(
        "cli.file",
      );
      expect((await lethe("init", "people.csv", "--unit", "row", "--policy", ".")).code).toBe("cli.file");
      expect((await lethe("init", "people.csv", "--unit", "row", "--policy", "people.csv/p.yaml")).code).toBe(
        "cli.file",
      );
      expect((await lethe("init")).error).toContain("name the data: lethe init people.csv");
      expect(existsSync("lethe.yaml") || existsSync(".lethe")).toBe(false);
    }));

  it("says as the next command a question where nothing has to be imported, in quotes that a shell takes", () =>
    inFolder({ "d.parquet": "x" }, async () => {
      const next = async (...words: string[]): Promise<string> => {
        const said = await lethe("init", "d.parquet", "--unit", "row", "--bounds", "a=0..1", ...words);
        expect(said).toMatchObject({ code: null, error: "" });
        return /^Read the policy, then: (.*)$/m.exec(said.out)![1]!;
      };
      expect(await next()).toBe('lethe explain "SELECT COUNT(*) FROM d" --epsilon 0.5');
      expect(await next("--policy", "own/p.yaml", "--table", "a b's")).toBe(
        `lethe explain 'SELECT COUNT(*) FROM "a b'\\''s"' --epsilon 0.5 --policy own/p.yaml`,
      );
    }));

  it("takes a Parquet file's columns from the owner's words, each once", () =>
    inFolder({ "d.PARQUET": "x" }, async () => {
      const words = [
        ["--unit", "pid", "--bounds", "a=0..1", "--bounds", "since=2010-01-01..2029-12-31"],
        ["--categories", "b=x,y", "--booleans", "c, d"],
      ];
      const said = await lethe("init", "d.PARQUET", ...words.flat());
      expect(said).toMatchObject({ code: null, error: "" });
      expect(said.out).toMatch(/^Wrote lethe\.yaml from the header and your words; no value was read\.$/m);
      expect(Object.keys(written().tables.d!.columns).sort()).toEqual(["a", "b", "c", "d", "pid", "since"]);
      expect(written().tables.d!.columns.since).toMatchObject({ type: "date" });
      const rows = await lethe("init", "d.PARQUET", "--unit", "row", "--policy", "own/p.yaml");
      expect(rows).toMatchObject({ code: "cli.usage", out: "" });
      expect(rows.error).toContain(
        "init does not look into .parquet files, so it knows no column of d.PARQUET",
      );
    }));

  it("holds one table of a file, under one name", () =>
    inFolder(files, async () => {
      const twice = await lethe("init", "people.csv", "--unit", "row", "--table", "a", "--table", "b");
      expect(twice).toMatchObject({ code: "cli.usage", out: "" });
      expect(twice.error).toContain("--table names several tables, and the file holds one");
      expect(existsSync("lethe.yaml")).toBe(false);
    }));

  it("goes on where an empty folder was made for the ledger, and is refused where a file is in the place of its folder", () =>
    inFolder(files, async () => {
      mkdirSync(".lethe/ledger", { recursive: true });
      const made = await lethe("init", "people.csv", "--unit", "row");
      expect(made).toMatchObject({ code: null, error: "" });
      expect(made.out).toMatch(/^Opened the ledger in \.lethe\/ledger; its public key is ledger\.pub\.$/m);
      mkdirSync("own");
      writeFileSync("own/.lethe", "");
      const blocked = await lethe("init", "people.csv", "--unit", "row", "--policy", "own/p.yaml");
      expect(blocked.code).toBe("cli.file");
      expect(blocked.error).toMatch(/cannot write the folder .*own\/\.lethe \(EEXIST\)/);
    }));

  it("advises what the policy's check advises, and says that a name is a number only where one is", () =>
    inFolder(files, async () => {
      const said = await lethe("init", "people.csv", "--unit", "row", "--epsilon", "1000");
      expect(said.out).toMatch(/^advice: [\w.]+: \S.*\n {2}\S/m);
      const advice = (out: string): readonly string[] =>
        out.split("\n").filter((line) => line.startsWith("advice: "));
      expect(advice(said.out)).toEqual(advice((await lethe("policy", "check")).out));
      expect(said.out).not.toContain("a column's name is a number");
    }));
});
