import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, existsSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { inFolder, peopleCsv, secret } from "./testing/command-line.ts";

/** The program that npm test builds before it runs the tests. */
const bin = fileURLToPath(new URL("../dist/bin.mjs", import.meta.url));

function run(argv: readonly string[], input = ""): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [bin, ...argv], { encoding: "utf8", input });
}

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables: { people: { file: people.csv, unit: row, columns: { wage: { type: number } } } }
budget: { measure: pure, epsilon: 5 }
`;
const init = ["init", "people.csv", "--unit", "row", "--bounds", "wage=0..60"];

/** The file that npm links as a command; it has to be there before anything is built. */
const linked = fileURLToPath(new URL("../bin/lethe.mjs", import.meta.url));

describe("the program that npm links", () => {
  it("is the one that package.json names, and runs what was built", () => {
    const { bin: named, version } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    );
    expect(fileURLToPath(new URL(`../${named.lethe}`, import.meta.url))).toBe(linked);
    const asked = spawnSync(linked, ["--version"], { encoding: "utf8" });
    expect(asked).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
    expect(spawnSync(linked, ["nosuch"]).status).toBe(2);
  });

  it("says how to build it where that was not done", () =>
    inFolder({}, async (folder) => {
      cpSync(linked, `${folder}/bin/lethe.mjs`);
      const asked = spawnSync(process.execPath, ["bin/lethe.mjs"], { encoding: "utf8" });
      expect(asked).toMatchObject({ status: 2, stdout: "" });
      expect(asked.stderr).toMatch(/^error \[cli\.usage\] .+\n {2}fix: npm run build.*\n$/);
    }));
});

describe("the built program", () => {
  it("exits with 0 where it answers, and prints on standard output alone", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      const schemas = [
        ["policy", "schema"],
        ...["policy", "model", "synthesis", "answer", "error"].map((kind) => ["schema", kind]),
      ];
      const told = [["--help"], ["query", "--help"], ["--version"], ...schemas];
      for (const argv of [init, ["import"], ...told]) {
        expect(run(argv)).toMatchObject({ status: 0, stderr: "" });
      }
      // The question from standard input.
      const asked = run(
        ["query", "-", "--epsilon", "1", "--format", "csv"],
        "SELECT COUNT(*)\nFROM people\n",
      );
      expect(asked.status).toBe(0);
      // The price stands beside the CSV.
      expect(asked.stderr).toMatch(/^Price {3}ε 1, charged to owner as [^\n]+\nLeft {4}ε 4[^\n]*\n$/);
      expect(asked.stdout).toMatch(/^count,count_lower,count_upper\n-?\d+,\d+,\d+\n$/);
      expect(asked.stdout).not.toMatch(secret);

      const refused = run(["query", "-", "--epsilon", "1"], "SELECT COUNT(*)\nFROM persons\n");
      expect(refused).toMatchObject({ status: 3, stdout: "" });
      expect(refused.stderr).toBe(
        [
          'error [query.unknown-table] the policy has no table "persons"',
          "  at line 2, column 6",
          "    FROM persons",
          "         ^",
          "  fix: write one of: people; for example: SELECT COUNT(*) FROM people",
          "",
        ].join("\n"),
      );
    }));

  it("accounts for an event from standard input, and draws with the tools it does not bundle", () =>
    inFolder({}, async () => {
      const event = { kind: "gaussian", version: 1, sigma: "4", sensitivity: "1" };
      const asked = run(["account", "-", "--delta", "1e-6", "--plot", "out.svg"], JSON.stringify(event));
      expect(asked).toMatchObject({ status: 0, stderr: "" });
      expect(asked.stdout).toMatch(
        /^standard input {2}gaussian; add-or-remove-one\n\nOdds {4}a test of membership gains at most 10\.0 % .*\n\nε ≤ 1\.\d+ at δ = 1e-6/,
      );
      expect(readFileSync("out.svg", "utf8")).toMatch(/^<svg xmlns=/);
    }));

  it("exits by the kind of what it refuses, says why on standard error alone, without a stack", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      for (const [argv, code, exit] of [
        [[], "cli.usage", 2],
        [["query", "-"], "policy.unreadable", 4],
        [["nosuch"], "cli.usage", 2],
        [["init", "people.csv"], "cli.usage", 2],
        [["query", "SELECT 1"], "policy.unreadable", 4],
        [["verify", "people.csv"], "release.invalid", 8],
      ] as const) {
        const { status, stdout, stderr } = run(argv);
        expect([status, stdout]).toEqual([exit, ""]);
        expect(stderr).toMatch(new RegExp(`^error \\[${code.replace(".", "\\.")}\\] .+\\n {2}fix: .+\\n$`));
        expect(stderr).not.toMatch(/node:internal|\.mjs:\d/);
      }
      expect(readFileSync("people.csv", "utf8")).toBe(peopleCsv);
    }));

  it("is no error where a reader has enough, and says why where nothing can be written", async () => {
    const enough = spawn(process.execPath, [bin, "policy", "schema"], { stdio: ["ignore", "pipe", "pipe"] });
    enough.stdout.destroy();
    let said = "";
    enough.stderr.on("data", (words) => {
      said += String(words);
    });
    expect(await once(enough, "close")).toEqual([0, null]);
    expect(said).toBe("");
    if (!existsSync("/dev/full")) return;
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [bin, "policy", "schema"], {
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect(status).toBe(2);
    expect(stderr).toBe(
      "error [cli.file] cannot write what was asked to standard output (ENOSPC)\n  fix: make room on the disk\n",
    );
  });

  it("names what cannot be read from standard input, and shows a stack to who asks for it alone", () =>
    inFolder({ "lethe.yaml": policy }, async (folder) => {
      const noText = openSync(folder, "r");
      const reading = (env: NodeJS.ProcessEnv, ...argv: string[]): SpawnSyncReturns<string> =>
        spawnSync(process.execPath, [bin, ...argv], {
          encoding: "utf8",
          stdio: [noText, "pipe", "pipe"],
          env,
        });
      const { LETHE_DEBUG: _debug, ...usual } = process.env;
      for (const [argv, what] of [
        [["explain", "-", "--epsilon", "1"], "the question from"],
        [["account", "-", "--delta", "1e-6"], "the event from"],
      ] as const) {
        const plain = reading(usual, ...argv);
        expect(plain).toMatchObject({ status: 2, stdout: "" });
        expect(plain.stderr).toBe(
          `error [cli.file] cannot read ${what} standard input (EISDIR)\n  fix: name a file, not a folder\n`,
        );
      }
      const debugged = reading({ ...usual, LETHE_DEBUG: "1" }, "account", "-", "--delta", "1e-6");
      expect(debugged.status).toBe(2);
      expect(debugged.stderr).toMatch(/\n {4}at \S[\s\S]*\nerror \[cli\.file\] cannot read the event/);
      closeSync(noText);
    }));
});
