import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { LetheError, parseRational, toText } from "@lethe/core";
import { DatabaseSync } from "@photostructure/sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLedger } from "./create-ledger.ts";
import { grant } from "./grant.ts";
import { openLedger } from "./open-ledger.ts";
import { recordHash } from "./records/record-hash.ts";
import { schema } from "./stores/sqlite/schema.ts";
import type { StoredRecord } from "./stores/store.ts";
import { clock, policyHash, pureBudget, request, withDirectory } from "./testing/temporary-ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

const source = "people";

/** Records 0 genesis, 1 reserve a, 2 settle a, 3 reserve b, 4 fail b, 5 grant, 6 reserve c. */
async function fill(directory: string): Promise<void> {
  const budget = pureBudget("1", { ana: "0.5" });
  const ledger = await createLedger(directory, { budget, policyHash, source, clock });
  const reserve = async (id: string) => {
    const reservation = await ledger.reserve(request(id, "0.125", "ana"));
    if (reservation.kind !== "charged") throw new Error("expected a charge");
    return reservation.charge;
  };
  await ledger.settle(await reserve("a"), "release bytes");
  await ledger.fail(await reserve("b"));
  await ledger.grant({ epsilon: parseRational("0.5"), reason: "more" });
  await reserve("c");
  await ledger.close();
}

/** Writes into the file as somebody who knows SQLite would: triggers off, and back on after. */
function tamper(directory: string, ...statements: string[]): void {
  const db = new DatabaseSync(join(directory, "ledger.db"), { enableForeignKeyConstraints: false });
  const triggers = schema.filter((sql) => sql.startsWith("CREATE TRIGGER"));
  for (const sql of triggers) db.exec(`DROP TRIGGER ${sql.split(" ")[2]}`);
  for (const sql of [...statements, ...triggers]) db.exec(sql);
  db.close();
}

async function problemAfter(
  directory: string,
  ...statements: string[]
): Promise<{ sequence: unknown; reason: string }> {
  tamper(directory, ...statements);
  const error: unknown = await verifyLedger(directory).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LetheError))
    throw new Error(`not detected: ${statements.join("; ")}: ${String(error)}`);
  expect(error.code).toBe("ledger.corrupt");
  return { sequence: error.fields.sequence ?? null, reason: String(error.fields.reason) };
}

