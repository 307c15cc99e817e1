import { createPublicKey, verify } from "node:crypto";
import { LetheError, parseRational, toText } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { AccountLedger } from "./account-ledger.ts";
import { createLedger } from "./create-ledger.ts";
import type { Charge, Reservation } from "./ledger.ts";
import { openLedger } from "./open-ledger.ts";
import {
  clock,
  policyHash,
  pureBudget,
  pureLoss,
  request,
  withDirectory,
} from "./testing/temporary-ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

const source = "people";

async function withLedger(
  use: (ledger: AccountLedger, directory: string) => Promise<void>,
  budget = pureBudget("1"),
  failureCap = 100,
): Promise<void> {
  await withDirectory(async (directory) => {
    const ledger = await createLedger(directory, { budget, policyHash, source, clock, failureCap });
    try {
      await use(ledger, directory);
    } finally {
      await ledger.close();
    }
    await verifyLedger(directory);
  });
}

function chargeOf(reservation: Reservation): Charge {
  if (reservation.kind !== "charged") throw new Error("expected a charge");
  return reservation.charge;
}

async function refusal(work: Promise<unknown>): Promise<LetheError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LetheError)) throw new Error(`expected a coded refusal, got ${String(error)}`);
  return error;
}

describe("reserve", () => {
  it("charges once, resumes unsettled, answers settled with the same bytes", () =>
    withLedger(async (ledger) => {
      const first = await ledger.reserve(request("a", "0.25"));
      expect(first).toMatchObject({
        kind: "charged",
        resumed: false,
        charge: { sequence: 1, requestId: "a" },
      });
      const again = await ledger.reserve(request("a", "0.25"));
      expect(again).toMatchObject({ kind: "charged", resumed: true });
      expect(chargeOf(again).hash).toBe(chargeOf(first).hash);
      const bytes = '{"é": "\u{1f60a}\u0000\ufeff"}';
      expect(await ledger.settle(chargeOf(again), bytes)).toBe(bytes);
      expect(await ledger.settle(chargeOf(first), "other noise")).toBe(bytes);
      expect(await ledger.reserve(request("a", "0.25"))).toEqual({ kind: "settled", release: bytes });
      const report = await ledger.report();
      expect(toText(report.spent.measure === "pure" ? report.spent.epsilon : parseRational("9"))).toBe("1/4");
      expect(report.charges).toMatchObject([
        { sequence: 1, state: "settled", at: clock(), text: "SELECT a" },
      ]);
    }));

  it("keeps what was paid over closing and opening", () =>
    withDirectory(async (directory) => {
      const before = await createLedger(directory, { budget: pureBudget("1"), policyHash, source, clock });
      const charge = chargeOf(await before.reserve(request("a", "0.5")));
      await before.settle(charge, "bytes");
      const unsettled = await before.reserve(request("b", "0.25"));
      await before.close();
      const after = await openLedger(directory, { clock });
      expect(await after.reserve(request("a", "0.5"))).toEqual({ kind: "settled", release: "bytes" });
      expect(await after.reserve(request("b", "0.25"))).toMatchObject({ kind: "charged", resumed: true });
      expect(await after.remaining("owner")).toEqual(pureLoss("1/4"));
      expect((await refusal(after.settle(chargeOf(unsettled), "x"))).code).toBe("ledger.request");
      expect(after.source).toBe(source);
      expect(await after.policyHash()).toBe(policyHash);
      await after.close();
    }));

  it("grants the last exact tenth and refuses anything above", () =>
    withLedger(async (ledger) => {
      for (let i = 0; i < 10; i += 1) await ledger.reserve(request(`q${i}`, "0.1"));
      expect(await ledger.remaining("owner")).toEqual(pureLoss("0"));
      expect((await refusal(ledger.reserve(request("q10", "1e-300")))).code).toBe("ledger.budget");
      await ledger.reserve(request("free", "0"));
    }));

  it("says what was granted, spent, is left, was asked and would fit", () =>
    withLedger(async (ledger) => {
      await ledger.reserve(request("a", "2/3"));
      const error = await refusal(ledger.reserve(request("b", "0.5")));
      expect(error.code).toBe("ledger.budget");
      expect(error.fields).toMatchObject({
        granted: "ε 1",
        spent: "ε 0.666667",
        left: "ε 0.333333",
        asked: "ε 0.5",
        fits: "0.333333",
      });
      await ledger.reserve(request("c", String(error.fields.fits)));
      expect((await ledger.report()).charges).toHaveLength(2);
    }));

  it("refuses a request id that belongs to another question, project or plan", () =>
    withLedger(async (ledger) => {
      await ledger.reserve(request("a", "0.25"));
      const others = [
        request("a", "0.25", "owner", "SELECT other"),
        { ...request("a", "0.25"), project: "churn" },
        request("a", "0.5"),
        request("a", "0.125"),
        { ...request("a", "0.25"), event: { kind: "constant", version: 1 } as const },
      ];
      for (const other of others) expect((await refusal(ledger.reserve(other))).code).toBe("ledger.request");
      expect(await ledger.remaining("owner")).toEqual(pureLoss("3/4"));
    }));

  it("refuses requests outside their domain and charges nothing", () =>
    withLedger(async (ledger) => {
      const good = request("a", "0.25");
      const bad = [
        { ...good, requestId: "" },
        { ...good, requestId: "x".repeat(201) },
        { ...good, requestId: "a\u0000" },
        { ...good, requestId: "\ud800" },
        { ...good, principal: "" },
        { ...good, requestHash: "AB" },
        { ...good, loss: pureLoss("-1/2") },
        { ...good, loss: { measure: "zcdp", rho: parseRational("0"), delta: parseRational("0") } as const },
      ];
      for (const each of bad) expect((await refusal(ledger.reserve(each))).code).toBe("parameter.invalid");
      expect((await ledger.report()).head.sequence).toBe(0);
    }));
});

