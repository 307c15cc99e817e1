import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { alikeLedgers } from "./alike-ledgers.ts";
import { clock, policyHash, pureBudget, pureLoss, request } from "./testing/temporary-ledger.ts";

it("ledgers that are alike have one key and one beginning, and no charge of each other; removed, nothing is left", async () => {
  const within = mkdtempSync(join(tmpdir(), "lethe-within-"));
  try {
    const options = { budget: pureBudget("1"), policyHash, source: "people", clock };
    const ledgers = await alikeLedgers(options, within);
    const [one, other] = [await ledgers.open(), await ledgers.open()];
    expect(one.publicKey).toBe(other.publicKey);
    expect((await one.report()).head).toEqual((await other.report()).head);
    await one.reserve(request("a", "1/2"));
    expect((await one.account()).left).toEqual(pureLoss("1/2"));
    expect((await other.account()).left).toEqual(pureLoss("1"));
    for (const ledger of [one, other]) await ledger.close();
    const later = await ledgers.open();
    expect((await later.report()).charges).toEqual([]);
    await later.close();
    expect(readdirSync(within)).toHaveLength(1);
    ledgers.remove();
    expect(readdirSync(within)).toEqual([]);

    // What cannot be made leaves nothing either.
    await expect(alikeLedgers({ ...options, source: "" }, within)).rejects.toMatchObject({
      code: "parameter.invalid",
    });
    expect(readdirSync(within)).toEqual([]);
  } finally {
    rmSync(within, { recursive: true, force: true });
  }
  expect(existsSync(within)).toBe(false);
});
