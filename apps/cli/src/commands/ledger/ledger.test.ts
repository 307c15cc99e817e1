import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { postgresSchema } from "@lethe/ledger";
import { collected, hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { inFolder, lethe, peopleCsv } from "../../testing/command-line.ts";

/** A new account, of which nothing was asked yet. */
const withAccount = (work: () => Promise<void>): Promise<void> =>
  inFolder({ "people.csv": peopleCsv }, async () => {
    expect((await lethe("init", "people.csv", "--unit", "row")).code).toBeNull();
    await work();
  });
const grant = (...more: string[]): ReturnType<typeof lethe> =>
  lethe("budget", "grant", "--reason", "more", ...more);

it("a chain is counted in records and charges, one by their own words, and its head is told", () =>
  withAccount(async () => {
    const first = await lethe("ledger", "verify");
    expect(first.out).toMatch(/^1 record, 0 charges: every hash, sum and cap holds\nhead 0:[0-9a-f]{64}$/);
    const head = /head (.*)$/.exec(first.out)![1]!;
    expect((await grant("--epsilon", "1")).code).toBeNull();
    const second = await lethe("ledger", "verify", "--head", head);
    expect(second.out).toMatch(/^2 records, 0 charges: every hash, sum and cap holds\nhead 1:[0-9a-f]{64}$/);
    const later = await lethe("ledger", "verify", "--head", `9:${"0".repeat(64)}`);
    expect(later).toMatchObject({ code: "ledger.restored", out: "" });
  }));

it.each([
  "0",
  "0:",
  `0:${"a".repeat(63)}`,
  `0:${"a".repeat(65)}`,
  `0:${"G".repeat(64)}`,
  `x0:${"a".repeat(64)}`,
])("a head %s is none", (head) =>
  withAccount(async () => {
    expect(await lethe("ledger", "verify", "--head", head)).toMatchObject({
      code: "cli.usage",
      out: "",
      error: expect.stringContaining("--head must be SEQUENCE:HASH\n  fix: copy it from lethe budget"),
    });
  }),
);

it("a head file is made where it is asked for, and compared from then on", () =>
  withAccount(async () => {
    mkdirSync("elsewhere");
    expect((await lethe("ledger", "verify", "--head-file", "elsewhere/head")).code).toBeNull();
    const kept = readFileSync("elsewhere/head", "utf8");
    writeFileSync("elsewhere/head", kept.replace(/^0/, "7"));
    expect((await lethe("ledger", "verify", "--head-file", "elsewhere/head")).code).toBe("ledger.restored");
    rmSync("elsewhere/head");
    expect((await lethe("budget", "--head-file", "elsewhere/head")).code).toBe("ledger.unreadable");
    expect(existsSync("elsewhere/head")).toBe(false);
  }));

it("a grant adds what it names and nothing else, and is told with its reason", () =>
  withAccount(async () => {
    const said = await grant("--epsilon", "1/2", "--delta", "1e-6");
    expect(said.out).toMatch(/^Recorded\. The account as it stands now:\n\n/);
    expect(said.out).toMatch(/^granted +ε 5\.5, δ 2e-6$/m);
    expect(said.out).toMatch(/ granted +ε 5 → 5\.5 \(raised\) +more$/m);
    expect((await grant("--delta", "1e-6")).out).toMatch(/^granted +ε 5\.5, δ 3e-6$/m);
    expect((await grant("--failures", "10")).code).toBeNull();
    const failures = await grant("--failures", "1.5");
    expect(failures).toMatchObject({ code: "cli.usage", out: "" });
    expect(failures.error).toContain(
      "--failures must be a whole number, got 1.5\n  fix: write --failures 10",
    );
    expect((await grant("--failures", "1".repeat(16))).code).toBe("cli.usage");
    const { granted } = JSON.parse((await lethe("budget", "--format", "json")).out);
    expect(granted).toEqual({ measure: "approximate", epsilon: "11/2", delta: "3/1000000" });
  }));

it("a grant of ρ is for an account that counts so", () =>
  inFolder({ "people.csv": peopleCsv }, async () => {
    expect((await lethe("init", "people.csv", "--unit", "row", "--measure", "zcdp")).code).toBeNull();
    const before = JSON.parse((await lethe("budget", "--format", "json")).out).granted;
    expect((await grant("--rho", "1")).code).toBeNull();
    const { granted } = JSON.parse((await lethe("budget", "--format", "json")).out);
    expect(granted).not.toEqual(before);
    expect((await grant("--epsilon", "1")).code).toBe("parameter.invalid");
  }));

it("a budget of another policy is told in the table, and JSON stays JSON", () =>
  withAccount(async () => {
    expect((await lethe("budget")).out).not.toContain("No question is charged");
    const policy = readFileSync("lethe.yaml", "utf8");
    writeFileSync("lethe.yaml", policy.replace("add-or-remove-one", "replace-one"));
    expect((await lethe("budget")).out).toMatch(/\n\nNo question is charged: \S.*\.\n {2}\S/);
    expect(JSON.parse((await lethe("budget", "--format", "json")).out).charges).toEqual([]);
    expect((await grant("--epsilon", "1", "--accept-policy")).code).toBeNull();
    expect((await lethe("budget")).out).not.toContain("No question is charged");
  }));

it("tables are printed for names that need no quotes, and for no other", async () => {
  expect((await lethe("ledger", "tables", "--role", "keeper_2")).out).toContain(`TO "keeper_2";`);
  for (const [option, name] of [
    ["--role", "Keeper"],
    ["--schema", `a${"b".repeat(63)}`],
    ["--schema", "x; DROP TABLE y"],
  ] as const)
    expect(await lethe("ledger", "tables", option, name)).toMatchObject({
      code: "cli.usage",
      out: "",
      error: expect.stringContaining(JSON.stringify(name)),
    });
});

describe.skipIf(!hasPostgres())("a ledger that moves", () => {
  const own = serverWith(`CREATE ROLE gateway LOGIN; ${postgresSchema("budgets", "gateway")}`, {
    fsync: "on",
  });

  it("goes to PostgreSQL and back into its file, with all that was charged", () =>
    withAccount(async () => {
      const url = `${own.server.urlOf("gateway")}?schema=budgets`;
      const there = await lethe("ledger", "move", url);
      expect(there.out).toMatch(
        /^Moved: 1 record, 0 charges, .*\nThe file is sealed, .*\nhead 0:[0-9a-f]{64}$/,
      );
      expect((await grant("--epsilon", "1")).code).toBeNull();
      await collected();
      const back = await lethe("ledger", "move", "file");
      expect(back.out).toMatch(
        /^Moved: 2 records, 0 charges, .*\nIt lies in the file .*\nhead 1:[0-9a-f]{64}$/,
      );
      expect(existsSync(".lethe/ledger/ledger.url")).toBe(false);
      expect((await grant("--epsilon", "1")).code).toBeNull();
      expect((await lethe("ledger", "verify")).out).toMatch(/^3 records/);
      expect((await lethe("ledger", "move", url)).code).toBe("ledger.moved");
    }));
});