describe("verifyLedger", () => {
  it("accepts what was written and says what it holds", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const held = await verifyLedger(directory);
      expect(held).toMatchObject({ source, records: 7, charges: 3, head: { sequence: 6 } });
      expect(held.granted).toEqual({ measure: "pure", epsilon: parseRational("1.5") });
      expect(held.spent).toEqual({ measure: "pure", epsilon: parseRational("0.375") });
      expect(held.publicKey).toBe(readFileSync(join(directory, "ledger.pub"), "utf8"));
    }));

  const fields: [string, string][] = [
    ["sequence", "sequence + 100"],
    ["at", "at + 1"],
    ["kind", "'grant'"],
    ["payload", "replace(payload, '\":', '\": ')"],
    ["balance", `'${"1".repeat(64)}'`],
    ["previous", `'${"1".repeat(64)}'`],
    ["hash", `'${"1".repeat(64)}'`],
  ];
  for (const [column, value] of fields) {
    for (const sequence of [0, 1, 4, 6]) {
      it(`finds ${column} of record ${sequence} changed`, () =>
        withDirectory(async (directory) => {
          await fill(directory);
          const problem = await problemAfter(
            directory,
            `UPDATE records SET ${column} = ${value} WHERE sequence = ${sequence}`,
          );
          expect(problem.sequence).toBe(sequence);
        }));
    }
  }

  const payloads: [number, string, string][] = [
    [0, '"main":"1"', '"main":"9"'],
    [0, '"source":"people"', '"source":"others"'],
    [0, '"failureCap":100', '"failureCap":900'],
    [1, '"epsilon":"1/8"', '"epsilon":"1/9"'],
    [1, '"principal":"ana"', '"principal":"owner"'],
    [1, '"requestId":"a"', '"requestId":"z"'],
    [1, '"scale":"10"', '"scale":"99"'],
    [2, '"requestId":"a"', '"requestId":"b"'],
    [5, '"reason":"more"', '"reason":"less"'],
  ];
  for (const [sequence, from, to] of payloads) {
    it(`finds ${from} of record ${sequence} changed`, () =>
      withDirectory(async (directory) => {
        await fill(directory);
        const sql = `UPDATE records SET payload = replace(payload, '${from}', '${to}') WHERE sequence = ${sequence}`;
        expect((await problemAfter(directory, sql)).sequence).toBe(sequence);
      }));
  }

  const others: [string, string[], number | null][] = [
    ["the last record cut off", ["DELETE FROM records WHERE sequence = 6"], null],
    ["a record cut out", ["DELETE FROM records WHERE sequence = 3"], 3],
    ["everything cut off", ["DELETE FROM records", "DELETE FROM releases", "DELETE FROM balance"], null],
    [
      "two records swapped",
      [
        "UPDATE records SET sequence = sequence + 100 WHERE sequence IN (3, 4)",
        "UPDATE records SET sequence = 107 - sequence WHERE sequence > 100",
      ],
      3,
    ],
    ["the release bytes changed", ["UPDATE releases SET bytes = x'00'"], 2],
    ["the release removed", ["DELETE FROM releases"], 2],
    ["a release added", ["INSERT INTO releases VALUES (4, x'00')"], null],
    ["the balance lowered", [`UPDATE balance SET content = replace(content, '3/8', '1/8')`], null],
    ["the balance removed", ["DELETE FROM balance"], null],
    ["a scope's spending lowered", [`UPDATE nodes SET content = replace(content, '3/8', '1/8')`], null],
    ["a scope removed", ["DELETE FROM nodes"], null],
    ["a scope added", ["INSERT INTO nodes VALUES ('ff', 'L')"], null],
  ];
  for (const [what, statements, sequence] of others) {
    it(`finds ${what}`, () =>
      withDirectory(async (directory) => {
        await fill(directory);
        expect((await problemAfter(directory, ...statements)).sequence).toBe(sequence);
      }));
  }

  it("finds an older file put back, given a head that was kept", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const older = `${directory}.backup`;
      copyFileSync(join(directory, "ledger.db"), older);
      await grant(directory, { failures: 1, reason: "one more record" }, { clock });
      const { head } = await verifyLedger(directory);
      copyFileSync(older, join(directory, "ledger.db"));
      expect((await verifyLedger(directory)).head.sequence).toBe(6);
      await expect(verifyLedger(directory, { head })).rejects.toMatchObject({ code: "ledger.restored" });
      const { head: now } = await verifyLedger(directory);
      await verifyLedger(directory, { head: now });
      await expect(verifyLedger(directory, { head: { ...now, hash: head.hash } })).rejects.toMatchObject({
        code: "ledger.restored",
      });
    }));

  /** Changes a record's time and gives it the hash that it then needs. */
  function reseal(directory: string, sequence: number): void {
    const db = new DatabaseSync(join(directory, "ledger.db"));
    const row: StoredRecord = db
      .prepare("SELECT sequence, at, kind, payload, balance, previous, hash FROM records WHERE sequence = ?")
      .get(sequence);
    db.close();
    const { hash: _, ...rest } = { ...row, at: row.at - 1 };
    tamper(
      directory,
      `UPDATE records SET at = ${rest.at}, hash = '${recordHash(rest)}' WHERE sequence = ${sequence}`,
    );
  }

  it("finds a record that was sealed anew by the one after it", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      reseal(directory, 3);
      expect((await problemAfter(directory)).sequence).toBe(4);
    }));

  it("finds the last record sealed anew only against a head that was kept", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const { head } = await verifyLedger(directory);
      reseal(directory, head.sequence);
      await verifyLedger(directory);
      await expect(verifyLedger(directory, { head })).rejects.toMatchObject({
        code: "ledger.restored",
        fields: { sequence: head.sequence },
      });
    }));

  it("finds any byte changed, unless it lies in space that nothing uses", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const path = join(directory, "ledger.db");
      const whole = readFileSync(path);
      const before = await verifyLedger(directory);
      let found = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.nat({ max: whole.length - 1 }),
          fc.integer({ min: 1, max: 255 }),
          async (place, change) => {
            const changed = Buffer.from(whole);
            changed[place]! ^= change;
            writeFileSync(path, changed);
            const outcome: unknown = await verifyLedger(directory).catch((error: unknown) => error);
            if (outcome instanceof LetheError) found += 1;
            else expect(outcome).toEqual(before);
          },
        ),
        { seed: 11, numRuns: 200 },
      );
      expect(found).toBeGreaterThan(20);
    }));

  it("finds another public key in the file beside it, and needs no private one", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      writeFileSync(join(directory, "ledger.key"), "gone");
      await verifyLedger(directory);
      writeFileSync(join(directory, "ledger.pub"), "another");
      await expect(verifyLedger(directory)).rejects.toMatchObject({ code: "ledger.corrupt" });
    }));
});

