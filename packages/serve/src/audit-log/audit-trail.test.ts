import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryAuditLog } from "../testing/memory-audit-log.ts";
import { verifyAuditLog } from "./audit-chain.ts";
import type { Actor, CountedFact } from "./audit-fact.ts";
import type { AuditLogStore } from "./audit-log.ts";
import { type AuditTrail, nobodyAt, openAuditTrail } from "./audit-trail.ts";
import { countedMs } from "./fact-counts.ts";

const begin = 1_800_000_000_000 - (1_800_000_000_000 % countedMs);
const ada: Actor = { name: "ada", by: "token", id: "0".repeat(16), address: "192.0.2.1" };
const refused = (person: string | null = null): CountedFact => ({
  kind: "sign-in-refused",
  person,
  code: "serve.sign-in",
});
const denied: CountedFact = { kind: "denied", route: "policy.read", code: "serve.forbidden" };

function opened(write?: AuditLogStore["write"]) {
  const store = memoryAuditLog();
  const clock = { at: begin };
  const lost: unknown[] = [];
  const trail: AuditTrail = openAuditTrail({
    store: write ? { ...store, write } : store,
    now: () => clock.at,
    lost: (error) => void lost.push(error),
  });
  return { store, clock, lost, trail, all: async () => [...(await store.page(null, 1e6))].reverse() };
}

/** The facts that a log tells of, each as often as it came. */
const told = (facts: readonly { readonly kind: string; readonly more?: number }[]): number =>
  facts.reduce((sum, fact) => sum + (fact.kind === "counted" ? (fact.more ?? 0) : 1), 0);

it("one fact in ten minutes is written, and the further ones are a number, of which none is lost", async () => {
  const { trail, clock, all } = opened();
  for (let turn = 0; turn < 1000; turn += 1) await trail.count(ada, denied);
  expect((await all()).map(({ fact }) => fact)).toEqual([denied]);
  clock.at += countedMs;
  await trail.write(ada, { kind: "signed-out" });
  expect((await all()).map(({ fact }) => fact)).toEqual([
    denied,
    { kind: "counted", fact: denied, more: 999, since: begin },
    { kind: "signed-out" },
  ]);
  await trail.count(ada, denied);
  await trail.count(ada, denied);
  await trail.close();
  expect((await all()).slice(3).map(({ fact }) => fact)).toMatchObject([
    denied,
    { kind: "counted", more: 1 },
  ]);
  verifyAuditLog(await all());
});

it("a burst from anywhere, at any names, writes a bounded number, and hides nobody who is signed in", async () => {
  const { trail, all, clock } = opened();
  for (let turn = 0; turn < 3000; turn += 1) await trail.count(nobodyAt("192.0.2.9"), refused(), `${turn}`);
  expect(await all()).toHaveLength(16);
  for (let turn = 0; turn < 3000; turn += 1)
    await trail.count(nobodyAt(`10.${turn >> 8}.${turn & 255}.1`), refused("bob"), `${turn}`);
  expect(await all()).toHaveLength(256);
  await trail.count(ada, denied);
  expect((await all()).at(-1)).toMatchObject({ actor: ada, fact: denied });
  clock.at += countedMs;
  await trail.close();
  const entries = await all();
  // What is counted for many names no person and no address.
  expect(entries.at(-1)).toMatchObject({
    actor: { name: null, address: null },
    fact: { kind: "counted", fact: refused(), more: 6000 - 256 },
  });
  expect(told(entries.map(({ fact }) => fact))).toBe(6001);
});

it("as many facts are told as came, in a chain that holds, whenever they come", async () => {
  const actors = [ada, { ...ada, name: "bob" }, nobodyAt("192.0.2.2"), nobodyAt("2001:db8::1")];
  const step = fc.record({
    actor: fc.constantFrom(...actors),
    fact: fc.constantFrom(denied, refused(), refused("bob")),
    apart: fc.constantFrom("", "a", "b"),
    // A clock may go back.
    wait: fc.integer({ min: -countedMs, max: 2 * countedMs }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { trail, clock, all } = opened();
      for (const { actor, fact, apart, wait } of steps) {
        clock.at += wait;
        await trail.count(actor, fact, apart);
      }
      await trail.close();
      const entries = await all();
      verifyAuditLog(entries);
      expect(told(entries.map(({ fact }) => fact))).toBe(steps.length);
    }),
  );
});

it("a log that could not be written stops everything, for good, and what went wrong is the owner's", async () => {
  let isFull = false;
  const log = memoryAuditLog();
  const { trail, lost } = opened(async (records) => {
    if (isFull) throw new Error("no space left at /secret");
    return log.write(records);
  });
  trail.requireKept();
  isFull = true;
  const refusal = expect.objectContaining({
    code: "log.lost",
    message: expect.not.stringContaining("secret"),
  });
  await expect(trail.count(ada, denied)).rejects.toEqual(refusal);
  isFull = false;
  expect(() => trail.requireKept()).toThrow(refusal);
  await expect(trail.write(ada, denied)).rejects.toEqual(refusal);
  // Also what would only be counted.
  await expect(trail.count(ada, denied)).rejects.toEqual(refusal);
  expect(lost).toHaveLength(1);
});
