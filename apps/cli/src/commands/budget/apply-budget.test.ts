import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { open } from "../../open.ts";
import { inFolder, lethe, peopleCsv, setUp } from "../../testing/command-line.ts";

const confirm = vi.hoisted(() => vi.fn<() => Promise<boolean | symbol>>());
vi.mock("@clack/prompts", async (original) => ({ ...(await original<object>()), confirm }));

const terminals = [process.stdin, process.stdout].map((stream) => ({ stream, isTTY: stream.isTTY }));
/** Makes input and output terminals or not; under Vitest they are none. */
function atTerminals(isTTY: readonly boolean[]): void {
  for (const [at, { stream }] of terminals.entries()) stream.isTTY = isTTY[at]!;
}
afterEach(() => {
  confirm.mockReset();
  for (const { stream, isTTY } of terminals) stream.isTTY = isTTY;
});

const count = "SELECT COUNT(*) FROM people";
const query = ["query", count, "--epsilon", "0.5"];
const charging: readonly (readonly string[])[] = [
  query,
  ["explain", count, "--epsilon", "0.5"],
  ["query", `EXPLAIN PRIVACY ${count}`, "--epsilon", "0.5"],
  ["import"],
  ["policy", "check"],
];

/** A house whose budget is ε 5 and δ 1e-6, and what puts another line in its place. */
async function withHouse(use: (budgetIs: (line: string) => void) => Promise<void>): Promise<void> {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const policy = readFileSync("lethe.yaml", "utf8");
    await use((line) => {
      const edited = policy.replace(/^budget: .*$/m, `budget: { ${line} }`);
      expect(edited).not.toBe(policy);
      writeFileSync("lethe.yaml", edited);
    });
  });
}

const spent = async (): Promise<string> =>
  JSON.parse((await lethe("budget", "--format", "json")).out).spent.epsilon;

it.each([
  ["lowered", "measure: approximate, epsilon: 0.1, delta: 1e-6", "ε 5 → 0.1 (lowered)"],
  ["raised", "measure: approximate, epsilon: 50, delta: 1e-6", "ε 5 → 50 (raised)"],
  ["of another δ", "measure: approximate, epsilon: 5, delta: 1e-7", "δ 0.000001 → 0.0000001 (lowered)"],
  [
    "with analysts",
    "measure: approximate, epsilon: 5, delta: 1e-6, analysts: { ada: 0.01 }",
    "analyst ada → 0.01 (named)",
  ],
  ["closed", "measure: approximate, epsilon: 5, delta: 1e-6, closed: true", "the account is closed"],
  ["of another measure", "measure: zcdp, rho: 1, delta: 1e-6", "write measure: approximate again"],
])("a budget that was edited is refused wherever a charge could follow: %s", (_, line, difference) =>
  withHouse(async (budgetIs) => {
    budgetIs(line);
    for (const argv of charging) {
      const said = await lethe(...argv);
      expect(said, argv[0]).toMatchObject({ code: "policy.changed", out: "" });
      expect(said.error).toContain(difference);
    }
    const opened = await open("lethe.yaml");
    await expect(opened.query(count, { epsilon: 0.5 })).rejects.toMatchObject({ code: "policy.changed" });
    await opened.close();
    const told = await lethe("budget");
    expect(told.code).toBeNull();
    expect(told.out).toContain("No question is charged:");
    expect(await spent()).toBe("0");
  }),
);

it("is no sound policy either where its units are not the ledger's", () =>
  withHouse(async () => {
    const policy = readFileSync("lethe.yaml", "utf8");
    writeFileSync("lethe.yaml", policy.replace("adjacency: add-or-remove-one", "adjacency: replace-one"));
    expect(await lethe("policy", "check")).toMatchObject({ code: "policy.changed", out: "" });
  }));

