import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccountLedger } from "../account-ledger.ts";
import { isCharge } from "../charge.ts";
import { createLedger } from "../create-ledger.ts";
import type { Charge, Ledger } from "../ledger.ts";
import { ledgerWith } from "../ledger-with.ts";
import { policyHash, pureBudget, pureLoss, request, withDirectory } from "../testing/temporary-ledger.ts";
import { borrowLedger } from "./borrow-ledger.ts";
import { type LentLedger, lendLedger } from "./lend-ledger.ts";

let ledger: AccountLedger;
let end: () => void = () => undefined;
let over: Promise<void>;
beforeEach(async () => {
  const began = new Promise<void>((resolve) => {
    over = withDirectory(async (directory) => {
      const budget = pureBudget("10", { ada: "5", bob: "5" });
      ledger = await createLedger(directory, { budget, policyHash, source: "people", clock: () => 7 });
      resolve();
      await new Promise<void>((done) => {
        end = done;
      });
      await ledger.close();
    });
  });
  await began;
});
afterEach(async () => {
  end();
  await over;
});

/** A ledger that was lent for `principal`: what passes between the two sides is JSON. */
function lentTo(
  principal: string,
  of: Ledger = ledger,
): { readonly borrowed: Ledger; readonly lent: LentLedger } {
  const lent = lendLedger(of, principal);
  const copy = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));
  const borrowed = borrowLedger(
    async (name, ask) => copy(await lent.answer(copy({ name, ask }))),
    ledger.publicKey,
  );
  return { borrowed, lent };
}

async function charged(borrowed: Ledger, id = "r", principal = "ada"): Promise<Charge> {
  const reserved = await borrowed.reserve(request(id, "1", principal));
  if (reserved.kind !== "charged") throw new Error(reserved.kind);
  return reserved.charge;
}

const states = async (): Promise<readonly string[]> =>
  (await ledger.report()).charges.map(({ requestId, state }) => `${requestId} ${state}`);

describe("a lent ledger", () => {
  it("charges, settles, and answers as the ledger itself does", async () => {
    const { borrowed } = lentTo("ada");
    const charge = await charged(borrowed);
    expect(isCharge(charge)).toBe(true);
    const [own] = (await ledger.report()).charges;
    expect([charge.sequence, charge.loss, charge.principal]).toEqual([own!.sequence, own!.loss, "ada"]);
    expect(await borrowed.settle(charge, '{"a":1}')).toBe('{"a":1}');
    expect(await borrowed.settled("r", "ada")).toEqual({ principal: "ada", release: '{"a":1}' });
    expect(await borrowed.reserve(request("r", "1", "ada"))).toEqual({ kind: "settled", release: '{"a":1}' });
    expect(await borrowed.requestsOf("ada", 5)).toEqual(["r"]);
    expect(await borrowed.balance(["account"], "ada")).toEqual(await ledger.balance(["account"], "ada"));
    await expect(borrowed.balance(["account"], "owner")).rejects.toMatchObject({ code: "ledger.request" });
    await expect(borrowed.balance(["analyst", "ada"], "ada")).rejects.toMatchObject({
      code: "internal.invariant",
    });
    await expect(borrowed.account()).rejects.toMatchObject({ code: "internal.invariant" });
    expect(await borrowed.remaining("ada")).toEqual(await ledger.remaining("ada"));
    expect(await borrowed.sign("text")).toBe(await ledger.sign("text"));
    expect(borrowed.publicKey).toBe(ledger.publicKey);
    await expect(borrowed.report()).rejects.toMatchObject({ code: "internal.invariant" });
    expect(await states()).toEqual(["r settled"]);
  });

  it("charges what is asked for otherwise, where the price does not fit", async () => {
    const { borrowed } = lentTo("ada");
    const asked = request("r", "100", "ada");
    const reserved = await borrowed.reserve({
      ...asked,
      otherwise: { loss: pureLoss("2"), event: { kind: "constant", version: 1 } },
    });
    expect(reserved).toMatchObject({ kind: "charged", charge: { loss: pureLoss("2") } });
  });

  it("hands the ledger's refusals on", async () => {
    const { borrowed } = lentTo("ada");
    await expect(borrowed.reserve(request("r", "6", "ada"))).rejects.toMatchObject({ code: "ledger.budget" });
  });

  it("is for one principal", async () => {
    const { borrowed } = lentTo("ada");
    for (const stranger of [
      () => borrowed.reserve(request("r", "1", "bob")),
      () => borrowed.remaining("bob"),
      () => borrowed.requestsOf("bob", 5),
      () => borrowed.settled("r", "bob"),
      () => borrowed.askersOf("r"),
    ])
      await expect(stranger()).rejects.toMatchObject({ code: "ledger.request" });
    expect(await states()).toEqual([]);
  });

  it("settles and fails what was charged here alone", async () => {
    const [one, other] = [lentTo("ada"), lentTo("ada")];
    const charge = await charged(one.borrowed);
    await expect(other.borrowed.settle(charge, "1")).rejects.toMatchObject({ code: "ledger.request" });
    await expect(
      other.lent.answer({ name: "settle", ask: { requestId: "r", release: "1" } }),
    ).rejects.toMatchObject({
      code: "ledger.request",
    });
    await expect(one.borrowed.settle({ ...charge } as Charge, "1")).rejects.toMatchObject({
      code: "ledger.request",
    });
    await expect(one.borrowed.fail({ ...charge } as Charge)).rejects.toMatchObject({
      code: "ledger.request",
    });
    expect(await states()).toEqual(["r reserved"]);
    await one.borrowed.fail(charge);
    expect(await states()).toEqual(["r failed"]);
    await expect(one.borrowed.settle(charge, "1")).rejects.toMatchObject({ code: "ledger.request" });
  });

  it("has failed under what is not settled when the work is given up, and answers nothing more", async () => {
    const { borrowed, lent } = lentTo("ada");
    const [settled] = [await charged(borrowed, "a"), await charged(borrowed, "b")];
    await borrowed.settle(settled, "1");
    expect(await lent.abandon()).toBe(true);
    expect(await states()).toEqual(["a settled", "b failed"]);
    await expect(borrowed.balance(["account"], "ada")).rejects.toMatchObject({ code: "ledger.request" });
    expect(await lentTo("ada").lent.abandon()).toBe(false);
  });

  it("has failed under a charge that was being made durable as the work was given up", async () => {
    const slow = ledgerWith(ledger, {
      async reserve(asked) {
        await new Promise((resolve) => setImmediate(resolve));
        return ledger.reserve(asked);
      },
    });
    const { borrowed, lent } = lentTo("ada", slow);
    const reserving = borrowed.reserve(request("r", "1", "ada")).catch(() => undefined);
    await Promise.resolve();
    expect(await lent.abandon()).toBe(true);
    await reserving;
    expect(await states()).toEqual(["r failed"]);
  });
});