describe("charges", () => {
  it("cannot be forged, copied or carried to another ledger", () =>
    withLedger(async (ledger) => {
      const charge = chargeOf(await ledger.reserve(request("a", "0.25")));
      expect((await refusal(ledger.settle({ ...charge }, "x"))).code).toBe("ledger.request");
      await withLedger(async (other) => {
        await other.reserve(request("a", "0.25"));
        expect((await refusal(other.settle(charge, "x"))).code).toBe("ledger.request");
        expect((await refusal(other.fail(charge))).code).toBe("ledger.request");
      });
      expect(Object.isFrozen(charge)).toBe(true);
      await ledger.settle(charge, "x");
    }));

  it("settle with well-formed text only", () =>
    withLedger(async (ledger) => {
      const charge = chargeOf(await ledger.reserve(request("a", "0.25")));
      expect((await refusal(ledger.settle(charge, "\ud800"))).code).toBe("parameter.invalid");
      expect(await ledger.settle(charge, "")).toBe("");
      expect(await ledger.reserve(request("a", "0.25"))).toEqual({ kind: "settled", release: "" });
    }));
});

describe("fail", () => {
  it("refunds nothing, and the paid request may run again", () =>
    withLedger(async (ledger) => {
      const charge = chargeOf(await ledger.reserve(request("a", "0.25")));
      expect((await ledger.report()).charges).toMatchObject([{ state: "reserved" }]);
      await ledger.fail(charge);
      expect((await ledger.report()).charges).toMatchObject([{ state: "failed" }]);
      expect(await ledger.remaining("owner")).toEqual(pureLoss("3/4"));
      expect(await ledger.reserve(request("a", "0.25"))).toMatchObject({ resumed: true });
      await ledger.settle(charge, "late");
      await ledger.fail(charge);
      expect((await ledger.report()).charges).toMatchObject([{ state: "settled" }]);
    }));

  it("counts each run, and the request as in flight no more than once", () =>
    withLedger(
      async (ledger) => {
        const charge = chargeOf(await ledger.reserve(request("a", "0.001")));
        await ledger.fail(charge);
        expect(await ledger.reserve(request("a", "0.001"))).toMatchObject({ resumed: true });
        await ledger.fail(charge);
        // Two failed runs and one in flight are three.
        await ledger.reserve(request("b", "0.001"));
        expect((await refusal(ledger.reserve(request("c", "0.001")))).code).toBe("ledger.failures");
      },
      pureBudget("1"),
      3,
    ));

  it("is capped, counts runs that were cut off, and says nothing of why", () =>
    withLedger(
      async (ledger) => {
        const failed = chargeOf(await ledger.reserve(request("failed", "0.001")));
        await ledger.fail(failed);
        await ledger.reserve(request("cut off", "0.001"));
        await ledger.settle(chargeOf(await ledger.reserve(request("fine", "0.001"))), "fine");
        const last = chargeOf(await ledger.reserve(request("last", "0.001")));
        const refused = await refusal(ledger.reserve(request("more", "0.001")));
        expect(refused.code).toBe("ledger.failures");
        expect(refused.fields).toEqual({});
        expect((await refusal(ledger.reserve(request("failed", "0.001")))).code).toBe("ledger.failures");
        expect(await ledger.reserve(request("cut off", "0.001"))).toMatchObject({ resumed: true });
        await ledger.settle(last, "done");
        await ledger.reserve(request("more", "0.001"));
        await ledger.grant({ failures: 1, reason: "disk was full" });
        expect(await ledger.reserve(request("failed", "0.001"))).toMatchObject({ resumed: true });
      },
      pureBudget("1"),
      3,
    ));
});

