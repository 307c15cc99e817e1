import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inFolder, lethe, peopleCsv, type Said, setUp } from "../../testing/command-line.ts";

const count = "SELECT COUNT(*) FROM people";
const budgetOf = `budget:
  measure: approximate
  epsilon: 5
  delta: 1e-6
  windows: [{ per: quarter, epsilon: 4 }]
  analysts: { ada: 2, bob: { epsilon: 1, delta: 1e-7, reserved: false } }
  projects: { churn: { epsilon: 2, analysts: { ada: 1 } } }
  datasets: { wages: { tables: [people], epsilon: 3 } }
`;

/** An account with scopes of every kind, of which ada spent ε 0.5 within the project. */
async function withScopes(use: () => Promise<void>): Promise<void> {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const policy = readFileSync("lethe.yaml", "utf8");
    const edited = policy.replace(/^budget: .*\n/m, budgetOf);
    expect(edited).not.toBe(policy);
    writeFileSync("lethe.yaml", edited);
    const applied = await lethe("budget", "apply", "--yes", "--reason", "scopes");
    expect(applied.error).toBe("");
    const asked = await lethe(
      ...["query", count, "--epsilon", "0.5", "--as", "ada", "--project", "churn", "--request", "monday"],
    );
    expect(asked.error).toBe("");
    await use();
  });
}

const budget = (...words: readonly string[]): Promise<Said> => lethe("budget", ...words);
const ask = (as: string, ...more: readonly string[]): Promise<Said> =>
  lethe("query", count, "--epsilon", "0.25", "--as", as, "--fresh", ...more);
/** The cells of the line of a scope. */
const line = ({ out }: Said, name: string): readonly string[] =>
  out
    .split("\n")
    .find((each) => each.startsWith(name))
    ?.trim()
    .split(/ {2,}/) ?? [];
const because = ["--reason", "the study ends"];

it("the owner sees every scope with its cap, what is spent and what is left", () =>
  withScopes(async () => {
    const said = await budget();
    expect(line(said, "the account")).toEqual([
      ...["the account", "lifetime", "ε 5, δ 1e-6", "ε 0.5", "ε 4.5, δ 1e-6", "—"],
    ]);
    expect(said.out).toMatch(/^ +quarter of \d{4}-\d\d-01 +ε 4 +ε 0\.5 +ε 3\.5 +—$/m);
    expect(line(said, "analyst ada  ")).toEqual(["analyst ada", "lifetime", "ε 2", "ε 0.5", "ε 1.5", "—"]);
    expect(line(said, "analyst ada in project churn")).toEqual(
      expect.arrayContaining(["analyst ada in project churn", "ε 1", "ε 0.5"]),
    );
    expect(line(said, "data set wages")).toEqual([
      "data set wages",
      "lifetime",
      "ε 3",
      "ε 0.5",
      "ε 2.5",
      "—",
    ]);
    const json = JSON.parse((await budget("--json")).out);
    expect(json.scopes.map(({ scope }: { scope: readonly string[] }) => scope)).toContainEqual([
      ...["member", "ada", "churn"],
    ]);
    expect(JSON.parse((await budget("--format", "json")).out)).toEqual(json);
  }));

it("an analyst sees their own and the caps of the rest, and nothing that a colleague spent", () =>
  withScopes(async () => {
    const bob = await budget("--as", "bob");
    expect(bob.out).not.toContain("ada");
    expect(line(bob, "the account")).toEqual([
      ...["the account", "lifetime", "ε 5, δ 1e-6", "not shown", "not shown", "—"],
    ]);
    expect(line(bob, "analyst bob")).toEqual([
      ...["analyst bob", "lifetime", "ε 1, δ 1e-7", "ε 0", "ε 1, δ 1e-7", "—"],
    ]);
    expect(line(bob, "project churn")).toEqual([
      "project churn",
      "lifetime",
      "ε 2",
      "not shown",
      "not shown",
      "—",
    ]);
    expect(bob.out).toContain("No charge yet.");
    const ada = await budget("--as", "ada", "--json");
    expect(JSON.parse(ada.out).charges).toMatchObject([{ requestId: "monday", project: "churn" }]);
    expect((await budget("--as", "nobody")).out).toContain("analyst nobody (not in the policy)");
  }));

