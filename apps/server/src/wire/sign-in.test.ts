import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { parseRational } from "@lethe/core";
import { changePerson, createToken, endSessions, type Person, revokeToken, tokenUser } from "@lethe/serve";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgresBinaries } from "../../../../testing/src/postgres/start-postgres.ts";
import { password } from "../testing/app-house.ts";
import {
  hasOpenssl,
  type LoopbackCertificate,
  makeLoopbackCertificate,
} from "./testing/loopback-certificate.ts";
import {
  bind,
  execute,
  fieldsOf,
  frame,
  int32,
  kindsOf,
  parse,
  query,
  RawClient,
  startup,
  sync,
  text,
} from "./testing/raw-client.ts";
import { openWireHouse, type WireHouse } from "./testing/wire-house.ts";

const tlsRequest = Buffer.concat([int32(8), int32(80_877_103)]);
const gssRequest = Buffer.concat([int32(8), int32(80_877_104)]);
const hasPsql = spawnSync("psql", ["--version"]).status === 0;

/** The libpq of PostgreSQL 18 and what it needs, by the names under which a program asks for them; null where it is not here. */
const libpq18 = ((): readonly (readonly [string, string])[] | null => {
  const native = postgresBinaries();
  if (native === null) return null;
  const named = {
    "libpq.so.5": "libpq.so.5.18",
    "libssl.so.1.1": "libssl.so.1.1",
    "libcrypto.so.1.1": "libcrypto.so.1.1",
  };
  const files = Object.entries(named).map(([name, file]) => [name, join(native, "lib", file)] as const);
  return files.every(([, file]) => existsSync(file)) ? files : null;
})();

/** How a client signs in with a token that it keeps to itself. */
const byToken = (token: string): { user: string; password: string } => ({
  user: token.slice(0, 22),
  password: token,
});