describe("a ledger that was tampered with", () => {
  it("takes no further charge when its balance or its head was changed", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      tamper(directory, "UPDATE balance SET content = replace(content, '3/8', '1/8')");
      await expect(openLedger(directory, { clock })).rejects.toMatchObject({ code: "ledger.corrupt" });
    }));

  it("charges nobody whose scope's row was changed, removed, or put back as it was", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const path = join(directory, "ledger.db");
      const rows = (): { path: string; content: string }[] => {
        const db = new DatabaseSync(path);
        const found = db.prepare("SELECT path, content FROM nodes").all();
        db.close();
        return found;
      };
      const before = rows();
      const ledger = await openLedger(directory, { clock });
      await ledger.reserve(request("d", "0.0625", "ana"));
      const after = rows();
      const put = (content: string): void => tamper(directory, `UPDATE nodes SET content = ${content}`);
      const text = (of: readonly { readonly content: string }[]): string =>
        `'${of[0]!.content.replaceAll("'", "''")}'`;
      expect(before).toHaveLength(1);
      const ask = (): Promise<unknown> => ledger.reserve(request("e", "0.0625", "ana"));
      for (const content of [text(before), "replace(content, '7/16', '0')", "content || ' '"]) {
        put(content);
        await expect(ask(), content).rejects.toMatchObject({ code: "ledger.corrupt" });
        await expect(ledger.remaining("ana")).rejects.toMatchObject({ code: "ledger.corrupt" });
      }
      tamper(directory, "DELETE FROM nodes");
      await expect(ask()).rejects.toMatchObject({ code: "ledger.corrupt" });
      tamper(directory, `INSERT INTO nodes VALUES ('', ${text(after)})`);
      await ask();
      await ledger.close();
      await verifyLedger(directory);
    }));

  it("reports nothing, and is not opened, when its beginning was changed", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const ledger = await openLedger(directory, { clock });
      tamper(directory, "UPDATE records SET at = at + 1 WHERE sequence = 3");
      await expect(ledger.report()).rejects.toMatchObject({
        code: "ledger.corrupt",
        fields: { sequence: 3 },
      });
      tamper(directory, "DELETE FROM records WHERE sequence = 0");
      await expect(ledger.report()).rejects.toMatchObject({
        code: "ledger.corrupt",
        fields: { sequence: 0 },
      });
      await ledger.close();
      await expect(openLedger(directory, { clock })).rejects.toMatchObject({ code: "ledger.corrupt" });
    }));

  it("gives out no changed release", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      tamper(directory, "UPDATE releases SET bytes = x'31'");
      const ledger = await openLedger(directory, { clock });
      await expect(ledger.reserve(request("a", "0.125", "ana"))).rejects.toMatchObject({
        code: "ledger.corrupt",
      });
      await ledger.close();
    }));
});

