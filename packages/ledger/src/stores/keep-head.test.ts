import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { LetheError } from "@lethe/core";
import { expect, it } from "vitest";
import { createLedger } from "../create-ledger.ts";
import { grant } from "../grant.ts";
import { openLedger } from "../open-ledger.ts";
import { clock, policyHash, pureBudget, request, withDirectory } from "../testing/temporary-ledger.ts";
import { verifyLedger } from "../verify-ledger.ts";

/** A ledger, the file that keeps its head, and a copy of the ledger as it was when the file was made. */
async function withKept(
  use: (directory: string, headFile: string, older: string) => Promise<void>,
): Promise<void> {
  await withDirectory(async (directory) => {
    const options = { budget: pureBudget("1"), policyHash, source: "people", clock };
    await (await createLedger(directory, options)).close();
    const [headFile, older] = [`${directory}.head`, `${directory}.older`];
    await verifyLedger(directory, { headFile, makeHeadFile: true });
    cpSync(directory, older, { recursive: true });
    await use(directory, headFile, older);
  });
}

function putBack(older: string, directory: string): void {
  rmSync(directory, { recursive: true });
  cpSync(older, directory, { recursive: true });
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) => (error instanceof LetheError ? error.code : "no code"),
  );
}

it("writes every record down before it is told of, and refuses what is older", () =>
  withKept(async (directory, headFile, older) => {
    const ledger = await openLedger(directory, { clock, headFile });
    const reservation = await ledger.reserve(request("a", "1/2"));
    if (reservation.kind !== "charged") throw new Error("expected a charge");
    const { sequence, hash } = reservation.charge;
    expect(readFileSync(headFile, "utf8")).toBe(`${sequence}:${hash}\n`);
    await ledger.settle(reservation.charge, "bytes");
    await ledger.close();
    await grant(directory, { failures: 1, reason: "more" }, { clock, headFile });
    const { head } = await verifyLedger(directory, { headFile });
    expect(readFileSync(headFile, "utf8")).toBe(`${head.sequence}:${head.hash}\n`);
    expect(head.sequence).toBe(3);
    expect(existsSync(`${headFile}.new`)).toBe(false);

    putBack(older, directory);
    expect(await codeOf(openLedger(directory, { clock, headFile }))).toBe("ledger.restored");
    expect(await codeOf(verifyLedger(directory, { headFile }))).toBe("ledger.restored");
    expect(readFileSync(headFile, "utf8")).toBe(`${head.sequence}:${head.hash}\n`);
  }));

it("refuses an older ledger that went on for longer than the one that was kept", () =>
  withKept(async (directory, headFile, older) => {
    const ledger = await openLedger(directory, { clock, headFile });
    await ledger.reserve(request("a", "1/2"));
    await ledger.close();
    putBack(older, directory);
    const unaware = await openLedger(directory, { clock });
    for (const id of ["b", "c", "d"]) await unaware.reserve(request(id, "1/4"));
    await unaware.close();
    expect(await codeOf(openLedger(directory, { clock, headFile }))).toBe("ledger.restored");
  }));

it("takes a head that lags behind, as after a crash, and catches up where nothing new is charged", () =>
  withKept(async (directory, headFile) => {
    const unaware = await openLedger(directory, { clock });
    await unaware.reserve(request("a", "1/2"));
    await unaware.close();
    const ledger = await openLedger(directory, { clock, headFile });
    expect(await ledger.reserve(request("a", "1/2"))).toMatchObject({ resumed: true });
    expect(readFileSync(headFile, "utf8")).toMatch(/^1:/);
    await ledger.close();
  }));

it("never goes back where several write, and charges nothing once the file knows more than the ledger", () =>
  withKept(async (directory, headFile) => {
    const open = () => openLedger(directory, { clock, headFile });
    const ledgers = await Promise.all([open(), open(), open()]);
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => ledgers[i % 3]!.reserve(request(`q${i}`, "1/20"))),
    );
    const { head } = await ledgers[0]!.report();
    expect(readFileSync(headFile, "utf8")).toBe(`${head.sequence}:${head.hash}\n`);
    writeFileSync(headFile, `${head.sequence + 1}:${"0".repeat(64)}\n`);
    expect(await codeOf(ledgers[1]!.reserve(request("late", "1/20")))).toBe("ledger.restored");
    expect((await ledgers[2]!.report()).head).toEqual(head);
    for (const ledger of ledgers) await ledger.close();
  }));

it("answers nothing where the file is missing, is no head, or cannot be written", () =>
  withKept(async (directory, headFile) => {
    writeFileSync(headFile, "the newest\n");
    expect(await codeOf(openLedger(directory, { clock, headFile }))).toBe("ledger.unreadable");
    expect(await codeOf(verifyLedger(directory, { headFile }))).toBe("ledger.unreadable");
    rmSync(headFile);
    expect(await codeOf(openLedger(directory, { clock, headFile }))).toBe("ledger.unreadable");
    expect(await codeOf(verifyLedger(directory, { headFile }))).toBe("ledger.unreadable");
    expect(existsSync(headFile)).toBe(false);
    const nowhere = { headFile: `${headFile}/none/kept`, makeHeadFile: true };
    expect(await codeOf(verifyLedger(directory, nowhere))).toBe("ledger.unreadable");
    await verifyLedger(directory, { headFile, makeHeadFile: true });
    const ledger = await openLedger(directory, { clock, headFile });
    rmSync(headFile);
    expect(await codeOf(ledger.reserve(request("a", "1/2")))).toBe("ledger.unreadable");
    expect((await ledger.report()).charges).toEqual([]);
    await ledger.close();
  }));

it("begins with the ledger, and lets no new one begin where it knows of another", () =>
  withDirectory(async (directory) => {
    const headFile = `${directory}.head`;
    const options = { budget: pureBudget("1"), policyHash, source: "people", clock, headFile };
    const ledger = await createLedger(directory, options);
    expect(readFileSync(headFile, "utf8")).toMatch(/^0:/);
    await ledger.reserve(request("a", "1/2"));
    expect(readFileSync(headFile, "utf8")).toMatch(/^1:/);
    await ledger.close();
    rmSync(directory, { recursive: true });
    expect(await codeOf(createLedger(directory, options))).toBe("ledger.restored");
    expect(existsSync(directory)).toBe(false);
    expect(readFileSync(headFile, "utf8")).toMatch(/^1:/);
  }));

it("leaves a new ledger that nobody asks, where its head cannot be written", () =>
  withDirectory(async (directory) => {
    const headFile = `${directory}.none/head`;
    const options = { budget: pureBudget("1"), policyHash, source: "people", clock, headFile };
    expect(await codeOf(createLedger(directory, options))).toBe("ledger.unreadable");
    expect(await codeOf(openLedger(directory, { clock, headFile }))).toBe("ledger.unreadable");
    expect((await verifyLedger(directory)).records).toBe(1);
  }));

it("a directory in place of the file is not taken for no file", () =>
  withKept(async (directory, headFile) => {
    rmSync(headFile);
    mkdirSync(headFile);
    await expect(verifyLedger(directory, { headFile, makeHeadFile: true })).rejects.toMatchObject({
      code: "ledger.unreadable",
      message: expect.stringContaining("is a directory"),
    });
  }));
