import { sha256 } from "@lethe/core/canonical";
import { afterEach, expect, it } from "vitest";
import type { Principal } from "../access/index.ts";
import { type AuditFact, type AuditTrail, openAuditTrail, verifyAuditLog } from "../audit-log/index.ts";
import { memoryAuditLog } from "../testing/memory-audit-log.ts";
import { openService as openSmall, type SmallSettings, turns } from "../testing/small-service.ts";
import { openGate } from "./gate.ts";
import { openService } from "./open-service.ts";

const who: Principal = {
  name: "ada",
  roles: ["analyst"],
  projects: [],
  proof: { kind: "token", token: "0".repeat(16), maxEpsilon: null, expiresAt: 1e15 },
  address: "192.0.2.1",
};
const sql = "SELECT COUNT(*) AS n FROM people WHERE age < 41";
const question = { sql, epsilon: "1", acceptUninformative: true, requestId: null };
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function house(settings: SmallSettings = {}) {
  const small = await openSmall(settings);
  open.push(small.close);
  const store = memoryAuditLog();
  const disk = { isFull: false };
  const write: typeof store.write = async (records) => {
    if (disk.isFull) throw new Error("full");
    return store.write(records);
  };
  const trail: AuditTrail = openAuditTrail({
    store: { ...store, write },
    now: small.timer.now,
    lost: () => undefined,
  });
  const gate = openGate({ accountShown: false }, trail);
  const service = openService({ door: small.door, ledger: small.ledger, gate });
  const entries = async () => [...(await store.page(null, 1000))].reverse();
  const facts = async (): Promise<readonly AuditFact[]> => (await entries()).map(({ fact }) => fact);
  return { ...small, service, disk, entries, facts, trail };
}

/** The facts without the ids that are drawn. */
const plain = (facts: readonly AuditFact[]): unknown =>
  JSON.parse(JSON.stringify(facts).replaceAll(/random [0-9a-f-]+/g, "random"));

it("a question that is charged is written down with its request, its hash and its charge, and a repeat as one", async () => {
  const { service, entries, ledger } = await house();
  const answer = await service.ask(who, question);
  const [charge] = (await ledger.report()).charges;
  const asked = { kind: "asked", request: charge?.requestId, question: sha256(sql) };
  expect(await entries()).toMatchObject([
    {
      actor: { name: "ada", by: "token", id: "0".repeat(16), address: "192.0.2.1" },
      fact: { ...asked, ledger: charge?.sequence, outcome: "charged" },
    },
  ]);
  expect(await service.ask(who, question)).toMatchObject({ kind: "release" });
  expect((await entries()).at(-1)?.fact).toEqual({ ...asked, ledger: null, outcome: "repeated" });
  await service.explain(who, question);
  await service.ask(who, { ...question, sql: "SHOW TABLES" });
  expect(await entries()).toHaveLength(2);
  verifyAuditLog(await entries());
  expect(JSON.stringify(await entries())).not.toContain("SELECT");
  expect(answer).toMatchObject({ kind: "release" });
});

it("the fact of a charge is written before the question is executed, and nothing of its end is", async () => {
  const seen: number[] = [];
  let log: () => Promise<readonly AuditFact[]> = async () => [];
  const { service, facts } = await house({
    running: async () => void seen.push((await log()).length),
  });
  log = facts;
  await service.ask(who, question);
  expect(seen).toEqual([1]);
  expect(await facts()).toHaveLength(1);
});

it("says the same, in the same order, whether executions succeed, fail, or take long", async () => {
  const run = async (running: () => Promise<void>): Promise<unknown> => {
    const { service, facts, trail } = await house({ running, size: 3 });
    // The same in flight, and another beside it: as many as there are workers for rows.
    const other = { ...question, sql: `${sql} AND age > 1` };
    const asking = [question, question, other].map((each) => service.ask(who, each).catch(() => null));
    await turns();
    asking.push(service.ask(who, { ...question, sql: "SELECT missing FROM people" }).catch(() => null));
    await turns();
    release();
    await Promise.all(asking);
    await trail.close();
    return plain(await facts());
  };
  let release: () => void = () => undefined;
  const held = (): Promise<void> =>
    new Promise((resolve) => {
      const before = release;
      release = () => {
        before();
        resolve();
      };
    });
  const quick = await run(async () => undefined);
  const failing = await run(async () => {
    throw new Error("a value of the data");
  });
  const slow = await run(held);
  expect(failing).toEqual(quick);
  expect(slow).toEqual(quick);
  expect(JSON.stringify(quick)).toContain("query.unknown-column");
});

it("does not tell who joined a request in flight from who asked again when it was answered", async () => {
  const run = async (together: boolean): Promise<unknown> => {
    const { service, facts } = await house();
    const first = service.ask(who, question);
    if (!together) await first;
    await Promise.all([first, service.ask(who, question)]);
    return plain(await facts());
  };
  expect(await run(true)).toEqual(await run(false));
});

it("refusals tell their code and no more, and a burst of them is a number", async () => {
  const { service, facts, trail } = await house();
  const wrong = { ...question, sql: "SELECT COUNT(*) FROM people WHERE name = 'Zebedee'" };
  for (let turn = 0; turn < 20; turn += 1) await service.ask(who, wrong).catch(() => undefined);
  await trail.close();
  const asked = { kind: "asked", request: null, question: sha256(wrong.sql), ledger: null };
  const fact = { ...asked, outcome: "query.unknown-column" };
  expect(await facts()).toEqual([fact, { kind: "counted", fact, more: 19, since: expect.any(Number) }]);
});

it("what cannot be written down is not executed, and nothing more is answered or charged", async () => {
  const { service, disk, runs, ledger } = await house();
  disk.isFull = true;
  const lost = expect.objectContaining({ code: "log.lost" });
  await expect(service.ask(who, question)).rejects.toEqual(lost);
  expect(runs()).toBe(0);
  const { charges } = await ledger.report();
  expect(charges).toMatchObject([{ state: "reserved" }]);
  await expect(service.ask(who, question)).rejects.toEqual(lost);
  await expect(service.budget(who, null)).rejects.toEqual(lost);
  expect((await ledger.report()).charges).toHaveLength(1);
});

it("who reads another's objects is written down, once in a while, and who reads their own is not", async () => {
  const { service, facts, ledger } = await house();
  await service.ask(who, question);
  const id = (await ledger.report()).charges[0]?.requestId ?? "";
  const olga: Principal = { ...who, name: "olga", roles: ["owner"] };
  const before = (await facts()).length;
  await service.release(who, id, null);
  await service.budget(who, null);
  expect(await facts()).toHaveLength(before);
  for (let turn = 0; turn < 5; turn += 1) await service.release(olga, id, "ada");
  await service.certificate(olga, id, "ada");
  await service.budget(olga, "ada");
  await service.release(who, id, "olga").catch(() => undefined);
  expect((await facts()).slice(before)).toEqual([
    { kind: "read", route: "release.read", person: "ada", request: id },
    { kind: "read", route: "certificate.read", person: "ada", request: id },
    { kind: "read", route: "budget.read", person: "ada", request: null },
    { kind: "denied", route: "release.read", code: "serve.absent" },
  ]);
});
