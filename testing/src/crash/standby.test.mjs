import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLedger, openLedger, postgresSchema, returnLedger, verifyLedger } from "@lethe/ledger";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasPostgres, startPostgres } from "../postgres/start-postgres.ts";
import { promote, setSynchronous, startStandby } from "../postgres/start-standby.ts";
import { requestFor } from "./request-for.mjs";
import { violations } from "./violations.mjs";

const clock = Date.now;

describe.skipIf(!hasPostgres())("a ledger whose server has a standby", () => {
  let [parent, primary, standby] = [];

  beforeEach(async () => {
    parent = mkdtempSync(join(tmpdir(), "lethe-standby-"));
    primary = await startPostgres({ fsync: "on" });
    const admin = new Client({ connectionString: primary.url });
    await admin.connect();
    await admin.query(`CREATE ROLE gateway LOGIN; ${postgresSchema("lethe", "gateway")}`);
    await admin.end();
    standby = await startStandby(primary, { fsync: "on" });
  });
  afterEach(async () => {
    await standby?.stop();
    await primary?.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  const headFile = () => join(parent, "head");

  async function newLedger(options = "") {
    const directory = join(parent, "ledger");
    const [zero, one] = [0n, 1n].map((num) => ({ num, den: 1n }));
    const budget = { measure: "pure", epsilon: one, delta: zero, rho: null, analysts: {} };
    const url = `${primary.urlOf("gateway")}?schema=lethe${options}`;
    await (
      await createLedger(directory, { budget, policyHash: "", source: "s", clock, url, headFile: headFile() })
    ).close();
    return directory;
  }

  /** The gateway's directory once its owner wrote into it that the ledger is at another server. */
  function directoryAt(url, directory) {
    const copy = mkdtempSync(join(parent, "at-"));
    cpSync(directory, copy, { recursive: true });
    writeFileSync(join(copy, "ledger.url"), `${url}\n`);
    return copy;
  }

  const atStandby = (directory, options = "") =>
    directoryAt(`${standby.urlOf("gateway")}?schema=lethe${options}`, directory);
  const refusal = (opening) =>
    opening.then(
      () => null,
      ({ code, fields }) => ({ code, setting: fields.setting }),
    );

  async function pay(ledger, id) {
    const reservation = await ledger.reserve(requestFor(id, "1000"));
    if (reservation.kind === "settled") return { did: "answered", id, release: reservation.release };
    return { did: "answered", id, release: await ledger.settle(reservation.charge, `answer ${id}`) };
  }

  it("is not opened on the standby", async () => {
    const directory = await newLedger();
    const opening = openLedger(atStandby(directory), { clock });
    expect(await refusal(opening)).toEqual({ code: "ledger.server", setting: "pg_is_in_recovery" });
  });

  it("loses nothing that was told when a synchronous standby takes over", async () => {
    await setSynchronous(primary, true);
    const directory = await newLedger("&synchronous_replica=required");
    const gateways = await Promise.all(
      [1, 2].map(() => openLedger(directory, { clock, headFile: headFile() })),
    );
    const told = [];
    const asked = gateways.flatMap((ledger, node) =>
      [1, 2, 3].map(async (client) => {
        for (let i = 0; ; i += 1) told.push(await pay(ledger, `${node}-${client}-${i}`));
      }),
    );
    const ended = Promise.allSettled(asked);
    while (told.length < 20) await pause(5);
    await primary.fail();
    await promote(standby);
    // Nobody waits for the server that is gone: their ledgers close once they gave up.
    const outcomes = await ended;
    for (const { reason } of outcomes) expect(reason.code).toBe("ledger.unreadable");
    await Promise.all(gateways.map((ledger) => ledger.close()));

    // The standby has no standby of its own.
    const required = openLedger(atStandby(directory, "&synchronous_replica=required"), { clock });
    expect(await refusal(required)).toEqual({ code: "ledger.server", setting: "synchronous_standby_names" });
    const next = atStandby(directory);
    const ledger = await openLedger(next, { clock, headFile: headFile() });
    expect(violations(await ledger.report(), told, 1000)).toEqual([]);
    // What was paid for and not answered is answered under the same charge.
    const again = [];
    for (const { requestId } of (await ledger.report()).charges) again.push(await pay(ledger, requestId));
    expect(violations(await ledger.report(), [...told, ...again], 1000)).toEqual([]);
    await ledger.close();
    expect((await verifyLedger(next, { headFile: headFile() })).charges).toBe(again.length);
  });

  it("tells nobody while a synchronous standby is gone, and charges once", async () => {
    await setSynchronous(primary, true);
    const directory = await newLedger("&synchronous_replica=required");
    const ledger = await openLedger(directory, { clock });
    await standby.fail();
    let told = null;
    const paying = pay(ledger, "q").then((answer) => {
      told = answer;
    });
    await pause(1000);
    expect(told).toBe(null);
    await standby.recover();
    await paying;
    await ledger.close();
    expect(await verifyLedger(directory)).toMatchObject({ charges: 1, records: 3 });
  });

  it("tells nothing that its synchronous standby has not heard, also when it is back from a failure", async () => {
    await setSynchronous(primary, true);
    const directory = await newLedger("&synchronous_replica=required");
    const before = await openLedger(directory, { clock });
    const { charge } = await before.reserve(requestFor("q", "1000"));
    await standby.fail();
    const settling = before.settle(charge, "answer").catch(({ code }) => code);
    await waitingForReplica(primary);
    await primary.fail();
    await primary.recover();
    // What was settled lies there now, and its standby has never seen it.
    let told = null;
    const opening = openLedger(directory, { clock }).then(async (ledger) => {
      told = await ledger.settled("q", charge.principal);
      return ledger;
    });
    await pause(1500);
    expect(told).toBe(null);
    await standby.recover();
    await (await opening).close();
    expect(told).toMatchObject({ release: "answer" });
    expect(["answer", "ledger.unreadable"]).toContain(await settling);
    await before.close();
  });

  it("returns into a file only once a synchronous standby has heard of the seal", async () => {
    await setSynchronous(primary, true);
    const directory = await newLedger("&synchronous_replica=required");
    // The standby fails before the seal, and the owner of the server ends the wait: the seal is there, and the standby does not know.
    let failed;
    const isGone = new Promise((resolve) => {
      failed = resolve;
    });
    const between = async (step) => {
      if (step === "copied") failed(await standby.fail());
    };
    for (const options of [{ between }, {}]) {
      const returning = returnLedger(directory, options).then(
        () => null,
        (error) => error,
      );
      // Whoever waits before that waits for a standby that is slow, and is not to be cut off.
      await Promise.race([isGone, returning]);
      await waitingForReplica(primary, "pg_cancel_backend(pid)");
      expect(await returning).toMatchObject({ code: "ledger.unreadable", message: /replica/ });
      expect(existsSync(join(directory, "ledger.url"))).toBe(true);
    }
    await standby.recover();
    await returnLedger(directory);
    await primary.fail();
    await promote(standby);
    const there = await openLedger(atStandby(directory), { clock });
    await expect(pay(there, "q")).rejects.toMatchObject({ code: "ledger.moved" });
    await there.close();
    const here = await openLedger(directory, { clock });
    await pay(here, "q");
    await here.close();
  });

  it("is refused where an asynchronous standby takes over that lacks the last records", async () => {
    const directory = await newLedger();
    const way = await relay(primary);
    const url = new URL(`${primary.urlOf("gateway")}?schema=lethe`);
    url.port = String(way.port);
    const running = await openLedger(directoryAt(url.href, directory), { clock, headFile: headFile() });
    await pay(running, "heard by both");
    await heard(primary);
    await standby.fail();
    await pay(running, "heard by the primary alone");
    await primary.fail();
    await standby.recover();
    await promote(standby);
    way.turnTo(standby);

    const next = atStandby(directory);
    const opening = openLedger(next, { clock, headFile: headFile() });
    expect(await refusal(opening)).toMatchObject({ code: "ledger.restored" });
    await expect(verifyLedger(next, { headFile: headFile() })).rejects.toMatchObject({
      code: "ledger.restored",
    });
    // A process that runs knows the record that is gone, though its address leads to the standby now.
    await expect(pay(running, "one more")).rejects.toMatchObject({ code: "ledger.restored" });
    await running.close();
    await way.close();
    // Nobody else could know: without a kept head it is opened, and holds by itself.
    expect(await verifyLedger(next)).toMatchObject({ charges: 1 });
  });
});

/** Waits until one session of the gateway waits for the standby, and does something to it: `pid` is its process. */
async function waitingForReplica(primary, doing = "pid") {
  const admin = new Client({ connectionString: primary.url });
  await admin.connect();
  for (;;) {
    const { rowCount } = await admin.query(
      `SELECT ${doing} FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND usename = 'gateway'`,
    );
    if (rowCount > 0) break;
    await pause(20);
  }
  await admin.end();
}

/** Waits until the standby has applied all that its primary wrote. */
async function heard(primary) {
  const admin = new Client({ connectionString: primary.url });
  await admin.connect();
  for (;;) {
    const { rows } = await admin.query(
      "SELECT replay_lsn >= pg_current_wal_lsn() AS holds FROM pg_stat_replication",
    );
    if (rows[0]?.holds) break;
    await pause(20);
  }
  await admin.end();
}

/** An address that leads to a server, and then to another. */
async function relay(first) {
  let target = first;
  const open = new Set();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target.url).port), "127.0.0.1");
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    turnTo(next) {
      target = next;
      for (const socket of open) socket.destroy();
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
