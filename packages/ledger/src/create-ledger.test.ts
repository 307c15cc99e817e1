import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseRational } from "@lethe/core";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it } from "vitest";
import { createLedger } from "./create-ledger.ts";
import { clock, policyHash, pureBudget, pureLoss, withDirectory } from "./testing/temporary-ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

const options = { budget: pureBudget("1", { zoe: "1/8", ana: "1/2" }), policyHash, source: "people", clock };

it("a new ledger begins with the terms that its policy states, and folders above it are made", () =>
  withDirectory(async (parent) => {
    const directory = join(parent, "deeper", "ledger");
    const ledger = await createLedger(directory, options);
    const report = await ledger.report();
    await ledger.close();
    expect(report).toMatchObject({
      measure: "pure",
      closed: false,
      granted: pureLoss("1"),
      spent: pureLoss("0"),
      left: pureLoss("1"),
      charges: [],
      budgets: [],
      head: { sequence: 0 },
    });
    expect(report.analysts).toEqual([
      { name: "ana", granted: parseRational("1/2"), spent: parseRational("0") },
      { name: "zoe", granted: parseRational("1/8"), spent: parseRational("0") },
    ]);
    const publicKey = readFileSync(join(directory, "ledger.pub"), "utf8");
    expect(ledger.publicKey).toBe(publicKey);
    expect(await verifyLedger(directory)).toEqual({
      source: "people",
      records: 1,
      charges: 0,
      granted: pureLoss("1"),
      spent: pureLoss("0"),
      head: report.head,
      publicKey,
      isFirst: false,
    });
    // Whoever verifies releases needs the public half, and nobody else the rest.
    if (process.platform !== "win32")
      expect(statSync(join(directory, "ledger.pub")).mode & 0o044).not.toBe(0);
  }));

it("a ledger's file says what it is: a SQLite database with Lethe's mark, of version 2, with a write-ahead log", () =>
  withDirectory(async (directory) => {
    await (await createLedger(directory, options)).close();
    const db = new DatabaseSync(join(directory, "ledger.db"));
    const pragma = (name: string): unknown => Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0];
    const mark = Buffer.alloc(4);
    mark.writeInt32BE(pragma("application_id") as number);
    expect(mark.toString("ascii")).toBe("Leth");
    expect(pragma("user_version")).toBe(2);
    expect(pragma("journal_mode")).toBe("wal");
    db.close();
  }));

it("a hundred executions may fail, unless another number is stated", () =>
  withDirectory(async (parent) => {
    const capOf = async (name: string, stated: { readonly failureCap?: number }): Promise<unknown> => {
      const directory = join(parent, name);
      await (await createLedger(directory, { ...options, ...stated })).close();
      const db = new DatabaseSync(join(directory, "ledger.db"));
      const { payload } = db.prepare("SELECT payload FROM records").get() as { payload: string };
      db.close();
      return JSON.parse(payload).failureCap;
    };
    expect(await capOf("unstated", {})).toBe(100);
    expect(await capOf("stated", { failureCap: 1 })).toBe(1);
  }));

it("a ledger begins open, with a name for its source", () =>
  withDirectory(async (directory) => {
    for (const wrong of [
      { ...options, budget: { ...options.budget, closed: true } },
      { ...options, source: "" },
      { ...options, failureCap: 0 },
    ])
      await expect(createLedger(directory, wrong)).rejects.toMatchObject({ code: "parameter.invalid" });
    const open = { ...options, budget: { ...options.budget, closed: false }, failureCap: 1 };
    await (await createLedger(directory, open)).close();
  }));

it("a directory in which something is says whether that is a ledger", () =>
  withDirectory(async (directory) => {
    mkdirSync(directory);
    writeFileSync(join(directory, "thesis.txt"), "years of work");
    await expect(createLedger(directory, options)).rejects.toMatchObject({
      code: "ledger.exists",
      message: expect.stringMatching(/is not empty$/),
    });
    await withDirectory(async (other) => {
      await (await createLedger(other, options)).close();
      await expect(createLedger(other, options)).rejects.toMatchObject({
        code: "ledger.exists",
        message: expect.stringMatching(/holds a ledger already$/),
      });
    });
  }));
