import { LetheError } from "@lethe/core";
import { createToken, RateLimits, requestKinds, tooMany } from "@lethe/serve";
import { afterEach, describe, expect, it } from "vitest";
import {
  bind,
  execute,
  fieldsOf,
  frame,
  int32,
  kindsOf,
  parse,
  query,
  type RawClient,
  rowOf,
  sync,
  text,
} from "./testing/raw-client.ts";
import { openWireHouse, type WireHouse } from "./testing/wire-house.ts";
import type { WireParts } from "./wire-parts.ts";

const sql = "SELECT COUNT(*) AS n FROM people";

let house: WireHouse | null = null;
afterEach(async () => {
  await house?.close();
  house = null;
});

/** A service whose answers are held until they are let go, and the number of those that wait. */
function held() {
  let letGo = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const asked: Promise<unknown>[] = [];
  const change = ({ service }: WireParts): Partial<WireParts> => ({
    service: {
      ...service,
      ask: async (who, question, waiting) => {
        const answer = service.ask(who, question);
        asked.push(answer);
        const signal = waiting?.signal;
        const stopped = new Promise<never>((_, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
        await Promise.race([gone, stopped]);
        return answer;
      },
    },
  });
  return { change, letGo, asked };
}

const cancelOf = (process: number, secret: number): Buffer =>
  Buffer.concat([int32(16), int32(80_877_102), int32(process), int32(secret)]);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("a wait that the client calls off", () => {
  it("goes on where another says so, who is told nothing", async () => {
    const { change, letGo, asked } = held();
    house = await openWireHouse({}, change);
    const client = house.raw();
    const told = await client.signIn(house.tokens.analyst);
    const key = told.find(({ kind }) => kind === "K")?.body ?? Buffer.alloc(8);
    client.send(query(sql));
    await until(() => asked.length === 1);
    for (const [process, secret] of [
      [key.readInt32BE(0), key.readInt32BE(4) ^ 1],
      [key.readInt32BE(0) ^ 1, key.readInt32BE(4)],
    ] as const) {
      const outsider = house.raw();
      outsider.send(cancelOf(process, secret));
      expect(await outsider.byte()).toBeNull();
    }
    letGo();
    expect(kindsOf(await client.until("Z"))).toMatch(/^N+TDCZ$/);
  });

  it("ends, and the answer is there for nothing", async () => {
    const { change, letGo, asked } = held();
    house = await openWireHouse({}, change);
    const client = house.raw();
    const told = await client.signIn(house.tokens.analyst);
    const key = told.find(({ kind }) => kind === "K")?.body ?? Buffer.alloc(8);
    client.send(query(sql));
    await until(() => asked.length === 1);
    const own = house.raw();
    own.send(cancelOf(key.readInt32BE(0), key.readInt32BE(4)));
    expect(await own.byte()).toBeNull();
    const [refused, ready] = await client.until("Z");
    expect(fieldsOf(refused)).toMatchObject({ S: "ERROR", C: "57014", R: "serve.canceled" });
    expect(ready?.kind).toBe("Z");
    letGo();
    await Promise.all(asked);
    const again = await client.ask(query(sql));
    expect(fieldsOf(again.find(({ kind }) => kind === "N")).M).toMatch(/^charged nothing/);
    expect((await house.ledger.report()).charges).toHaveLength(1);
  });

  it("is called off as well where the client goes, and what was charged is answered later", async () => {
    const { change, letGo, asked } = held();
    house = await openWireHouse({}, change);
    const client = await house.client();
    client.send(parse("", sql), bind("", ""), execute(""), sync);
    await until(() => asked.length === 1);
    client.close();
    letGo();
    await Promise.all(asked);
    const other = await house.client();
    const told = await other.ask(query(sql));
    expect(fieldsOf(told.find(({ kind }) => kind === "N")).M).toMatch(/^charged nothing/);
    expect((await house.ledger.report()).charges).toHaveLength(1);
  });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("a time that the client sets", () => {
  it("ends its wait for an answer as a cancel does, which is there for nothing", async () => {
    const { change, letGo, asked } = held();
    house = await openWireHouse({}, change);
    const client = await house.client("analyst", { options: "-c statement_timeout=20ms" });
    for (const messages of [[query(sql)], [parse("", sql), bind("", ""), execute(""), sync]]) {
      const told = await client.ask(...messages);
      const refused = fieldsOf(told.find(({ kind }) => kind === "E"));
      expect(refused).toMatchObject({ S: "ERROR", C: "57014", R: "serve.canceled" });
      expect(refused.M).toContain("statement_timeout");
    }
    expect(asked).toHaveLength(2);
    letGo();
    await Promise.all(asked);
    const again = await client.ask(query(`SET statement_timeout = '1h'; ${sql}`));
    expect(fieldsOf(again.find(({ kind }) => kind === "N")).M).toMatch(/^charged nothing/);
    expect((await house.ledger.report()).charges).toHaveLength(1);
  });

  it("holds for its block, or its message, where it is LOCAL", async () => {
    house = await openWireHouse();
    const client = await house.client();
    const shown = async (text: string): Promise<readonly string[]> =>
      (await client.ask(query(text))).filter(({ kind }) => kind === "D").map((row) => String(rowOf(row)[0]));
    const show = "SHOW statement_timeout";
    expect(await shown(`SET statement_timeout = 5000; ${show}`)).toEqual(["5s"]);
    expect(await shown(`SET LOCAL statement_timeout = '2min'; ${show}`)).toEqual(["2min"]);
    expect(await shown(show)).toEqual(["5s"]);
    expect(await shown(`BEGIN; SET LOCAL statement_timeout = 0; ${show}`)).toEqual(["0"]);
    expect(await shown(show)).toEqual(["0"]);
    expect(await shown(`COMMIT; ${show}`)).toEqual(["5s"]);
    expect(await shown(`BEGIN; SET LOCAL statement_timeout = 0; SET statement_timeout = 7; ${show}`)).toEqual(
      ["7ms"],
    );
    expect(await shown(`ROLLBACK; ${show}`)).toEqual(["7ms"]);
    expect(await shown(`SET LOCAL statement_timeout = 9; RESET ALL; ${show}`)).toEqual(["0"]);
    const [refused] = await client.ask(query("SET statement_timeout = 'soon'"));
    expect(fieldsOf(refused)).toMatchObject({ C: "22023", M: expect.stringContaining("a time from 0") });
  });

  it("ends a connection that is idle within a block, and none that is outside of one or amid its messages", async () => {
    house = await openWireHouse();
    const client = await house.client();
    await client.ask(query("SET idle_in_transaction_session_timeout = 40; SET lock_timeout = '3s'"));
    await pause(80);
    expect(kindsOf(await client.ask(query("BEGIN; SELECT 1")))).toBe("CTDCZ");
    client.send(parse("", "SELECT 1"));
    await client.until("1");
    await pause(80);
    expect(kindsOf(await client.ask(bind("", ""), execute(""), sync))).toBe("2DCZ");
    expect(fieldsOf((await client.next()) ?? undefined)).toMatchObject({ S: "FATAL", C: "25P03" });
    expect(await client.next()).toBeNull();
  });

  it("ends a connection that is idle outside of a block", async () => {
    house = await openWireHouse();
    const client = await house.client();
    await client.ask(query("SET idle_session_timeout = 20"));
    expect(fieldsOf((await client.next()) ?? undefined)).toMatchObject({ S: "FATAL", C: "57P05" });
    expect(await client.next()).toBeNull();
  });
});

describe("limits", () => {
  it("are the rates of HTTP, for each kind of request", async () => {
    house = await openWireHouse({ burst: 3 });
    const client = await house.client();
    const codes = [];
    for (let turn = 0; turn < 5; turn += 1)
      codes.push(fieldsOf((await client.ask(query(sql))).find(({ kind }) => kind === "E")).R ?? "ok");
    expect(codes).toEqual(["ok", "ok", "ok", "serve.too-many", "serve.too-many"]);
    expect((await house.ledger.report()).charges).toHaveLength(1);
  });

  it("hold for what is refused before it is asked, and for what a failed block passes over", async () => {
    for (const [first, refused] of [
      [query("SELECT 1"), query("SELECT oid FROM pg_class")],
      [query("BEGIN; SELECT x FROM pg_class"), query(sql)],
      [query("SELECT 1"), Buffer.concat([parse("", "FETCH -1 FROM c"), sync])],
    ] as const) {
      house = await openWireHouse({ burst: 5 });
      const client = await house.client();
      await client.ask(first);
      const codes: (string | undefined)[] = [];
      for (let turn = 0; turn < 5; turn += 1)
        codes.push(fieldsOf((await client.ask(refused)).find(({ kind }) => kind === "E")).R);
      expect(codes.at(-1)).toBe("serve.too-many");
      expect(codes[0]).not.toBe("serve.too-many");
      await house.close();
    }
    house = null;
  });

  /** Opens a service whose reads have the usual rate, by a clock of the test. */
  async function openRated(now: () => number): Promise<WireHouse> {
    const unlimited = { burst: 1e6, perSecond: 1e6 };
    const usual = { person: { burst: 240, perSecond: 40 }, address: { burst: 960, perSecond: 160 } };
    const rates = Object.fromEntries(
      requestKinds.map((kind) => [kind, kind === "read" ? usual : { person: unlimited, address: unlimited }]),
    ) as ConstructorParameters<typeof RateLimits>[0];
    const limits = new RateLimits(rates, 100);
    return openWireHouse({}, ({ admission }) => ({
      admission: {
        ...admission,
        admit: async (kind, who, address, cost = 1) => {
          const waitMs = limits.waitMs({ kind, person: who?.name ?? null, address, at: now(), cost });
          if (waitMs > 0) throw tooMany(waitMs);
        },
        spend: async (kind, who, address, cost) =>
          limits.spend({ kind, person: who?.name ?? null, address, at: now(), cost }),
      },
    }));
  }

  /** How many times a client is answered before the rate refuses it. */
  async function answeredOf(client: RawClient, ...messages: readonly Buffer[]): Promise<number> {
    for (let count = 0; count < 300; count += 1) {
      const told = await client.ask(...messages);
      if (told.some((each) => fieldsOf(each).R === "serve.too-many")) return count;
      if (told.at(-1)?.kind !== "Z") throw new Error("the connection has ended");
    }
    return Number.POSITIVE_INFINITY;
  }

  it("hold for the words of a text before they are told apart, by its length and a clock of requests", async () => {
    let at = 0;
    house = await openRated(() => at);
    const long = `SELECT ${"1,".repeat(29_000)}1`;
    const client = await house.client();
    // A burst of 240 reads is 480,000 characters.
    expect(await answeredOf(client, parse("", long), sync)).toBe(8);
    expect(await answeredOf(client, query(long))).toBe(0);
    at += 1_000;
    // A second gives 80,000, also by another connection of the same person.
    expect(await answeredOf(client, parse("", long), sync)).toBe(1);
    const second = await house.client();
    const [refused] = await second.ask(query(long));
    expect(fieldsOf(refused)).toMatchObject({ S: "ERROR", C: "53400", R: "serve.too-many" });
    expect(kindsOf(await second.ask(query("SELECT 1")))).toBe("TDCZ");
  });

  it("hold for what the catalog is asked, by the steps that it takes, also where it takes too many", async () => {
    let at = 0;
    house = await openRated(() => at);
    const costly = "SELECT count(*) FROM generate_series(1, 20000)";
    const endless = "SELECT count(*) FROM pg_attribute a, pg_attribute b";
    const ada = await house.client();
    const bob = await house.client("bob");
    // Each row takes three steps: 60,000 count as six reads beside that of the statement, of 240 at once.
    expect(await answeredOf(ada, query(costly))).toBe(35);
    expect(await answeredOf(bob, query("SELECT relname FROM pg_class LIMIT 1"))).toBeGreaterThan(100);
    at += 60_000;
    // It takes all 600,000 steps that it may: 60 reads and one.
    expect(await answeredOf(ada, query(endless))).toBe(4);
  });

  it("refuse one statement where what it cost could not be drawn, and not the connection's others", async () => {
    let fails = false;
    house = await openWireHouse({}, ({ admission }) => ({
      admission: {
        ...admission,
        spend: async () => {
          if (fails)
            throw new LetheError("people.unreadable", "the rates cannot be reached", { fix: "again" });
        },
      },
    }));
    const client = await house.client();
    const asked = query("SELECT relname FROM pg_class LIMIT 1");
    expect(kindsOf(await client.ask(asked))).toBe("TDCZ");
    fails = true;
    expect(kindsOf(await client.ask(asked))).toBe("TDCZ");
    fails = false;
    expect(fieldsOf((await client.ask(asked))[0])).toMatchObject({ S: "ERROR", R: "people.unreadable" });
    expect(kindsOf(await client.ask(asked))).toBe("TDCZ");
  });

  it("tell nothing to who calls off, whose calls have a rate too", async () => {
    house = await openWireHouse({ burst: 3 });
    for (let turn = 0; turn < 6; turn += 1) {
      const outsider = house.raw();
      outsider.send(cancelOf(1, 2));
      expect(await outsider.byte()).toBeNull();
    }
  });

  it("are a token's too: the most that one question may cost by it", async () => {
    house = await openWireHouse();
    const maxEpsilon = { num: 1n, den: 10n };
    const wish = { name: "t", roles: ["analyst"], maxEpsilon, expiresAt: Date.now() + 60_000 } as const;
    const client = house.raw();
    await client.signIn((await createToken(house.people, "ada", wish, null)).text);
    const [refused] = await client.ask(query(sql));
    expect(fieldsOf(refused)).toMatchObject({ C: "53400", R: "serve.cap" });
    expect((await house.ledger.report()).charges).toHaveLength(0);
  });

  it("end what is idle, tell why, and end what is stopped", async () => {
    house = await openWireHouse({}, () => ({ rules: { idleMs: 50, absoluteMs: 60_000 } }));
    const client = await house.client();
    expect(fieldsOf((await client.next()) ?? undefined)).toMatchObject({ S: "FATAL", C: "57P05" });
    expect(await client.next()).toBeNull();
  });

  it("let a question in flight be answered where the service stops", async () => {
    const { change, letGo, asked } = held();
    house = await openWireHouse({}, change);
    const [busy, idle] = [await house.client(), await house.client()];
    busy.send(query(sql));
    await until(() => asked.length === 1);
    const closing = house.stop();
    expect(fieldsOf((await idle.next()) ?? undefined)).toMatchObject({ S: "FATAL", C: "57P01" });
    letGo();
    await closing;
    expect(kindsOf(await busy.until("E"))).toMatch(/^N+TDCZE$/);
    expect(await busy.next()).toBeNull();
  });

  it("close a connection for a message that is too long, and for a length that none has", async () => {
    house = await openWireHouse({ mostBytes: 10_000 });
    for (const [bytes, code] of [
      [query(`SELECT '${"x".repeat(20_000)}'`), "54000"],
      [Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]), "54000"],
      [Buffer.from([0x51, 0xff, 0xff, 0xff, 0xff]), "08P01"],
      [Buffer.from([0x7f, 0, 0, 0, 4]), "08P01"],
      [frame("Q", text("SELECT 1"), text("more")), "08P01"],
    ] as const) {
      const client = await house.client();
      client.send(bytes);
      expect(fieldsOf((await client.next()) ?? undefined)).toMatchObject({ S: "FATAL", C: code });
      expect(await client.next()).toBeNull();
    }
    expect(kindsOf(await (await house.client()).ask(query("SELECT 1")))).toBe("TDCZ");
  });
});