it("applies what the policy says once somebody agrees, and tells what it was for ever", () =>
  withHouse(async (budgetIs) => {
    expect(
      (await lethe(...query, "--as", "eve", "--request", "early", "--out", "early.json")).code,
    ).toBeNull();
    budgetIs("measure: approximate, epsilon: 1, delta: 1e-6, analysts: { ada: 0.75, bob: 0.5 }");
    const asked = await lethe("budget", "apply");
    expect(asked.code).toBe("cli.usage");
    expect(asked.error).toContain("--yes");
    expect(asked.out).toMatch(
      /^Spent: 0\.5, of which by those who are listed: ada 0, bob 0\.\nOnly the analysts who are listed and the owner may ask\.$/m,
    );
    expect((await lethe(...query)).code).toBe("policy.changed");

    const applied = await lethe("budget", "apply", "--yes", "--reason", "fewer questions");
    expect(applied.code).toBeNull();
    expect(applied.out).toMatch(/^ε +5 +1 +lowered$/m);
    expect(applied.out).toMatch(/^3 +\S+ \S+ +applied +ε 5 → 1 \(lowered\) +fewer questions$/m);
    expect((await lethe("budget", "apply", "--yes")).out).toContain("nothing was recorded");

    expect((await lethe(...query, "--as", "eve")).code).toBe("ledger.principal");
    expect((await lethe(...query, "--epsilon", "0.6", "--as", "bob")).code).toBe("ledger.budget");
    expect(await spent()).toBe("1/2");
    expect((await lethe(...query, "--as", "ada")).code).toBeNull();

    budgetIs("measure: approximate, epsilon: 1, delta: 1e-6, analysts: { adele: 0.75 }");
    expect((await lethe("budget", "apply", "--yes", "--rename", "ada=adele")).code).toBeNull();
    expect((await lethe(...query, "--as", "ada")).code).toBe("ledger.principal");
    const history = await lethe("budget");
    expect(history.out).toContain("analyst ada → adele (renamed)");
    expect(history.out).toMatch(/^analyst adele +lifetime +ε 0\.75 +ε 0\.5 +ε 0\.25 +—$/m);

    expect((await lethe("ledger", "verify")).code).toBeNull();
    const early = ["early.json", "--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    expect((await lethe("verify", ...early)).code).toBeNull();
  }));

it("lowers nothing below what is spent, and takes the least that it names", () =>
  withHouse(async (budgetIs) => {
    await lethe(...query);
    budgetIs("measure: approximate, epsilon: 0.1, delta: 1e-6");
    const said = await lethe("budget", "apply", "--yes");
    expect(said).toMatchObject({ code: "ledger.budget", out: "" });
    expect(said.error).toContain("state at least ε 0.5");
    budgetIs("measure: approximate, epsilon: 0.5, delta: 1e-6");
    expect((await lethe("budget", "apply", "--yes")).code).toBeNull();
    expect((await lethe(...query, "--fresh")).code).toBe("ledger.budget");
    budgetIs("measure: approximate, epsilon: 0.5, delta: 1e-6, closed: true");
    expect((await lethe("budget", "apply", "--yes")).code).toBeNull();
    // What was paid for is shown, and nothing new is sold.
    expect((await lethe(...query)).code).toBeNull();
    const closed = await lethe(...query, "--fresh");
    expect(closed.code).toBe("ledger.budget");
    expect(closed.error).toContain("the owner of the data closed this account");
    budgetIs("measure: approximate, epsilon: 0.5, delta: 1e-6");
    const opened = await lethe("budget", "apply", "--yes");
    expect(opened.out).toContain("the account is opened");
    expect(opened.out).toMatch(
      /^Spent: 0\.5\.\nThe policy lists no analyst: whoever can open the ledger may ask, under any name\.$/m,
    );
    expect(opened.out).toContain("\nRecorded. The account as it stands now:\n\n");
  }));

it.each([["ada"], ["ada="], ["ada=adele=eve"], ["=adele"]])("refuses the words --rename %s", (word) =>
  withHouse(async () => {
    expect((await lethe("budget", "apply", "--yes", "--rename", word)).code).toBe("cli.usage");
  }),
);

it.each([
  ["says yes", [true, true], true, null, "1/10"],
  ["says no", [true, true], false, "cli.usage", "5"],
  ["leaves with Ctrl-C", [true, true], Symbol("cancel"), "cli.usage", "5"],
  ["is not asked, since the input is a file", [false, true], true, "cli.usage", "5"],
  ["is not asked, since the output is a file", [true, false], true, "cli.usage", "5"],
])(
  "a change is put on record where a person at the terminal agrees to it: who %s",
  (_, isTTY, answer, code, epsilon) =>
    withHouse(async (budgetIs) => {
      budgetIs("measure: approximate, epsilon: 0.1, delta: 1e-6");
      confirm.mockResolvedValue(answer);
      atTerminals(isTTY);
      const said = await lethe("budget", "apply");
      expect(said.code).toBe(code);
      expect(confirm).toHaveBeenCalledTimes(isTTY.every(Boolean) ? 1 : 0);
      const { granted } = JSON.parse((await lethe("budget", "--format", "json")).out);
      expect(granted.epsilon).toBe(epsilon);
    }),
);
