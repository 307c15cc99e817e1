import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { AuditRow } from "@lethe/audit";
import { expect, it } from "vitest";
import { startService } from "../commands/serve/serve.ts";
import { inFolder, lethe, peopleCsv, secret, setUp } from "../testing/command-line.ts";
import { sendRaw } from "./raw-requests.ts";

interface Tokens {
  readonly ada: string;
  readonly bob: string;
}

/** Starts a service that knows two analysts, whose tokens lie in files of their names. */
async function served(work: (url: string, tokens: Tokens, postgres: string) => Promise<void>): Promise<void> {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const tokenOf = async (name: string): Promise<string> => {
      const { out } = await lethe("people", "add", name);
      const token = /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(out)?.[0] ?? "";
      writeFileSync(name, token);
      return token;
    };
    const tokens = { ada: await tokenOf("ada"), bob: await tokenOf("bob") };
    const { log } = console;
    console.log = () => undefined;
    const running = await startService(
      { config: "lethe-serve.yaml", named: false, port: "0", postgresPort: "0" },
      () => undefined,
    );
    try {
      await running.ready();
      await work(running.url, tokens, running.postgresUrl ?? "");
    } finally {
      await running.close();
      console.log = log;
    }
  });
}

const attack = async (url: string, ...more: readonly string[]) => {
  const said = await lethe(
    "audit",
    "--server",
    url,
    "--token-file",
    "ada",
    "--other-token-file",
    "bob",
    ...more,
  );
  // The service writes its log to the same place.
  const json = said.out.slice(said.out.search(/^\[$/m), said.out.search(/^\]$/m) + 1);
  return { ...said, rows: json === "" ? [] : (JSON.parse(json) as AuditRow[]) };
};

it("a real service stands, up to its ceiling: two who collude are answered no more than the account's cap", () =>
  served(async (url, _tokens, postgres) => {
    const said = await attack(url, "--epsilon", "6", "--json", "--postgres", postgres);
    expect(said.rows.map(({ subject, finding }) => [subject, finding])).toEqual([
      ["loop", null],
      ["squat", null],
      ["collusion", null],
      ["others' objects", null],
      ["names at sign-in", null],
      ["names at PostgreSQL's sign-in", null],
      ["other sites", null],
      ["strange requests", null],
      ["strange frames", null],
    ]);
    expect(said.code).toBeNull();
    expect(JSON.stringify(said.rows)).not.toMatch(secret);
    const collusion = said.rows.find(({ subject }) => subject === "collusion")!;
    expect(collusion.measured).toMatch(/ charged of 5; a cap was reached$/);
    const { spent } = JSON.parse(/^\{[\s\S]*^\}/m.exec((await lethe("budget", "--json")).out)![0]);
    const [num, den = "1"] = spent.epsilon.split("/");
    expect(Number(num) / Number(den)).toBeLessThanOrEqual(5);
    expect(Number(num) / Number(den)).toBeGreaterThan(4.5);
  }));

/** A proxy before a service that gives away what the service keeps: ada's releases to bob, and at sign-in which names there are. */
async function faulty(
  url: string,
  { ada, bob }: Tokens,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const proxy = createServer(async (request, response) => {
    const { method, headers } = request;
    const path = request.url ?? "/";
    const body = await bodyOf(request);
    const own = new URL(url).host;
    const here = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const {
      "content-length": _length,
      "transfer-encoding": _coding,
      connection: _connection,
      ...kept
    } = headers;
    const sent = {
      ...(kept as Record<string, string>),
      host: headers.host === new URL(here).host ? own : String(headers.host),
      ...(headers.origin === here ? { origin: url } : {}),
      ...(path.startsWith("/v1/releases/") && headers.authorization === `Bearer ${bob}`
        ? { authorization: `Bearer ${ada}` }
        : {}),
    };
    if (path === "/v1/session" && !/"name":"(?:ada|bob)"/.test(body) && headers.origin === here) {
      response.writeHead(401, { "content-type": "application/problem+json" });
      response.end('{"code":"serve.sign-in","detail":"nobody has this name"}');
      return;
    }
    const told = await sendRaw(url, {
      method: method === "POST" ? "POST" : "GET",
      path: path.replace(/\?of=ada$/, ""),
      headers: sent,
      ...(body === "" ? {} : { body }),
    });
    response.writeHead(told.status || 502, { "content-type": told.type });
    response.end(told.body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // The proxy ends requests that never end, as the service does.
  proxy.headersTimeout = 1_000;
  proxy.requestTimeout = 2_000;
  try {
    await work(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  } finally {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part as Buffer);
  } catch {
    // Whoever sent half of it is gone.
  }
  return Buffer.concat(parts).toString("utf8");
}

it("a service that gives others' answers and names away is found out, and the program ends with an error", () =>
  served((url, tokens) =>
    faulty(url, tokens, async (proxied) => {
      const said = await attack(proxied, "--epsilon", "1", "--json");
      expect(said.code).toBe("audit.finding");
      const findings = Object.fromEntries(said.rows.map(({ subject, finding }) => [subject, finding]));
      expect(findings["others' objects"]).toContain("a release of ada was given to bob");
      expect(findings["names at sign-in"]).toContain("different ones");
      expect(findings.loop).toBeNull();
      expect(said.error).toContain("2 of 7 rows");
    }),
  ));

it("without a second token and a price, what needs them is told and not tried", () =>
  served(async (url) => {
    const { out, code } = await lethe("audit", "--server", url, "--token-file", "ada");
    expect(code).toBeNull();
    expect(out).toMatch(/^told +loop .*--epsilon NUMBER/m);
    expect(out).toMatch(/^told +others' objects .*--other-token-file FILE/m);
    expect(out).toMatch(/^ok +strange requests /m);
    const same = await lethe("audit", "--server", url, "--token-file", "ada", "--other-token-file", "ada");
    expect(same).toMatchObject({
      code: "cli.usage",
      error: expect.stringContaining("both tokens are ada's"),
    });
  }));

it.each([
  [["--server", "http://127.0.0.1:9", "--token-file", "token"], "no service answers"],
  [["--server", "http://127.0.0.1:9"], "--token-file FILE"],
  [["--token-file", "token"], "give --server too"],
  [
    ["--server", "http://127.0.0.1:9", "--token-file", "token", "--postgres", "http://127.0.0.1:9"],
    "postgresql://lethe.example:5432",
  ],
  [
    ["--server", "http://127.0.0.1:9", "--token-file", "token", "--question", "SELECT 1"],
    "give one of the two",
  ],
] as const)("lethe audit %j is refused", (words, says) =>
  inFolder({ token: `lethe_${"0".repeat(16)}_${"A".repeat(43)}` }, async () => {
    expect(await lethe("audit", ...words)).toMatchObject({
      code: "cli.usage",
      error: expect.stringContaining(says),
    });
  }),
);
