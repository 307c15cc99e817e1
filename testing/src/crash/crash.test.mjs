import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledLedger } from "./bundled-ledger.mjs";
import { killedProcess } from "./killed-process.mjs";
import { affordable, childCommand, libraryRound, withLedger } from "./library-round.mjs";
import { seededRandom } from "./seeded-random.mjs";
import { toldBy, violations } from "./violations.mjs";

let ledgerModule;
let moduleUrl;

beforeAll(async () => {
  ledgerModule = await bundledLedger();
  moduleUrl = ledgerModule.moduleUrl;
});
afterAll(() => ledgerModule.remove());

it("holds every promise when processes are killed at random moments", async () => {
  const random = seededRandom(20);
  let killed = 0;
  for (let round = 0; round < 6; round += 1) {
    const outcome = await libraryRound(moduleUrl, random);
    expect(outcome.found).toEqual([]);
    killed += outcome.killed;
  }
  expect(killed).toBeGreaterThan(0);
});

describe("three processes at once", () => {
  const names = ["x", "y", "z"];
  const race = (idsOf) =>
    withLedger(moduleUrl, async (directory, { openLedger, verifyLedger }) => {
      const runs = await Promise.all(
        names.map((name) =>
          killedProcess(...childCommand(moduleUrl, directory, idsOf(name)), { delayMs: null }),
        ),
      );
      expect(runs.map(({ stderr }) => stderr)).toEqual(["", "", ""]);
      const told = runs.flatMap(({ stdout }) => toldBy(stdout));
      const ledger = await openLedger(directory, { clock: () => 0 });
      const report = await ledger.report();
      await ledger.close();
      await verifyLedger(directory);
      expect(violations(report, told, affordable)).toEqual([]);
      expect(report.charges).toHaveLength(affordable);
      return told;
    });
  const ids = (name) => Array.from({ length: affordable }, (_, i) => `${name}${i}`);
  // A fault of locking shows only where two of them write at one moment, which one race in ten or so may miss.
  const rounds = [1, 2, 3];

  it.each(rounds)("spend exactly what there is, round %i", async () => {
    const told = await race(ids);
    expect(told.filter(({ did }) => did === "refused")).toHaveLength(2 * affordable);
  });

  it.each(rounds)("that ask the same pay once and read the same, round %i", async () => {
    const told = await race(() => ids("same"));
    expect(told.filter(({ did }) => did === "refused")).toEqual([]);
  });
});

describe("what counts as a violation", () => {
  const charge = { requestId: "a", sequence: 1, state: "settled" };
  const charged = { did: "charged", id: "a", sequence: 1 };
  const answered = { did: "answered", id: "a", release: "r" };
  const cases = [
    ["nothing", [charge], [charged, answered], []],
    ["an answer without a charge", [], [answered], ["a was answered without a settled charge"]],
    [
      "a release before it is durable",
      [{ ...charge, state: "reserved" }],
      [answered],
      ["a was answered without a settled charge"],
    ],
    ["a lost charge", [], [charged], ["the charge of a was lost"]],
    ["a moved charge", [{ ...charge, sequence: 2 }], [charged], ["the charge of a was lost"]],
    ["a doubled charge", [charge, charge], [charged], ["a was charged twice"]],
    ["another answer", [charge], [answered, { ...answered, release: "s" }], ["a has two answers"]],
  ];
  for (const [what, charges, told, found] of cases) {
    it(what, () => expect(violations({ charges }, told, 2)).toEqual(found));
  }
  it("more charges than the budget covers", () => {
    expect(violations({ charges: [charge] }, [charged], 0)).toEqual(["1 charges where 0 are affordable"]);
  });
});
