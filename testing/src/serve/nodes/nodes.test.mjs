import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, startPostgres } from "../../postgres/start-postgres.ts";
import { send, startService } from "../service-process.mjs";
import { runLethe } from "../workspace.mjs";
import { newDatabase } from "./new-database.mjs";
import { stored } from "./start-cluster.mjs";
import { asks, makeNodes } from "./start-nodes.mjs";

/*
 * Real processes of one service over one PostgreSQL. They need the built program (npm run build).
 */

const hold = fileURLToPath(new URL("./held-before-settling.mjs", import.meta.url));
const count = (at) => `SELECT COUNT(*) AS n FROM people WHERE wage > ${at}`;

describe.skipIf(!hasPostgres())("several processes of one service", () => {
  let server;
  let house = null;
  beforeAll(async () => {
    server = await startPostgres({ fsync: "on", max_connections: "200" });
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await house?.close();
    house = null;
  });

  const chargesOf = async (principal = null) => {
    const { openLedger } = await import(
      new URL("../../../../packages/ledger/dist/index.mjs", import.meta.url).href
    );
    const ledger = await openLedger(join(house.folder, ".lethe", "ledger"), { clock: Date.now });
    const { charges } = await ledger.report();
    await ledger.close();
    return charges.filter((charge) => principal === null || charge.principal === principal);
  };
  const states = async () => (await chargesOf("ann")).map(({ state }) => state);

  /** Starts a process that is asked a question and holds before it settles it: { node, asked, goOn() }, once it is charged. */
  const heldBeforeSettling = async (sql, options = {}) => {
    const file = join(house.folder, "hold");
    const node = await house.start({ node: ["--import", hold], env: { LETHE_TEST_HOLD: file } });
    writeFileSync(file, "");
    const asked = asks(node.port, house.tokens.ann, sql, options).catch(() => "no answer");
    await expect.poll(states, { timeout: 30_000 }).toEqual(["reserved"]);
    // Long enough to settle, were it not held.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await states()).toEqual(["reserved"]);
    return { node, asked, goOn: () => rmSync(file) };
  };

  test("a repeat elsewhere is free and the same bytes; who signs out, or loses a token, is out everywhere", async () => {
    house = await makeNodes(server);
    const nodes = [await house.start(), await house.start()];
    const [one, two] = nodes;
    const { ann } = house.tokens;
    const first = await asks(one.port, ann, count(3));
    expect(first.status).toBe(200);
    const again = await asks(two.port, ann, count(3));
    expect(again.told.answer.rows).toEqual(first.told.answer.rows);
    expect(again.told.answer.requestId).toBe(first.told.answer.requestId);
    const keyed = await asks(two.port, ann, count(4), { key: "k" });
    expect((await asks(one.port, ann, count(4), { key: "k" })).told.answer).toEqual(keyed.told.answer);
    // Asked of both at once: one charge.
    const [left, right] = await Promise.all([asks(one.port, ann, count(5)), asks(two.port, ann, count(5))]);
    expect(left.told.answer.rows).toEqual(right.told.answer.rows);
    expect(await chargesOf("ann")).toHaveLength(3);

    const password = randomBytes(24).toString("hex");
    runLethe(house.folder, ["people", "password", "ann"], `${password}\n`);
    const proxy = await house.behind(nodes);
    const here = { origin: one.url, host: new URL(one.url).host };
    const signIn = await send({
      port: one.port,
      method: "POST",
      path: "/v1/session",
      headers: here,
      body: JSON.stringify({ name: "ann", password }),
    });
    expect(signIn.status).toBe(204);
    const [cookie] = signIn.headers["set-cookie"][0].split(";");
    const me = (port, headers) => send({ port, method: "GET", path: "/v1/me", headers });
    for (const { port } of [...nodes, proxy, proxy]) expect((await me(port, { cookie })).status).toBe(200);
    const out = await send({
      port: one.port,
      method: "DELETE",
      path: "/v1/session",
      headers: { cookie, ...here },
    });
    expect(out.status).toBe(204);
    for (const { port } of [...nodes, proxy, proxy]) expect((await me(port, { cookie })).status).toBe(401);
    await proxy.close();

    runLethe(house.folder, ["people", "disable", "ann"]);
    for (const { port } of nodes) expect((await asks(port, ann, count(3))).status).toBe(401);
  });

  test("rates hold in sum", async () => {
    house = await makeNodes(server);
    const rate = "{ burst: 12, per_second: 0.001 }";
    const limits = `limits:\n  read: { person: ${rate} }\n`;
    const nodes = [];
    for (let node = 0; node < 3; node += 1) nodes.push(await house.start({ limits }));
    const proxy = await house.behind(nodes);
    const tables = () =>
      send({ port: proxy.port, method: "GET", path: "/v1/tables", token: house.tokens.ann });
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await tables()).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    expect(statuses.filter((status) => status === 429)).toHaveLength(28);
    await proxy.close();
  });

  test.each(["a file", "PostgreSQL"])(
    "with the ledger in %s, a process that dies between charge and answer is resumed by another under the same charge",
    async (ledger) => {
      house = await makeNodes(server, { ledger });
      const next = await house.start();
      const { node, asked } = await heldBeforeSettling(count(7));
      await node.kill();
      expect(await asked).toBe("no answer");
      const answered = await asks(next.port, house.tokens.ann, count(7));
      expect(answered.status).toBe(200);
      expect(await states()).toEqual(["settled"]);
      expect((await chargesOf("ann"))[0].requestId).toBe(answered.told.answer.requestId);
    },
  );

  test("over a ledger in PostgreSQL, a service whose own database is another is refused, on whichever machine", async () => {
    house = await makeNodes(server, { ledger: "PostgreSQL" });
    await house.start();
    const elsewhere = mkdtempSync(join(tmpdir(), "lethe-elsewhere-"));
    try {
      cpSync(house.folder, elsewhere, { recursive: true });
      const start = (url) => startService(elsewhere, { more: stored, env: { LETHE_SERVICE_URL: url } });
      await expect(start(await newDatabase(server))).rejects.toThrow(/ledger\.served/);
      const node = await start(house.env.LETHE_SERVICE_URL);
      const answered = await asks(node.port, house.tokens.ann, count(6));
      expect(answered.status).toBe(200);
      await node.stop();
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  test("a process that stalls, and wakes up when another took over, gives the bytes that were committed", async () => {
    house = await makeNodes(server);
    const next = await house.start();
    const { node, asked, goOn } = await heldBeforeSettling(count(8), { key: "k" });
    process.kill(node.pid, "SIGSTOP");
    const answered = await asks(next.port, house.tokens.ann, count(8), { key: "k" });
    expect(answered.status).toBe(200);
    goOn();
    process.kill(node.pid, "SIGCONT");
    const woken = await asked;
    expect(woken.status).toBe(200);
    expect(woken.told.answer).toEqual(answered.told.answer);
    expect(await states()).toEqual(["settled"]);
  });

  test("what a process had settled when it died is found again once its lease is over, and charged once", async () => {
    house = await makeNodes(server);
    const next = await house.start();
    const { node, asked, goOn } = await heldBeforeSettling(count(10));
    // It settles, and cannot say that it is done: another has locked the row by which the processes know of its request.
    const other = new pg.Client({ connectionString: house.env.LETHE_SERVICE_URL });
    await other.connect();
    await other.query("BEGIN");
    expect((await other.query("SELECT FROM lethe_service.journeys FOR UPDATE")).rowCount).toBe(1);
    goOn();
    await expect.poll(states, { timeout: 30_000 }).toEqual(["settled"]);
    await node.kill();
    await asked;
    // Nor does its session go on without it.
    await other.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    await other.query("ROLLBACK");
    await other.end();
    const [{ requestId }] = await chargesOf("ann");
    const path = `/v1/releases/${encodeURIComponent(requestId)}`;
    const told = [];
    const read = async () => {
      const { status, text } = await send({ port: next.port, method: "GET", path, token: house.tokens.ann });
      told.push(status);
      return status === 200 ? JSON.parse(text).answer.requestId : null;
    };
    await expect.poll(read, { timeout: 60_000, interval: 200 }).toBe(requestId);
    // Before that, it may be alive and hold the answer back for its slot.
    expect(told[0]).toBe(404);
    expect(await states()).toEqual(["settled"]);
  });

  test("an answer that is settled before its slot is told by no process before it, whoever died", async () => {
    house = await makeNodes(server, { policy: (text) => `${text}\nrelease_schedule: 4s\n` });
    const dying = await house.start();
    const next = await house.start();
    const began = performance.now();
    const lost = asks(dying.port, house.tokens.ann, count(9), { key: "k" }).catch(() => "no answer");
    await expect.poll(states, { timeout: 30_000, interval: 20 }).toEqual(["settled"]);
    await dying.kill();
    await lost;
    const [{ requestId }] = await chargesOf("ann");
    const release = await send({
      port: next.port,
      method: "GET",
      path: `/v1/releases/${encodeURIComponent(requestId)}`,
      token: house.tokens.ann,
    });
    if (performance.now() - began < 3_900) expect(release.status).toBe(404);
    const answered = await asks(next.port, house.tokens.ann, count(9), { key: "k" });
    expect(answered.status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(3_900);
    expect(await chargesOf("ann")).toHaveLength(1);
  });

  test("a policy that is put in place at one process is served by all, and none answers under the one before", async () => {
    house = await makeNodes(server);
    const [one, two] = [await house.start(), await house.start()];
    const { owner, ann } = house.tokens;
    const change = (method, path, body) =>
      send({ port: one.port, method, path, token: owner, body: JSON.stringify(body) });
    const path = join(house.folder, "lethe.yaml");
    const text = `${readFileSync(path, "utf8")}\nleast_epsilon: 0.5\n`;
    const check = JSON.parse((await change("POST", "/v1/policy/check", { text })).text);
    expect(check.refused).toBeNull();
    const accepted = await change("PUT", "/v1/policy", {
      text,
      agreed: check.budget,
      reason: "a least price",
    });
    expect(accepted.status, accepted.text).toBe(202);
    for (const { port } of [two, one]) {
      const asked = async () => {
        const answer = await asks(port, ann, count(11), { epsilon: "1/4" }).catch(() => null);
        // While it starts again nothing is answered; under the policy before it would have been.
        expect(answer?.status).not.toBe(200);
        return answer?.told.code;
      };
      await expect.poll(asked, { timeout: 180_000 }).toMatch(/^(?!serve\.busy)\w/);
    }
    expect(existsSync(path) && readFileSync(path, "utf8")).toBe(text);
    expect((await asks(two.port, ann, count(11), { epsilon: "1/2" })).status).toBe(200);
  });
});
