import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lossFromJson, parseRational } from "@lethe/core";
import { DatabaseSync } from "@photostructure/sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AccountBudget } from "./account/budget.ts";
import { newKeyPair } from "./directory/key-pair.ts";
import { openLedger } from "./open-ledger.ts";
import type { Entry } from "./records/first-format/entry.ts";
import { sha256 } from "./records/record-hash.ts";
import { firstChain, oldestChain, writeFirstLedger } from "./testing/first-ledger.ts";
import { clock, request, withDirectory } from "./testing/temporary-ledger.ts";
import { upgradeLedger } from "./upgrade-ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

const keys = newKeyPair();
const policyHash = "ab";
const at = Date.UTC(2026, 0, 15);
const approximate = (epsilon: string, delta: string) => ({ measure: "approximate", epsilon, delta }) as const;
const cap = approximate("1", "1/1000000");
const genesis: Entry = {
  kind: "genesis",
  payload: {
    version: 1,
    measure: "approximate",
    cap,
    analysts: [{ name: "ana", cap: "1/2" }],
    failureCap: 9,
    policyHash,
    publicKey: keys.publicKey,
    source: "people",
  },
};
const reserve = (requestId: string, principal: string, epsilon: string, delta = "0"): Entry => {
  const { requestHash, event, text } = request(requestId, "0", principal);
  return {
    kind: "reserve",
    payload: { requestId, requestHash, principal, event, text, loss: approximate(epsilon, delta) },
  };
};
const settle = (requestId: string): Entry => ({
  kind: "settle",
  payload: { requestId, sha256: sha256(`bytes of ${requestId}`) },
});
const fail = (requestId: string): Entry => ({ kind: "fail", payload: { requestId } });
const apply = (names: readonly string[], renamed: readonly { from: string; to: string }[] = []): Entry => ({
  kind: "apply",
  payload: {
    cap,
    analysts: names.map((name) => ({ name, cap: "1/2" })),
    failureCap: 9,
    policyHash,
    closed: false,
    renamed,
    reason: "",
  },
});

/** A ledger of the first format: answers, failures, a charge cut off, and an analyst who was renamed. */
const told: readonly Entry[] = [
  genesis,
  reserve("a", "ana", "1/4", "1/4000000"),
  settle("a"),
  reserve("b", "owner", "1/8"),
  fail("b"),
  reserve("c", "ana", "1/8", "1/8000000"),
  apply(["eva", "ben"], [{ from: "ana", to: "eva" }]),
  reserve("d", "ben", "1/16"),
];
const releases = new Map([[2, "bytes of a"]]);
const budget = (changed: Partial<AccountBudget> = {}): AccountBudget => ({
  measure: "approximate",
  epsilon: parseRational("1"),
  delta: parseRational("1e-6"),
  rho: null,
  analysts: { eva: parseRational("1/2"), ben: parseRational("1/2") },
  ...changed,
});

async function withFirst(use: (directory: string) => Promise<void>, entries = told): Promise<void> {
  await withDirectory(async (directory) => {
    mkdirSync(directory);
    writeFirstLedger(directory, firstChain(entries, releases), keys);
    await use(directory);
  });
}