it("a scope is lowered to what is spent or more, and questions are held to it", () =>
  withScopes(async () => {
    const said = await budget("lower", "--analyst", "bob", "--epsilon", "0.2", ...because);
    expect(said.error).toBe("");
    expect(said.out).toMatch(/ limited +analyst bob 1 → 0\.2 \(lowered\) +the study ends$/m);
    const refused = await ask("bob");
    expect(refused.code).toBe("ledger.budget");
    const below = await budget("lower", "--data-set", "wages", "--epsilon", "0.4", ...because);
    expect(below).toMatchObject({
      code: "ledger.budget",
      error: expect.stringContaining("state at least ε 0.5"),
    });
    expect((await budget("lower", "--data-set", "wages", "--epsilon", "0.5", ...because)).code).toBeNull();
    const raised = await budget("lower", "--analyst", "bob", "--epsilon", "3", ...because);
    expect(raised).toMatchObject({
      code: "parameter.invalid",
      error: expect.stringContaining("lethe budget grant"),
    });
    expect((await budget("grant", "--analyst", "bob", "--epsilon", "3", ...because)).code).toBeNull();
    const member = ["--analyst", "ada", "--project", "churn"];
    expect((await budget("lower", ...member, "--epsilon", "0.6", "--json", ...because)).code).toBeNull();
    expect((await ask("ada", "--project", "churn")).code).toBe("ledger.budget");
    expect((await budget("lower", "--account", "--epsilon", "0.5", ...because)).code).toBeNull();
    expect((await ask("owner")).code).toBe("ledger.budget");
  }));

it("what is closed or revoked is charged no more, until it is opened again", () =>
  withScopes(async () => {
    expect((await budget("close", "--project", "churn", ...because)).out).toContain("project churn (closed)");
    expect((await ask("ada", "--project", "churn")).code).not.toBeNull();
    expect((await budget("close", "--project", "churn", ...because)).out).toBe(
      "It is so already; nothing was recorded.",
    );
    expect((await budget("reopen", "--project", "churn", ...because)).code).toBeNull();
    expect((await ask("ada", "--project", "churn")).code).toBeNull();
    expect((await budget("revoke", "bob", ...because)).out).toContain("analyst bob (revoked)");
    expect((await ask("bob")).code).not.toBeNull();
    expect((await budget("reopen", "--analyst", "bob", ...because)).code).toBeNull();
    expect((await ask("bob")).code).toBeNull();
    expect((await budget("close", "--account", ...because)).code).toBeNull();
    expect((await ask("owner")).code).not.toBeNull();
  }));

it("an answer is shared at the receiver's own expense, once, and the account pays no more", () =>
  withScopes(async () => {
    const share = ["share", "monday", "--from", "ada", "--to", "bob"];
    const said = await budget(...share, "--out", "release.json");
    expect(said.error).toBe("");
    expect(said.out).toBe(
      "bob has the answer that ada paid for: ε 0.5 is charged to the caps of bob, and to the account no more.",
    );
    expect((await budget(...share)).out).toBe("bob has had this answer before; nothing was charged.");
    const told = await budget();
    expect(line(told, "the account")).toContain("ε 0.5");
    expect(line(told, "analyst bob")).toEqual([
      "analyst bob",
      "lifetime",
      "ε 1, δ 1e-7",
      "ε 0.5",
      "ε 0.5, δ 1e-7",
      "—",
    ]);
    expect(told.out).toMatch(/ bob +ε 0\.5 +shared by ada +monday +/);
    const verified = await lethe("verify", "release.json", "--policy", "lethe.yaml");
    expect(verified.error).toBe("");
    expect(JSON.parse((await budget(...share, "--json")).out)).toEqual(
      JSON.parse(readFileSync("release.json", "utf8")),
    );
    const none = await budget("share", "tuesday", "--from", "ada", "--to", "bob");
    expect(none.code).toBe("ledger.request");
    expect((await budget("share", "monday", "--from", "ada", "--to", "ada")).code).toBe("parameter.invalid");
  }));

it.each([
  [["close"], "cli.usage", "no scope is named", ["close", "--project", "churn"]],
  [["close", "--account", "--project", "churn"], "cli.usage", "more than one scope", ["close", "--account"]],
  [["close", "--analyst", "bob"], "cli.usage", "lethe budget revoke bob", ["revoke", "bob"]],
  [["close", "--project", "chrun"], "parameter.invalid", "project churn", ["close", "--project", "churn"]],
  [["revoke", "bbo"], "parameter.invalid", "analyst bob", ["revoke", "bob"]],
  [
    ["lower", "--analyst", "bob", "--rho", "1"],
    "cli.usage",
    "--epsilon NUMBER",
    ["lower", "--analyst", "bob", "--epsilon", "0.5"],
  ],
  [
    ["lower", "--analyst", "bob"],
    "cli.usage",
    "--epsilon NUMBER",
    ["lower", "--analyst", "bob", "--delta", "0"],
  ],
] as const)("lethe budget %j is refused, and what is advised is taken", (words, code, says, advised) =>
  withScopes(async () => {
    const refused = await budget(...words, ...because);
    expect(refused).toMatchObject({ code, out: "", error: expect.stringContaining(says) });
    expect((await budget(...advised, ...because)).error).toBe("");
  }),
);