/** Connects, asks one thing, and gives its rows or the refusal's SQLSTATE. */
async function asked(config: pg.ClientConfig, sql = "SELECT current_user"): Promise<string> {
  const client = new pg.Client({ host: "127.0.0.1", database: "x", ...config });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(sql);
    return JSON.stringify(rows);
  } catch (error) {
    return (error as pg.DatabaseError).code ?? String(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** All that a client is told that has no password: but for the nonce and the salt. */
async function toldWithoutProof(house: WireHouse, user: string): Promise<string> {
  const client = house.raw();
  client.send(startup({ user }));
  const offered = await client.next();
  const first = Buffer.from("n,,n=,r=abc");
  client.send(frame("p", text("SCRAM-SHA-256"), int32(first.length), first));
  const challenge = await client.next();
  client.send(
    frame(
      "p",
      Buffer.from(
        `c=biws,r=${/^r=([^,]+)/.exec(challenge?.body.toString("utf8", 4) ?? "")?.[1]},p=${"A".repeat(43)}=`,
      ),
    ),
  );
  const refused = fieldsOf((await client.next()) ?? undefined);
  const shape = challenge?.body.toString("utf8", 4).replace(/r=[^,]+,s=[^,]+/, "r,s");
  return JSON.stringify([offered?.body.toString(), shape, refused]);
}

describe("a sign-in on loopback", () => {
  let house: WireHouse;
  beforeAll(async () => {
    house = await openWireHouse();
  });
  afterAll(() => house?.close());

  it("is by the password or by a token, neither of which is sent, or by a token in clear as the user token", async () => {
    const { port, tokens } = house;
    expect(await asked({ port, user: "ada", password })).toBe('[{"current_user":"ada"}]');
    expect(await asked({ port, ...byToken(tokens.bob) })).toBe('[{"current_user":"bob"}]');
    expect(await asked({ port, user: "token", password: tokens.bob })).toBe('[{"current_user":"bob"}]');
    // A token is no password of its person.
    expect(await asked({ port, user: "ada", password: tokens.analyst })).toBe("28P01");
    expect(await asked({ port, user: "token", password: "lethe_0000000000000000_x" })).toBe("28000");
    expect(await asked({ port, user: "token", password: "no\ttoken" })).toBe("28000");
  });

  it("meets the same steps and the same words for a name that nobody has", async () => {
    const tell = (user: string): Promise<string> => toldWithoutProof(house, user);
    const [somebody, nobody] = [await tell("ada"), await tell("zoe")];
    expect(nobody).toBe(somebody);
    expect(somebody).toContain("28P01");
    const salts = async (user: string): Promise<string | undefined> => {
      const client = house.raw();
      client.send(startup({ user }));
      await client.next();
      const first = Buffer.from("n,,n=,r=abc");
      client.send(frame("p", text("SCRAM-SHA-256"), int32(first.length), first));
      return /s=([^,]+)/.exec((await client.next())?.body.toString() ?? "")?.[1];
    };
    expect(await salts("Zoe")).toBe(await salts("zoe"));
    expect(await salts("zoe")).not.toBe(await salts("yan"));
  });

  it("ends amid an answer that is read in parts", async () => {
    const wish = { name: "p", roles: ["analyst"], maxEpsilon: null, expiresAt: Date.now() + 60_000 } as const;
    const { id, text: token } = await createToken(house.people, "bob", wish, null);
    const client = house.raw();
    await client.signIn(token);
    await client.ask(query("BEGIN"));
    const question = "SELECT town, COUNT(*) AS n FROM people GROUP BY town";
    const first = await client.ask(parse("", question), bind("p", ""), execute("p", 1), sync);
    expect(kindsOf(first)).toMatch(/^12N+DsZ$/);
    expect(kindsOf(await client.ask(execute("p", 1), sync))).toBe("DsZ");
    await revokeToken(house.people, "bob", id);
    const [refused] = await client.ask(execute("p", 1), sync);
    expect(fieldsOf(refused)).toMatchObject({ S: "FATAL", C: "28000", R: "serve.signed-out" });
    expect(await client.next()).toBeNull();
  });

  it("ends with the person's rights: disabled, signed out everywhere, or a token revoked", async () => {
    const wish = { name: "t", roles: ["analyst"], maxEpsilon: null, expiresAt: Date.now() + 60_000 } as const;
    const { id, text: token } = await createToken(house.people, "bob", wish, null);
    const byToken = house.raw();
    await byToken.signIn(token);
    expect(kindsOf(await byToken.ask(query("SELECT 1")))).toBe("TDCZ");
    await revokeToken(house.people, "bob", id);
    const told = await byToken.ask(query("SELECT 1"));
    expect(fieldsOf(told[0])).toMatchObject({ S: "FATAL", C: "28000", R: "serve.signed-out" });
    expect(await byToken.next()).toBeNull();

    const byPassword = new pg.Client({ host: "127.0.0.1", port: house.port, user: "bob", password });
    byPassword.on("error", () => undefined);
    await byPassword.connect();
    await byPassword.query("SELECT 1");
    await endSessions(house.people, "bob");
    await expect(byPassword.query("SELECT 1")).rejects.toMatchObject({ code: "28000" });

    await changePerson(house.people, "bob", { disabled: true });
    expect(await asked({ port: house.port, user: "bob", password })).toBe("28P01");
    await changePerson(house.people, "bob", { disabled: false });
  });

  it("is not needed to learn that there is no TLS and no GSS", async () => {
    const client = house.raw();
    client.send(gssRequest);
    expect(await client.byte()).toBe("N");
    client.send(tlsRequest);
    expect(await client.byte()).toBe("N");
    expect(kindsOf(await client.signIn(house.tokens.analyst))).toMatch(/^RS+KZ$/);
  });

  it("tells of a newer protocol what it is spoken to by", async () => {
    const client = house.raw();
    client.send(startup({ user: "token", "_pq_.x": "1" }, (3 << 16) + 2));
    const [negotiated] = [await client.next()];
    expect(negotiated?.kind).toBe("v");
    expect(negotiated?.body.toString("latin1", 8)).toBe("_pq_.x\0");
  });

  it.each([
    ["HTTP", Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")],
    ["a negative length", int32(-8)],
    ["version 2", startup({ user: "ada" }, 2 << 16)],
    ["no user", startup({ database: "x" })],
    ["replication", startup({ user: "ada", replication: "database" })],
    ["a request for TLS with bytes behind it", Buffer.concat([tlsRequest, startup({ user: "token" })])],
    ["a request for GSS with bytes behind it", Buffer.concat([gssRequest, startup({ user: "token" })])],
    ["two requests for GSS", gssRequest],
  ])("is closed for %s", async (what, bytes) => {
    const client = house.raw();
    client.send(bytes);
    if (what === "two requests for GSS") {
      await client.byte();
      client.send(bytes);
    }
    const told = await client.until("E");
    expect(fieldsOf(told.at(-1)).S).toBe("FATAL");
    expect(await client.next()).toBeNull();
  });

  it.each([
    ["an unknown mechanism", frame("p", text("SCRAM-SHA-1"), int32(0))],
    ["a length beyond its message", frame("p", text("SCRAM-SHA-256"), int32(99))],
    ["another message", query("SELECT 1")],
    [
      "a channel that is not bound",
      frame("p", text("SCRAM-SHA-256-PLUS"), int32(11), Buffer.from("n,,n=,r=abc")),
    ],
  ])("is closed for %s in its steps", async (_, bytes) => {
    const client = house.raw();
    client.send(startup({ user: "ada" }));
    await client.next();
    client.send(bytes);
    expect(fieldsOf((await client.next()) ?? undefined)).toMatchObject({ S: "FATAL", C: "08P01" });
    expect(await client.next()).toBeNull();
  });

  it("waits after failures, as over HTTP, and they are written down once a name", async () => {
    const codes = [];
    for (let turn = 0; turn < 6; turn += 1)
      codes.push(await asked({ port: house.port, user: "eve", password: "wrong" }));
    expect(codes.at(-1)).toBe("53400");
    expect(codes[0]).toBe("28P01");
    const entries = await house.audit.page(null, 500);
    expect(entries.map(({ fact }) => fact)).toContainEqual({
      kind: "sign-in-refused",
      person: "eve",
      code: "serve.sign-in",
    });
  });
});

describe("a sign-in by a token", () => {
  let house: WireHouse;
  beforeEach(async () => {
    house = await openWireHouse();
  });
  afterEach(() => house?.close());

  it("meets the same steps and the same words for one that nobody has", async () => {
    const { port, tokens } = house;
    const held = await toldWithoutProof(house, byToken(tokens.bob).user);
    const unheld = await toldWithoutProof(house, tokenUser("0".repeat(16)));
    expect(unheld).toBe(held);
    expect(held).toContain("i=4096");
    expect(held).toContain("serve.signed-out");
    expect(await asked({ port, ...byToken(tokens.bob), password: tokens.analyst })).toBe("28000");
    expect(await asked({ port, ...byToken(tokens.bob), password })).toBe("28000");
  });

  it("has its roles, its cap on a question and its end", async () => {
    let at = Date.now();
    const house = await openWireHouse({}, () => ({ now: () => at }));
    const wish = {
      name: "capped",
      roles: ["analyst"],
      maxEpsilon: parseRational("0.01"),
      expiresAt: at + 60_000,
    } as const;
    const { text: token } = await createToken(house.people, "bob", wish, null);
    const client = new pg.Client({ host: "127.0.0.1", port: house.port, ...byToken(token) });
    client.on("error", () => undefined);
    await client.connect();
    const asking = client.query("SELECT COUNT(*) AS n FROM people");
    await expect(asking).rejects.toMatchObject({ code: "53400", routine: "serve.cap" });
    at += 60_000;
    await expect(client.query("SELECT 1")).rejects.toMatchObject({ code: "28000" });
    const facts = (await house.audit.page(null, 500)).map(({ fact }) => fact);
    expect(facts).not.toContainEqual(expect.objectContaining({ kind: "signed-in" }));
    await house.close();
  });

  it("ends once it is revoked", async () => {
    const wish = { name: "r", roles: ["analyst"], maxEpsilon: null, expiresAt: Date.now() + 60_000 } as const;
    const { id, text: token } = await createToken(house.people, "bob", wish, null);
    const client = new pg.Client({ host: "127.0.0.1", port: house.port, ...byToken(token) });
    client.on("error", () => undefined);
    await client.connect();
    await client.query("SELECT 1");
    await revokeToken(house.people, "bob", id);
    await expect(client.query("SELECT 1")).rejects.toMatchObject({ code: "28000" });
    expect(await asked({ port: house.port, ...byToken(token) })).toBe("28000");
  });

  it("is in clear for one that was made before they had verifiers", async () => {
    const wish = { name: "o", roles: ["analyst"], maxEpsilon: null, expiresAt: Date.now() + 60_000 } as const;
    const { text: token } = await createToken(house.people, "bob", wish, null);
    const { store } = house.people;
    const bob = (await store.byName("bob")) as Person;
    const tokens = bob.tokens.map((each) => ({ ...each, verifier: null }));
    await store.put({ ...bob, tokens }, await store.revision(), []);
    expect(await asked({ port: house.port, ...byToken(token) })).toBe("28000");
    expect(await asked({ port: house.port, user: "token", password: token })).toContain("bob");
    await store.put(bob, await store.revision(), []);
  });
});

describe("a service that takes no passwords", () => {
  it("tells that at the end, as of a wrong one", async () => {
    const house = await openWireHouse({ passwords: false });
    expect(await asked({ port: house.port, user: "ada", password })).toBe("28P01");
    expect(await asked({ port: house.port, user: "token", password: house.tokens.analyst })).toContain("ada");
    expect(await asked({ port: house.port, ...byToken(house.tokens.bob) })).toContain("bob");
    await house.close();
  });
});

describe.skipIf(!hasOpenssl)("a sign-in over TLS", () => {
  let house: WireHouse;
  let made: LoopbackCertificate;
  let ca = "";
  beforeAll(async () => {
    made = makeLoopbackCertificate();
    ca = made.certificate;
    house = await openWireHouse({ tls: made });
  });
  afterAll(async () => {
    await house?.close();
    made?.remove();
  });

  it("binds the channel where the client can, and is refused without TLS", async () => {
    const { port, tokens } = house;
    const ssl = { ca, servername: "localhost" };
    expect(await asked({ port, user: "ada", password, ssl })).toBe('[{"current_user":"ada"}]');
    const bound = { port, user: "ada", password, ssl, enableChannelBinding: true };
    expect(await asked(bound as pg.ClientConfig)).toBe('[{"current_user":"ada"}]');
    expect(await asked({ port, user: "token", password: tokens.analyst, ssl })).toContain("ada");
    const proved = { port, ...byToken(tokens.bob), ssl };
    expect(await asked(proved)).toContain("bob");
    expect(await asked({ ...proved, enableChannelBinding: true } as pg.ClientConfig)).toContain("bob");
    expect(await asked({ ...proved, ssl: false })).toBe("08P01");
    expect(await asked({ port, user: "ada", password })).toBe("08P01");
    expect(await asked({ port, user: "token", password: tokens.analyst })).toBe("08P01");
  });

  it("is closed where bytes came before TLS was answered", async () => {
    const client = house.raw();
    client.send(tlsRequest, startup({ user: "token" }));
    expect(fieldsOf((await client.next()) ?? undefined)).toMatchObject({ C: "08P01" });
    expect(await client.next()).toBeNull();
    const noise = house.raw();
    noise.send(tlsRequest);
    expect(await noise.byte()).toBe("S");
    noise.send(startup({ user: "token" }));
    expect(await noise.until("Z")).not.toContainEqual(expect.objectContaining({ kind: "R" }));
  });

  describe("from the first byte", () => {
    /** Connects by TLS at once, and gives the client; null where the service ends it. */
    const direct = (protocols: readonly string[]): Promise<RawClient | null> =>
      new Promise((resolve) => {
        const named = protocols.length > 0 ? { ALPNProtocols: [...protocols] } : {};
        const socket = connectTls({
          port: house.port,
          host: "127.0.0.1",
          ca,
          servername: "localhost",
          ...named,
        });
        // TLS 1.3 lets a client end its handshake before the server has seen it: whoever is refused meets the end.
        socket.once("secureConnect", () => {
          const client = new RawClient(socket);
          socket.write(startup({ user: "token" }));
          void client.next().then((told) => resolve(told?.kind === "R" ? client : null));
        });
        socket.once("error", () => resolve(null));
      });

    it("is taken from who names the protocol, and from nobody else", async () => {
      const client = await direct(["postgresql"]);
      client?.send(frame("p", text(house.tokens.bob)));
      expect(kindsOf((await client?.until("Z")) ?? [])).toMatch(/^RS+KZ$/);
      expect(kindsOf((await client?.ask(query("SELECT 1"))) ?? [])).toBe("TDCZ");
      client?.close();
      const other = await direct(["h2", "postgresql"]);
      expect(other).not.toBeNull();
      other?.close();
      expect(await direct([])).toBeNull();
      expect(await direct(["http/1.1"])).toBeNull();
    });

    it("asks for no further TLS within", async () => {
      const socket = connectTls({
        port: house.port,
        host: "127.0.0.1",
        ca,
        servername: "localhost",
        ALPNProtocols: ["postgresql"],
      });
      const client = new RawClient(socket);
      client.send(tlsRequest);
      expect(fieldsOf((await client.next()) ?? undefined)).toMatchObject({ S: "FATAL", C: "08P01" });
      expect(await client.next()).toBeNull();
    });

    it.skipIf(!hasPsql || libpq18 === null)(
      "is libpq's of PostgreSQL 18, with the channel bound",
      async () => {
        const { user, password: token } = byToken(house.tokens.bob);
        const settings = `user=${user} channel_binding=require sslnegotiation=direct`;
        const libraries = mkdtempSync(join(tmpdir(), "lethe-libpq-"));
        try {
          for (const [name, file] of libpq18 ?? []) symlinkSync(file, join(libraries, name));
          const told = await psql(settings, token, ["SELECT current_user"], { LD_LIBRARY_PATH: libraries });
          expect(told).toBe("bob\n");
        } finally {
          rmSync(libraries, { recursive: true });
        }
      },
    );
  });

  const psql = (
    settings: string,
    secret: string,
    commands: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> =>
    new Promise((resolve) => {
      const where = `host=127.0.0.1 port=${house.port} dbname=shop sslmode=verify-full sslrootcert=${made.file} ${settings}`;
      const child = spawn("psql", ["-X", "-A", "-t", where, ...commands.flatMap((each) => ["-c", each])], {
        env: { ...process.env, ...env, PGPASSWORD: secret },
      });
      let told = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (told += data));
      child.on("close", () => resolve(told));
    });

  it.skipIf(!hasPsql)("is psql's, with the certificate verified and the channel bound", async () => {
    const told = await psql("user=ada channel_binding=require", password, [
      "SELECT current_user, current_database()",
      "SELECT town, COUNT(*) AS n FROM people GROUP BY town ORDER BY town",
      "SELECT COUNT(*) FROM  persons",
      "\\copy (SELECT COUNT(*) AS n FROM people) TO STDOUT csv header",
    ]);
    expect(told).toContain("ada|shop");
    expect(told).toMatch(/^NOTICE: {2}charged epsilon 1\/2 as request [\w-]+; .* left of analyst ada$/m);
    expect(told).toMatch(/^=north\|\d+\|\d+\|\d+$/m);
    expect(told).toMatch(/LINE 1: SELECT COUNT\(\*\) FROM {2}persons\n {30}\^\nHINT/);
    expect(told).toMatch(/^n,n_lower,n_upper\n\d+,\d+,\d+$/m);
    expect(await psql("user=token", house.tokens.bob, ["SELECT current_user"])).toBe("bob\n");
    const { user, password: token } = byToken(house.tokens.bob);
    const proved = `user=${user} channel_binding=require`;
    expect(await psql(proved, token, ["SELECT current_user"])).toBe("bob\n");
    expect(await psql(proved, house.tokens.analyst, ["SELECT 1"])).toContain("nobody is signed in");
    expect(await psql("user=ada channel_binding=require", "wrong", ["SELECT 1"])).toContain(
      "the name or the password is wrong",
    );
  });
});