describe("a ledger's directory", () => {
  it("belongs to its owner alone", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const mode = (path: string): number => statSync(path).mode & 0o777;
      expect(mode(directory)).toBe(0o700);
      expect(mode(join(directory, "ledger.key"))).toBe(0o600);
      expect(mode(join(directory, "ledger.db"))).toBe(0o600);
      expect(readdirSync(dirname(directory))).toEqual(["ledger"]);
    }));

  it("is made once: a second time changes nothing", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const before = await verifyLedger(directory);
      const again = createLedger(directory, { budget: pureBudget("9"), policyHash, source, clock });
      await expect(again).rejects.toMatchObject({ code: "ledger.exists" });
      expect(await verifyLedger(directory)).toEqual(before);
    }));

  it("is not made with a cap on failures that is no count", () =>
    withDirectory(async (directory) => {
      for (const failureCap of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        const options = { budget: pureBudget("1"), policyHash, source, clock, failureCap };
        await expect(createLedger(directory, options)).rejects.toMatchObject({ code: "parameter.invalid" });
      }
      expect(existsSync(directory)).toBe(false);
    }));

  it("without its public key verifies nothing", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      rmSync(join(directory, "ledger.pub"));
      await expect(verifyLedger(directory)).rejects.toMatchObject({ code: "ledger.unreadable" });
    }));

  it("is made by one of several that begin at once", () =>
    withDirectory(async (directory) => {
      const make = () => createLedger(directory, { budget: pureBudget("1"), policyHash, source, clock });
      const outcomes = await Promise.allSettled([make(), make(), make()]);
      const made = outcomes.filter((outcome) => outcome.status === "fulfilled");
      expect(made).toHaveLength(1);
      await made[0]!.value.close();
      await verifyLedger(directory);
      expect(readdirSync(dirname(directory))).toEqual(["ledger"]);
    }));

  it("is never made by opening, verifying or granting", () =>
    withDirectory(async (directory) => {
      const attempts = [
        () => openLedger(directory, { clock }),
        () => verifyLedger(directory),
        () => grant(directory, { failures: 1, reason: "x" }, { clock }),
      ];
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({ code: "ledger.missing" });
        expect(existsSync(directory)).toBe(false);
      }
      mkdirSync(directory);
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({ code: "ledger.missing" });
        expect(readdirSync(directory)).toEqual([]);
      }
    }));

  it("that holds something else is left alone", () =>
    withDirectory(async (directory) => {
      mkdirSync(directory);
      writeFileSync(join(directory, "thesis.txt"), "years of work");
      const made = createLedger(directory, { budget: pureBudget("1"), policyHash, source, clock });
      await expect(made).rejects.toMatchObject({ code: "ledger.exists" });
      writeFileSync(join(directory, "ledger.db"), "not a database at all");
      await expect(verifyLedger(directory)).rejects.toMatchObject({ code: "ledger.unreadable" });
    }));

  it("may be there already, as long as it is empty", () =>
    withDirectory(async (directory) => {
      mkdirSync(directory);
      await fill(directory);
      await expect(verifyLedger(directory)).resolves.toMatchObject({ records: 7 });
    }));

  it("that cannot be looked into is no missing one", () =>
    withDirectory(async (directory) => {
      // Too long for a name of any file system.
      const opened = openLedger(join(directory, "x".repeat(5000)), { clock });
      await expect(opened).rejects.toMatchObject({ code: "ledger.unreadable" });
    }));

  it("without its key, or with another's, is not opened", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const key = join(directory, "ledger.key");
      await withDirectory(async (other) => {
        await fill(other);
        copyFileSync(join(other, "ledger.key"), key);
        await expect(openLedger(directory, { clock })).rejects.toMatchObject({ code: "ledger.unreadable" });
      });
      writeFileSync(key, "no key");
      await expect(openLedger(directory, { clock })).rejects.toMatchObject({ code: "ledger.unreadable" });
    }));

  it.skipIf(process.getuid?.() === 0)("without permission is a coded error", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      chmodSync(join(directory, "ledger.db"), 0);
      await expect(verifyLedger(directory)).rejects.toMatchObject({ code: "ledger.unreadable" });
    }),
  );

  it("is not put in the place of a link that leads nowhere, and nothing is left beside it", () =>
    withDirectory(async (directory) => {
      symlinkSync(join(directory, "nowhere"), directory);
      const made = createLedger(directory, { budget: pureBudget("1"), policyHash, source, clock });
      await expect(made).rejects.toMatchObject({ code: "ledger.unreadable" });
      expect(readdirSync(dirname(directory))).toEqual(["ledger"]);
    }));

  it("where no directory can be made is a coded error", () =>
    withDirectory(async (directory) => {
      writeFileSync(directory, "a file");
      for (const path of [directory, join(directory, "deeper")]) {
        const made = createLedger(path, { budget: pureBudget("1"), policyHash, source, clock });
        await expect(made).rejects.toMatchObject({ code: "ledger.unreadable" });
      }
    }));
});

