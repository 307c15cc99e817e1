import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerJsonSchema } from "@lethe/serve/formats";
import { verifyMade } from "@lethe/verify";
import { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { open } from "../open.ts";
import { charges, inFolder, lethe, peopleCsv, secret, setUp } from "../testing/command-line.ts";
import { oneFolder } from "../testing/one-folder.ts";
import { workspaceOf } from "../workspace.ts";
import { declareChanged, declaredVersions, watchDeclared } from "./declared-versions.ts";

oneFolder({ "people.csv": peopleCsv }, async () => {
  await setUp("--epsilon", "1000");
});

/** A question that nothing else in this file asks. */
let asked = 0;
function question(): string {
  asked += 1;
  return `SELECT sector, COUNT(*) AS people FROM people WHERE wage > ${asked}.5 GROUP BY sector`;
}

const query = (text: string, ...more: string[]): ReturnType<typeof lethe> =>
  lethe("query", text, "--epsilon", "1", ...more);

/** What a command writes to standard error. */
async function toldBeside(work: () => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const { error } = console;
  console.error = (text: string) => void lines.push(text);
  try {
    await work();
  } finally {
    console.error = error;
  }
  return lines.join("\n");
}

const moment = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

describe("the same question twice", () => {
  it("shows the earlier answer, as of its moment and under the names that are asked for now", async () => {
    const text = question();
    const first = await query(text);
    const before = await charges();
    const again = await query(`${text.replace("people FROM", "n FROM")} -- the same`);
    expect(again.code).toBeNull();
    expect(again.out).toMatch(
      new RegExp(`^As of {3}${moment}: answered then and shown again, so nothing is charged now`, "m"),
    );
    expect(again.out).toMatch(/^Price {3}then ε 1, charged to owner as q-[0-9a-f]{32}-1$/m);
    expect(again.out).toMatch(/^Left {4}then ε /m);
    expect(again.out.split("\n")[0]).toMatch(/^sector +n +95 % interval/);
    const rows = (out: string): string[] =>
      out
        .split("\n")
        .slice(2, 5)
        .map((row) => row.replace(/\s+/g, " "));
    expect(rows(again.out)).toEqual(rows(first.out));
    expect(first.out).not.toContain("As of");
    expect(await charges()).toBe(before);
    expect(again.out).not.toMatch(secret);
  });

  it("says in JSON when the answer was given and that nothing is charged, and the release verifies", async () => {
    const text = question();
    const first = JSON.parse((await query(text, "--format", "json")).out);
    const { out } = await query(text.replace("AS people", "AS n"), "--format", "json", "--out", "again.json");
    const again = JSON.parse(out);
    expect(first.answer).toMatchObject({ charged: { epsilon: "1" }, asOf: first.certificate.at });
    expect(again.answer).toMatchObject({
      charged: { measure: "approximate", epsilon: "0", delta: "0" },
      price: { epsilon: "1" },
      asOf: first.certificate.at,
      columns: [{ name: "sector" }, { name: "n" }],
    });
    expect(again.answer.rows[0].n).toEqual(first.answer.rows[0].people);
    const { answer: _, ...release } = again;
    const { answer: __, ...paid } = first;
    expect(release).toEqual(paid);
    expect(JSON.parse(readFileSync("again.json", "utf8"))).toEqual(paid);
    const keys = [".lethe/ledger/ledger.pub", "lethe.yaml"] as const;
    const verified = await lethe("verify", "again.json", "--public-key", keys[0], "--policy", keys[1]);
    expect(verified.code).toBeNull();
  });

  it("says beside a CSV what is charged", async () => {
    const text = question();
    await query(text);
    const told = await toldBeside(() => query(text, "--format", "csv"));
    expect(told).toMatch(new RegExp(`^As of {3}${moment}: .*nothing is charged now.*\\nPrice {3}then`));
  });

  it("is told ahead, to whoever would be shown it", async () => {
    const text = question();
    const ahead = (...more: string[]) => lethe("explain", text, "--epsilon", "1", ...more);
    expect((await ahead()).out).not.toContain("Now ");
    expect(JSON.parse((await ahead("--format", "json")).out).earlier).toBeNull();
    await query(text);
    expect((await ahead()).out).toMatch(
      new RegExp(`^Now {5}nothing: the answer as of ${moment} \\(q-[0-9a-f]{32}-1\\) is shown again`, "m"),
    );
    expect(JSON.parse((await ahead("--format", "json")).out).earlier).toEqual({
      requestId: expect.stringMatching(/^q-/),
      asOf: expect.stringMatching(new RegExp(moment)),
    });
    expect((await ahead("--as", "ada")).out).not.toContain("Now ");
    expect((await query(`EXPLAIN PRIVACY ${text}`)).out).toMatch(/^Now {5}nothing/m);
  });

  it("is paid for with --fresh, under an id of one's own, and after an import or a word of the owner", async () => {
    const text = question();
    const before = await charges();
    await query(text);
    await query(text, "--fresh");
    await query(text, "--request", `own ${asked}`);
    expect(await charges()).toBe(before + 3);
    expect((await lethe("import")).code).toBeNull();
    await query(text);
    expect(await charges()).toBe(before + 4);
    const changed = await lethe("data", "changed");
    expect(changed.out).toMatch(/^people: declared as changed, version [0-9a-f-]{36}$/m);
    await query(text);
    await query(text);
    expect(await charges()).toBe(before + 5);
    expect(await query(text, "--fresh", "--request", "x")).toMatchObject({ code: "cli.usage" });
  });

  it("is the library's habit too", async () => {
    const text = question();
    const house = await open("lethe.yaml");
    try {
      const before = await charges();
      const first = await house.query(text, { epsilon: 1 });
      expect(await house.query(`${text} `, { epsilon: "1" })).toEqual(first);
      const { requestId, at } = first.certificate;
      expect(await house.ask(text, { epsilon: 1 })).toEqual({
        kind: "release",
        release: first,
        repeat: { asOf: at, columns: ["sector", "people"] },
      });
      expect((await house.explain(text, { epsilon: 1 })).earlier).toEqual({ requestId, asOf: at });
      expect((await house.query(text, { epsilon: 1, fresh: true })).certificate.requestId).not.toBe(
        requestId,
      );
      await expect(house.query(text, { fresh: true, requestId: "a" })).rejects.toMatchObject({
        code: "parameter.invalid",
      });
      // Declared while the house is open.
      declareChanged(workspaceOf(), ["people"]);
      expect((await house.ask(text, { epsilon: 1 })).kind).toBe("release");
      expect(await charges()).toBe(before + 3);
    } finally {
      await house.close();
    }
  });
});

describe("answers that are made of releases", () => {
  const byTwo = (where: number): string =>
    `SELECT sector, wage > ${where} AS high, COUNT(*) AS people FROM people GROUP BY 1, 2`;
  const bySector = "SELECT sector, COUNT(*) AS people FROM people GROUP BY sector";
  const keys = ["--public-key", ".lethe/ledger/ledger.pub", "--policy", "lethe.yaml"] as const;
  const valid = new Ajv({ strict: false }).compile(answerJsonSchema());

  it("are shown for nothing, with what they are made of and both errors, and verify", async () => {
    await query(byTwo(101));
    const before = await charges();
    const { out, code } = await query(bySector);
    expect(code).toBeNull();
    expect(out.replace(/\s+/g, " ")).toMatch(
      new RegExp(`Made of q-[0-9a-f]{32}-1, as of ${moment}: nothing is charged \\(--fresh pays`),
    );
    expect(out).toMatch(/^Error {3}people: at most ±\S+ here, ±\S+ in a new answer$/m);
    expect(out).toMatch(/^Notes {3}\d: .*/m);
    expect(out).not.toMatch(secret);
    const printed = (await query(bySector, "--format", "json", "--out", "made.json")).out;
    const json = JSON.parse(printed);
    expect(valid(json), JSON.stringify(valid.errors)).toBe(true);
    expect(json.answer).toMatchObject({
      charged: { epsilon: "0" },
      asOf: json.releases[0].certificate.at,
      made: { of: [{ requestId: json.releases[0].certificate.requestId }] },
    });
    const { answer: _, ...made } = json;
    expect(JSON.parse(readFileSync("made.json", "utf8"))).toEqual(made);
    writeFileSync("printed.json", printed);
    for (const file of ["made.json", "printed.json"])
      expect((await lethe("verify", file, ...keys)).code).toBeNull();
    made.rows[0][1].value += 1;
    writeFileSync("forged.json", JSON.stringify(made));
    const forged = await lethe("verify", "forged.json", ...keys);
    expect(forged).toMatchObject({ code: "release.invalid" });
    expect(forged.out).toContain("is not made of what the releases show");
    const csv = await toldBeside(() => query(bySector, "--format", "csv"));
    expect(csv).toMatch(/^Made {4}of q-.*\nError {3}people: at most/);
    expect((await query(bySector, "--plot", "made.svg")).code).toBeNull();
    expect(await charges()).toBe(before);
    await query(bySector, "--fresh");
    expect(await charges()).toBe(before + 1);
  });

  it("are told ahead, and at any width with --made, which never pays", async () => {
    const total = "SELECT COUNT(*) AS people FROM people";
    await lethe("data", "changed");
    await query(byTwo(102));
    const before = await charges();
    const explained = await lethe("explain", total, "--epsilon", "1");
    expect(explained.out.replace(/\s+/g, " ")).toMatch(
      /Made for nothing, lethe query --made gives what q-[0-9a-f]{32}-1 makes, off by at most people ±\S+ \(new: ±\S+\)/,
    );
    expect(
      JSON.parse((await lethe("explain", bySector, "--epsilon", "1", "--format", "json")).out).made,
    ).toMatchObject({
      isTaken: true,
    });
    expect((await lethe("explain", bySector, "--epsilon", "1")).out.replace(/\s+/g, " ")).toMatch(
      /Now nothing: made of q-[0-9a-f]{32}-1, off by at most/,
    );
    expect((await query(total, "--made")).out).toMatch(/^Made/m);
    expect(await charges()).toBe(before);
    expect(await query("SELECT AVG(wage) FROM people", "--made")).toMatchObject({ code: "query.option" });
    expect(await query(total, "--made", "--fresh")).toMatchObject({ code: "cli.usage" });
    expect(await query(total, "--made", "--request", "x")).toMatchObject({ code: "cli.usage" });
    expect(await charges()).toBe(before);
    await query(total);
    expect(await charges()).toBe(before + 1);
  });

  it("are the mean of several answers to one question, for a library too, whose releases stay as they are", async () => {
    const text = question();
    const house = await open("lethe.yaml");
    try {
      const first = await house.query(text, { epsilon: 1 });
      const second = await house.query(text, { epsilon: 1, fresh: true });
      const answer = await house.ask(text, { epsilon: 1 });
      if (answer.kind !== "made") throw new Error("two answers make one");
      expect(answer.made.releases).toEqual([first, second]);
      const { checks } = await verifyMade(JSON.stringify(answer.made));
      expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      expect(await house.query(text, { epsilon: 1 })).toEqual(second);
      const { requestId } = first.certificate;
      expect(await house.ask(text, { epsilon: 1, requestId })).toMatchObject({ release: first });
      await expect(house.query(text, { made: true })).rejects.toMatchObject({ code: "parameter.invalid" });
      for (const beside of [{ fresh: true }, { requestId: "x" }])
        await expect(house.ask(text, { made: true, ...beside })).rejects.toMatchObject({
          code: "parameter.invalid",
        });
    } finally {
      await house.close();
    }
  });
});

describe("lethe data changed", () => {
  it("gives each table, or one, a new random id, which says nothing of the data", () =>
    inFolder({ "lethe.yaml": twoTables }, async (folder) => {
      const workspace = workspaceOf();
      const watched = watchDeclared(workspace);
      expect(await lethe("data", "changed")).toMatchObject({ code: "ledger.missing" });
      await lethe("init");
      expect(declaredVersions(workspace)).toEqual({});
      expect(watched()).toEqual({});
      await lethe("data", "changed");
      const both = declaredVersions(workspace);
      expect(Object.keys(both)).toEqual(["a", "b"]);
      expect(watched()).toEqual(both);
      expect(watched()).toBe(watched());
      expect(both.a).toMatch(/^[0-9a-f-]{36}$/);
      await lethe("data", "changed", "--table", "b");
      const one = declaredVersions(workspace);
      expect([one.a === both.a, one.b === both.b]).toEqual([true, false]);
      expect(watched()).toEqual(one);
      expect(await lethe("data", "changed", "--table", "c")).toMatchObject({ code: "query.unknown-table" });
      expect(declaredVersions(workspace)).toEqual(one);
      const file = join(folder, ".lethe", "data-versions.json");
      if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
      for (const damaged of ["", "{", "[]", '{"version":2,"tables":{}}', '{"version":1,"tables":{"a":1}}']) {
        writeFileSync(file, damaged);
        expect(() => declaredVersions(workspace)).toThrow(
          expect.objectContaining({ code: "cli.file", fix: expect.stringContaining("lethe data changed") }),
        );
        expect(await lethe("data", "changed")).toMatchObject({ code: null });
        expect(Object.keys(declaredVersions(workspace))).toEqual(["a", "b"]);
      }
      expect(Object.keys(watched())).toEqual(["a", "b"]);
      rmSync(file);
      expect(declaredVersions(workspace)).toEqual({});
      expect(watched()).toEqual({});
    }));
});

const twoTables = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 10 }
tables:
  a: { file: a.parquet, unit: row, columns: { x: { type: boolean } } }
  b: { file: b.parquet, unit: row, columns: { x: { type: boolean } } }
`;
