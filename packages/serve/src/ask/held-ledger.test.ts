import type { Charge, Ledger, ReserveRequest } from "@lethe/ledger";
import { expect, it } from "vitest";
import { heldLedger } from "./held-ledger.ts";
import { type Journeys, ownJourneys } from "./journeys.ts";

const of = { principal: "ada", requestId: "r" };
const request = { ...of, statements: 3 } as unknown as ReserveRequest;
const charge = { ...of, sequence: 7 } as unknown as Charge;
const key = JSON.stringify(["ada", "r"]);

/** A ledger that charges once, and journeys of two processes over one table, with what was asked of both in order. */
function house({ schedule = null as { each: number } | null } = {}) {
  const log: string[] = [];
  const holder = new Map<string, number>();
  let terms = 0;
  let settled: string | null = null;
  let failsAt = "";
  const ledger = {
    reserve: async () => {
      log.push("reserve");
      if (failsAt === "reserve") throw new Error("the ledger is gone");
      return settled === null
        ? { kind: "charged", charge, resumed: false }
        : { kind: "settled", release: settled };
    },
    settle: async (_: Charge, release: string) => {
      log.push("settle");
      settled ??= release;
      return settled;
    },
    fail: async () => void log.push("fail"),
  } as unknown as Ledger;
  const journeys = (): Journeys => ({
    ...ownJourneys,
    take: async () => {
      while (holder.has(key)) await new Promise((resolve) => setImmediate(resolve));
      holder.set(key, ++terms);
      log.push(`take ${terms}`);
      return terms;
    },
    holds: async (_, term) => holder.get(key) === term,
    end: async (_, term) => {
      if (holder.get(key) !== term) return;
      holder.delete(key);
      log.push(`end ${term}`);
    },
    isUnderWay: async () => holder.has(key),
    schedule: async (_, inMs) => void log.push(`slot in ${inMs}`),
    requirePolicy: async () => {
      log.push("policy");
      if (failsAt === "policy") throw new Error("another policy");
    },
  });
  return {
    log,
    holder,
    open: () => heldLedger(ledger, journeys(), schedule),
    fail: (at: string) => {
      failsAt = at;
    },
  };
}

it("a request is taken before it is charged, its slot is known before it runs, and it is let go of at the end", async () => {
  const { log, open } = house({ schedule: { each: 2_000 } });
  const journey = open();
  await journey.ledger.reserve(request);
  expect(await journey.ledger.settle(charge, "answer")).toBe("answer");
  await journey.end();
  expect(log).toEqual(["take 1", "policy", "reserve", "slot in 6000", "settle", "end 1"]);
});

it("what is refused, or was answered before, is let go of at once", async () => {
  const { log, open, fail } = house();
  for (const at of ["policy", "reserve"]) {
    fail(at);
    await expect(open().ledger.reserve(request)).rejects.toThrow();
    expect(log.splice(0).at(-1)).toMatch(/^end/);
  }
  fail("");
  const first = open();
  await first.ledger.reserve(request);
  await first.ledger.settle(charge, "answer");
  await first.end();
  log.splice(0);
  expect(await open().ledger.reserve(request)).toMatchObject({ kind: "settled", release: "answer" });
  expect(log).toEqual(["take 4", "policy", "reserve", "end 4"]);
});

it("a process that stalled waits for the one that took over, and both give the bytes that were committed first", async () => {
  const { log, holder, open } = house();
  const [stalled, next] = [open(), open()];
  await stalled.ledger.reserve(request);
  // Its lease is over.
  holder.delete(key);
  await next.ledger.reserve(request);
  const late = stalled.ledger.settle(charge, "of the stalled one");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(log).not.toContain("settle");
  expect(await next.ledger.settle(charge, "of the next one")).toBe("of the next one");
  await next.end();
  expect(await late).toBe("of the next one");
  await stalled.end();
  expect(holder.size).toBe(0);
});

it("a process that stalled settles by itself where nobody took over, or who did died too", async () => {
  const { holder, open } = house();
  const [stalled, next] = [open(), open()];
  await stalled.ledger.reserve(request);
  holder.delete(key);
  await next.ledger.reserve(request);
  const late = stalled.ledger.settle(charge, "of the stalled one");
  holder.delete(key);
  expect(await late).toBe("of the stalled one");
});

it("a process that lost a request does not fail it, and one whose slot is over does", async () => {
  const { log, holder, open } = house();
  const [stalled, next] = [open(), open()];
  await stalled.ledger.reserve(request);
  holder.delete(key);
  await next.ledger.reserve(request);
  await stalled.ledger.fail(charge);
  await stalled.end();
  await stalled.ledger.fail(charge);
  expect(log).not.toContain("fail");
  await next.ledger.fail(charge);
  await next.end();
  await next.ledger.fail(charge);
  expect(log.filter((each) => each === "fail")).toHaveLength(2);
});