describe("grant", () => {
  it("adds to caps, sub-caps and failures, and says what stands then", () =>
    withDirectory(async (directory) => {
      const ledger = await createLedger(directory, {
        budget: pureBudget("1", { ana: "0.5" }),
        policyHash,
        source,
        clock,
      });
      await ledger.close();
      const half = parseRational("0.5");
      await grant(directory, { epsilon: half, reason: "a" }, { clock });
      await grant(directory, { epsilon: half, analyst: "ana", reason: "b" }, { clock });
      await grant(directory, { epsilon: half, analyst: "ana", policyHash: "cd", reason: "c" }, { clock });
      const unlisted = grant(directory, { epsilon: half, analyst: "bob", reason: "nobody's" }, { clock });
      await expect(unlisted).rejects.toMatchObject({
        code: "parameter.invalid",
        fix: expect.stringContaining("lethe budget apply"),
      });
      const report = await grant(directory, { failures: 5, reason: "d" }, { clock });
      const accepted = { how: "accepted", what: "the policy's tables and units", from: null, to: null };
      expect(report.budgets.map(({ kind, reason, changes }) => [kind, reason, changes])).toEqual([
        ["grant", "a", [{ how: "raised", what: "ε", from: "1", to: "1.5" }]],
        ["grant", "b", [{ how: "raised", what: "analyst ana", from: "0.5", to: "1" }]],
        ["grant", "c", [{ how: "raised", what: "analyst ana", from: "1", to: "1.5" }, accepted]],
        ["grant", "d", [{ how: "raised", what: "executions that may fail", from: "100", to: "105" }]],
      ]);
      expect(report.budgets.map(({ sequence, at }) => [sequence, at])).toEqual(
        [1, 2, 3, 4].map((sequence) => [sequence, clock()]),
      );
      expect(report.granted).toEqual({ measure: "pure", epsilon: parseRational("1.5") });
      expect(report.analysts.map(({ name, granted }) => [name, granted && toText(granted)])).toEqual([
        ["ana", "3/2"],
      ]);
      const again = await openLedger(directory, { clock });
      expect(await again.policyHash()).toBe("cd");
      await again.close();
      expect((await verifyLedger(directory)).records).toBe(5);
    }));

  it("adds to ρ and δ of a zcdp account and to a share of it, and refuses an ε", () =>
    withDirectory(async (directory) => {
      const [half, delta] = [parseRational("0.5"), parseRational("1e-6")];
      const analysts = { zoe: half, ana: half };
      const budget = { measure: "zcdp", epsilon: null, delta, rho: half, analysts } as const;
      await (await createLedger(directory, { budget, policyHash, source, clock })).close();
      await grant(directory, { rho: half, analyst: "ana", reason: "a share" }, { clock });
      const report = await grant(directory, { rho: half, delta, reason: "more of both" }, { clock });
      expect(report.granted).toEqual({
        measure: "zcdp",
        rho: parseRational("1"),
        delta: parseRational("2e-6"),
      });
      expect(report.analysts.map(({ name, granted }) => [name, granted && toText(granted)])).toEqual([
        ["ana", "1"],
        ["zoe", "1/2"],
      ]);
      const wrong = grant(directory, { epsilon: half, reason: "another measure" }, { clock });
      await expect(wrong).rejects.toMatchObject({ code: "parameter.invalid" });
      expect((await verifyLedger(directory)).records).toBe(3);
    }));

  it("takes nothing away and fits the account's measure", () =>
    withDirectory(async (directory) => {
      await fill(directory);
      const half = parseRational("0.5");
      const bad = [
        { reason: "nothing" },
        { epsilon: parseRational("-1"), reason: "less" },
        { rho: half, reason: "another measure" },
        { delta: half, reason: "pure has no δ" },
        { analyst: "ana", reason: "nothing for her" },
        { analyst: "ana", epsilon: half, delta: half, reason: "sub-caps have no δ" },
        { epsilon: parseRational("0"), reason: "no more than there was" },
        { epsilon: parseRational("0"), analyst: "ana", reason: "no more than she had" },
        { failures: 0, reason: "none" },
        { failures: 1.5, reason: "half" },
        { epsilon: half, reason: "" },
      ];
      for (const each of bad) {
        await expect(grant(directory, each, { clock }), each.reason).rejects.toMatchObject({
          code: "parameter.invalid",
        });
      }
      expect((await verifyLedger(directory)).records).toBe(7);
    }));
});
