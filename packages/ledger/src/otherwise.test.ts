import { lossToJson, parseRational, ratio } from "@lethe/core";
import { expect, it } from "vitest";
import type { AccountLedger } from "./account-ledger.ts";
import { createLedger } from "./create-ledger.ts";
import type { ReserveRequest } from "./ledger.ts";
import {
  clock,
  policyHash,
  pureBudget,
  pureLoss,
  request,
  withDirectory,
} from "./testing/temporary-ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

const nothing = { loss: pureLoss("0"), event: { kind: "constant", version: 1 } } as const;
const either = (id: string, epsilon: string): ReserveRequest => ({
  ...request(id, epsilon),
  otherwise: nothing,
});

async function withLedger(use: (ledger: AccountLedger, directory: string) => Promise<void>): Promise<void> {
  await withDirectory(async (directory) => {
    const budget = pureBudget("1");
    const ledger = await createLedger(directory, { budget, policyHash, source: "t", clock });
    try {
      await use(ledger, directory);
    } finally {
      await ledger.close();
    }
  });
}

const paidOf = async (ledger: AccountLedger, asked: ReserveRequest): Promise<unknown> => {
  const reserved = await ledger.reserve(asked);
  return reserved.kind === "charged" && [reserved.resumed, lossToJson(reserved.charge.loss)];
};

it("what fits is charged, else what is asked for otherwise; and that stays so", async () => {
  await withLedger(async (ledger, directory) => {
    expect(await paidOf(ledger, either("a", "1/2"))).toEqual([false, { measure: "pure", epsilon: "1/2" }]);
    expect(await paidOf(ledger, either("b", "3/4"))).toEqual([false, { measure: "pure", epsilon: "0" }]);
    await ledger.grant({ epsilon: parseRational("9"), reason: "more" });
    expect(await paidOf(ledger, either("b", "3/4"))).toEqual([true, { measure: "pure", epsilon: "0" }]);
    expect(await paidOf(ledger, either("a", "1/2"))).toEqual([true, { measure: "pure", epsilon: "1/2" }]);
    // Another price than either is another plan.
    await expect(ledger.reserve(either("a", "1/3"))).rejects.toMatchObject({ code: "ledger.request" });
    await expect(verifyLedger(directory)).resolves.toMatchObject({ charges: 2 });
  });
});

it("what is asked for otherwise must be a loss that can be read back from the records", async () => {
  await withLedger(async (ledger) => {
    const tiny = { ...nothing, loss: { ...nothing.loss, epsilon: ratio(1n, 10n ** 9_000n) } };
    const asked = { ...request("a", "1/2"), otherwise: tiny };
    await expect(ledger.reserve(asked)).rejects.toMatchObject({ code: "parameter.invalid" });
    expect((await ledger.report()).charges).toEqual([]);
  });
});

it("an answer can be read again by its id, once there is one", async () => {
  await withLedger(async (ledger) => {
    expect(await ledger.settled("a", "owner")).toBeNull();
    const reserved = await ledger.reserve(request("a", "1/2", "owner"));
    expect(await ledger.settled("a", "owner")).toBeNull();
    if (reserved.kind === "charged") await ledger.settle(reserved.charge, "bytes");
    expect(await ledger.settled("a", "owner")).toEqual({ principal: "owner", release: "bytes" });
    expect(await ledger.settled("a", "ana")).toBeNull();
    expect(await ledger.settled("b", "owner")).toBeNull();
  });
});