describe("a ledger of the first format", () => {
  it("is verified as it is, and asked for an upgrade before it charges", () =>
    withFirst(async (directory) => {
      const held = await verifyLedger(directory);
      expect(held).toMatchObject({ isFirst: true, records: 8, charges: 4, source: "people" });
      expect(held.spent).toEqual(lossFromJson(approximate("9/16", "3/8000000")));
      await expect(openLedger(directory, { clock })).rejects.toMatchObject({
        code: "ledger.unreadable",
        message: expect.stringContaining("first format"),
        fix: expect.stringContaining("lethe ledger upgrade"),
      });
    }));

  it("goes on in the same chain once it is upgraded, with all that was spent under each name, δ too", () =>
    withFirst(async (directory) => {
      const before = await verifyLedger(directory);
      const { kept, verified } = await upgradeLedger(directory, { clock: () => at });
      expect(verified).toMatchObject({ isFirst: false, records: 9, charges: 4, spent: before.spent });
      await verifyLedger(directory, { head: before.head });
      const policy = { budget: budget(), policyHash };
      const ledger = await openLedger(directory, { clock: () => at, policy });
      const spent = async (name: string) =>
        (await ledger.balance(["analyst", name], "owner")).periods.map((period) => period.spent);
      expect(await spent("eva")).toEqual([lossFromJson(approximate("3/8", "3/8000000"))]);
      expect(await spent("ana")).toEqual([lossFromJson(approximate("0", "0"))]);
      expect(await spent("ben")).toEqual([lossFromJson(approximate("1/16", "0"))]);
      // What was answered is answered again to its principal, and a charge that was cut off goes on; the same id of another is another request.
      const loss = (epsilon: string, delta: string) => lossFromJson(approximate(epsilon, delta));
      expect(await ledger.settled("a", "ana")).toEqual({ principal: "ana", release: "bytes of a" });
      expect(await ledger.settled("a", "ben")).toBeNull();
      expect(await ledger.reserve(request("d", loss("1/16", "0"), "ben"))).toMatchObject({ resumed: true });
      const own = await ledger.reserve(request("a", loss("1/100", "0"), "ben"));
      expect(own).toMatchObject({ kind: "charged", resumed: false });
      if (own.kind === "charged") await ledger.settle(own.charge, "ben's");
      expect(await ledger.settled("a", "ana")).toMatchObject({ release: "bytes of a" });
      expect(await ledger.settled("a", "ben")).toMatchObject({ release: "ben's" });
      await expect(ledger.reserve(request("e", loss("1/7", "0"), "eva"))).rejects.toMatchObject({
        code: "ledger.budget",
      });
      expect((await ledger.report()).charges.map(({ requestId, state }) => `${requestId} ${state}`)).toEqual([
        "a settled",
        "b failed",
        "c reserved",
        "d reserved",
        "a settled",
      ]);
      await ledger.close();
      expect(await verifyLedger(directory)).toMatchObject({ records: 11, charges: 5 });
      // The file as it was: it verifies by itself.
      expect(kept).toBe(join(directory, "ledger-first-format.db"));
      const copy = `${directory}-copy`;
      mkdirSync(copy);
      writeFileSync(join(copy, "ledger.db"), readFileSync(kept!));
      writeFileSync(join(copy, "ledger.pub"), keys.publicKey);
      expect(await verifyLedger(copy)).toEqual(before);
    }));

  it("is followed by the policy that it was before, and tells the differences of another", () =>
    withFirst(async (directory) => {
      await upgradeLedger(directory, { clock: () => at });
      await expect(
        openLedger(directory, {
          clock: () => at,
          policy: { budget: budget({ epsilon: parseRational("2") }), policyHash },
        }),
      ).rejects.toMatchObject({
        code: "policy.changed",
        message: expect.stringContaining("ε 1 → 2 (raised)"),
      });
      const ledger = await openLedger(directory, { clock: () => at });
      expect((await ledger.propose({ budget: budget(), policyHash })).needed).toBe(false);
      await ledger.apply({ budget: budget({ epsilon: parseRational("2") }), policyHash });
      expect((await ledger.report()).budgets.map(({ kind, changes }) => [kind, changes.length])).toEqual([
        ["apply", 2],
        ["apply", 1],
      ]);
      await ledger.close();
    }));

  it("is upgraded once, whatever is asked again, and keeps its head file", () =>
    withFirst(async (directory) => {
      const headFile = `${directory}.head`;
      await verifyLedger(directory, { headFile, makeHeadFile: true });
      const first = await upgradeLedger(directory, { clock: () => at, headFile });
      expect(first.kept).not.toBeNull();
      expect(readFileSync(headFile, "utf8")).toBe(`8:${first.verified.head.hash}\n`);
      expect(await upgradeLedger(directory, { clock: () => at, headFile })).toEqual({
        kept: null,
        verified: first.verified,
      });
    }));

  it("that does not hold is not upgraded, and is left as it was", () =>
    withFirst(async (directory) => {
      const path = join(directory, "ledger.db");
      const db = new DatabaseSync(path);
      db.exec(
        `UPDATE balance SET content = replace(content, '9/16', '1/16'); PRAGMA wal_checkpoint(TRUNCATE)`,
      );
      db.close();
      const before = readFileSync(path);
      await expect(upgradeLedger(directory, { clock })).rejects.toMatchObject({ code: "ledger.corrupt" });
      expect(readFileSync(path).equals(before)).toBe(true);
    }));

  it("from before budgets could be applied is upgraded too, where a grant named an analyst", () =>
    withDirectory(async (directory) => {
      mkdirSync(directory);
      writeFirstLedger(directory, oldestChain());
      const before = await verifyLedger(directory);
      expect(before.isFirst).toBe(true);
      const { verified } = await upgradeLedger(directory, { clock: () => at });
      expect(verified).toMatchObject({ isFirst: false, spent: before.spent, granted: before.granted });
    }));

  it("spends the same under each name after an upgrade, whatever its chain", async () => {
    const names = ["ana", "ben", "owner"];
    const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(9), fc.nat(9), fc.nat(3)), {
      maxLength: 14,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (asked) => {
        const sums = new Map<string, number>();
        let [all, place] = [0, 0];
        const entries: Entry[] = [genesis];
        const answers = new Map<number, string>();
        for (const [name, epsilon, delta, outcome] of asked) {
          const own = sums.get(name) ?? 0;
          const fits = all + epsilon <= 100 && (name !== "ana" || own + epsilon <= 50) && name !== "ben";
          if (!fits) continue;
          place += 1;
          entries.push(reserve(`r${place}`, name, parsedText(epsilon, 100), parsedText(delta, 1e9)));
          if (outcome > 1) entries.push(fail(`r${place}`));
          if (outcome % 2 === 1) {
            answers.set(entries.length, `bytes of r${place}`);
            entries.push(settle(`r${place}`));
          }
          all += epsilon;
          sums.set(name, own + epsilon);
        }
        await withDirectory(async (directory) => {
          mkdirSync(directory);
          writeFirstLedger(directory, firstChain(entries, answers), keys);
          await upgradeLedger(directory, { clock: () => at });
          const ledger = await openLedger(directory, { clock: () => at });
          for (const [name, sum] of sums) {
            const { periods } = await ledger.balance(["analyst", name], "owner");
            const { spent } = periods[0]!;
            if (spent?.measure !== "approximate") throw new Error("expected an approximate loss");
            expect(spent.epsilon).toEqual(parseRational(`${sum}/100`));
          }
          await ledger.close();
        });
      }),
      { numRuns: 12 },
    );
  });
});

function parsedText(num: number, den: number): string {
  const { num: n, den: d } = parseRational(`${num}/${den}`);
  return d === 1n ? String(n) : `${n}/${d}`;
}

it("a ledger of today has nothing to upgrade", () =>
  withFirst(async (directory) => {
    await upgradeLedger(directory, { clock: () => at });
    const ledger = await openLedger(directory, { clock: () => at });
    expect(await ledger.account()).toMatchObject({ spent: lossFromJson(approximate("9/16", "3/8000000")) });
    await ledger.close();
  }));
