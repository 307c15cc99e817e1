import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from "../../../../../testing/src/postgres/start-postgres.ts";
import type { ServiceNode } from "../service-store.ts";
import { joinNodes } from "./join-nodes.ts";
import { openServiceDatabase } from "./open-service-database.ts";
import { schemaName } from "./schema.ts";
import { openTables, type Tables } from "./tables.ts";

const log = (): void => undefined;
const policy = { text: "version: 1\n", hash: "one" };
const of = { principal: "ada", requestId: "r" };

describe.skipIf(!hasPostgres())("processes of one service", () => {
  let server: PostgresServer;
  let tables: Tables;
  const open: ServiceNode[] = [];
  beforeAll(async () => {
    server = await startPostgres({ fsync: "on" });
    const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count));
    await (await openServiceDatabase({ url: server.url, random, log })).close();
    tables = openTables({ url: server.url, log });
  });
  afterAll(async () => {
    await tables.close();
    await server.stop();
  });
  afterEach(async () => {
    for (const node of open.splice(0)) await node.leave();
    await tables.run(`DELETE FROM ${schemaName}.journeys`);
    await tables.run(`DELETE FROM ${schemaName}.nodes`);
  });

  async function join(more: Partial<Parameters<typeof joinNodes>[0]> = {}): Promise<ServiceNode> {
    const node = await joinNodes({
      ...{ tables, secret: new Uint8Array(32), url: server.url, policy, replaced: () => undefined, log },
      ...more,
    });
    open.push(node);
    return node;
  }
  /** Makes a process dead, as one is that renews its lease no more. */
  const kill = () =>
    tables.run(
      `UPDATE ${schemaName}.nodes SET until = 0 WHERE id = (SELECT node FROM ${schemaName}.journeys)`,
    );
  const soon = <T>(promise: Promise<T>): Promise<T | "waits"> =>
    Promise.race([promise, new Promise<"waits">((resolve) => setTimeout(resolve, 400, "waits"))]);

  it("run a request one at a time: the next has it when the first lets go", async () => {
    const [one, two] = [(await join()).journeys, (await join()).journeys];
    const term = await one.take(of);
    expect(await one.take(of)).toBe(term);
    const waiting = two.take(of);
    expect(await soon(waiting)).toBe("waits");
    expect([await one.isUnderWay(of), await two.isUnderWay(of)]).toEqual([false, true]);
    expect(await soon(two.take({ ...of, principal: "bob" }))).not.toBe("waits");
    await one.end(of, term);
    expect(await soon(waiting)).toBe("waits");
    await one.end(of, term);
    const next = await waiting;
    expect(next).toBeGreaterThan(term);
    expect([await one.holds(of, term), await two.holds(of, next)]).toEqual([false, true]);
    await two.end(of, next);
    expect(await one.isUnderWay(of)).toBe(false);
  });

  it("take over what a dead one had, which then has it no more", async () => {
    const [one, two] = [(await join()).journeys, (await join()).journeys];
    const lost = await one.take(of);
    const waiting = two.take(of);
    expect(await soon(waiting)).toBe("waits");
    await kill();
    const term = await waiting;
    expect([await one.holds(of, lost), await two.holds(of, term)]).toEqual([false, true]);
    await one.end(of, lost);
    expect(await two.holds(of, term)).toBe(true);
    // It woke up, and waits as any other.
    const again = one.take(of);
    expect(await soon(again)).toBe("waits");
    await two.end(of, term);
    expect(await again).toBeGreaterThan(term);
  });

  it("tell no answer before its slot, though the one that had it is dead", async () => {
    const [one, two] = [(await join()).journeys, (await join()).journeys];
    await one.take(of);
    await one.schedule(of, 1_500);
    await kill();
    expect(await two.isUnderWay(of)).toBe(true);
    const waiting = two.take(of);
    expect(await soon(waiting)).toBe("waits");
    await waiting;
    expect(await two.isUnderWay(of)).toBe(false);
  });

  it("serve one policy: another is refused while others live, and what one puts in place the others start again under", async () => {
    const texts: string[] = [];
    const [one, two] = [await join(), await join({ replaced: (text) => void texts.push(text) })];
    await two.journeys.requirePolicy();
    await expect(join({ policy: { text: "other", hash: "other" } })).rejects.toMatchObject({
      code: "policy.changed",
    });
    await one.putPolicy({ text: "next", hash: "next" });
    for (const node of [one, two])
      await expect(node.journeys.requirePolicy()).rejects.toMatchObject({ code: "serve.busy" });
    await expect.poll(() => texts, { timeout: 10_000 }).toEqual(["next"]);
    await one.leave();
    await two.leave();
    open.splice(0);
    await (await join()).journeys.requirePolicy();
  });

  it("call off what waits at another, and what was meant is told to nobody else", async () => {
    const heard: string[] = [];
    const listener = await import("pg").then(
      ({ default: pg }) => new pg.Client({ connectionString: server.url }),
    );
    await listener.connect();
    listener.on("notification", ({ payload }) => void heard.push(payload ?? ""));
    await listener.query("LISTEN lethe_service");
    const [one, two] = [await join(), await join()];
    const stopped: boolean[] = [];
    two.journeys.onStop((isMeant) => void stopped.push(isMeant(of), isMeant({ ...of, requestId: "s" })));
    two.onCancel((isMeant) => void stopped.push(isMeant("7 8"), isMeant("7 9")));
    one.journeys.stopWaiting(of);
    await expect.poll(() => stopped, { timeout: 10_000 }).toEqual([true, false]);
    one.cancel("7 8");
    await expect.poll(() => stopped, { timeout: 10_000 }).toEqual([true, false, true, false]);
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(2);
    expect(heard.join(" ")).not.toMatch(/ada|7 8/);
    await listener.end();
  });
});