describe("analysts", () => {
  it("hold sub-caps of one account; others are unknown, the owner is not", () =>
    withLedger(
      async (ledger) => {
        await ledger.reserve(request("a", "0.5", "ana"));
        const own = await refusal(ledger.reserve(request("b", "0.25", "ana")));
        expect(own.message).toContain("ana's share");
        expect(own.fields.fits).toBe("0.1");
        expect(await ledger.remaining("ana")).toEqual(pureLoss("1/10"));
        expect((await refusal(ledger.reserve(request("c", "0.1", "eve")))).code).toBe("ledger.principal");
        expect((await refusal(ledger.remaining("eve"))).code).toBe("ledger.principal");
        await ledger.reserve(request("d", "0.4", "bob"));
        await ledger.reserve(request("e", "0.1"));
        expect((await refusal(ledger.reserve(request("f", "0.1", "bob")))).message).toContain(
          "the account's budget",
        );
        expect((await ledger.report()).analysts).toEqual([
          { name: "ana", granted: parseRational("0.6"), spent: parseRational("0.5") },
          { name: "bob", granted: parseRational("5"), spent: parseRational("0.4") },
        ]);
      },
      pureBudget("1", { ana: "0.6", bob: "5" }),
    ));

  it("need not be listed where the policy lists none", () =>
    withLedger(async (ledger) => {
      await ledger.reserve(request("a", "0.5", "anybody"));
      expect(await ledger.remaining("owner")).toEqual(pureLoss("1/2"));
      // What others spent is not told to whoever asks.
      expect(await ledger.remaining("anybody else")).toEqual(pureLoss("1"));
    }));
});

it("signs with the key whose public half it names", () =>
  withLedger(async (ledger) => {
    const signature = Buffer.from(await ledger.sign("grüße"), "hex");
    const key = createPublicKey(ledger.publicKey);
    expect(verify(null, Buffer.from("grüße"), key, signature)).toBe(true);
    expect(verify(null, Buffer.from("gruße"), key, signature)).toBe(false);
  }));

it("refuses a clock that tells no time", () =>
  withDirectory(async (directory) => {
    const broken = createLedger(directory, {
      budget: pureBudget("1"),
      policyHash,
      source,
      clock: () => Number.NaN,
    });
    expect((await refusal(broken)).code).toBe("parameter.invalid");
  }));

it("keeps its order, its sums and every charge when the clock goes back or stands still", () =>
  withDirectory(async (directory) => {
    const times = [9000, 8000, 8000, 0, 7000, 1, 9000, 2];
    let ticks = 0;
    const jumping = (): number => times[ticks++ % times.length]!;
    const first = await createLedger(directory, {
      budget: pureBudget("1"),
      policyHash,
      source,
      clock: jumping,
    });
    const charge = chargeOf(await first.reserve(request("a", "1/4")));
    await first.settle(charge, "bytes");
    await first.close();
    const ledger = await openLedger(directory, { clock: jumping });
    expect(await ledger.reserve(request("a", "1/4"))).toEqual({ kind: "settled", release: "bytes" });
    await ledger.reserve(request("b", "1/2"));
    expect((await refusal(ledger.reserve(request("c", "1/3")))).code).toBe("ledger.budget");
    const { head, charges } = await ledger.report();
    await ledger.close();
    expect(charges.map(({ sequence, at }) => ({ sequence, at }))).toEqual([
      { sequence: 1, at: 8000 },
      { sequence: 3, at: 7000 },
    ]);
    expect(await verifyLedger(directory, { head })).toMatchObject({ records: 4, spent: pureLoss("3/4") });
  }));
