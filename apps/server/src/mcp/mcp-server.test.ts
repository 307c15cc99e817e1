import { requestIdOfKey } from "@lethe/serve";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppHouse, bodyOf, nameOf, openHouse, origin, policyText } from "../testing/app-house.ts";
import { mcpServers } from "./mcp-server.ts";

let house: AppHouse;
beforeAll(async () => {
  const project =
    "projects: { churn: { epsilon: 100, analysts: { ada: { epsilon: 50 }, bob: { epsilon: 50 } } } }";
  house = await openHouse({
    data: {
      policy: policyText.replace("epsilon: 100000 }", `epsilon: 100000, ${project} }`),
      people: `age,town,name\n${"3,south,x\n".repeat(50)}`,
    },
  });
});
afterAll(() => house.close());

const host = new URL(origin).host;

async function overHttp(as: "analyst" | "auditor"): Promise<Client> {
  const client = new Client({ name: "an agent", version: "1" });
  const headers = { authorization: `Bearer ${house.tokens[as]}` };
  const send = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    request.headers.set("host", host);
    return house.app.fetch(request, { address: "192.0.2.7" });
  };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { fetch: send, requestInit: { headers } }),
  );
  return client;
}

async function inMemory(): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const proof = { kind: "session", session: "here" } as const;
  const who = { name: nameOf.bob, roles: ["analyst"], projects: [], proof } as const;
  serveStdio(
    mcpServers(house.service, async () => who),
    { transport: theirs as never },
  );
  const client = new Client({ name: "an agent", version: "1" });
  await client.connect(ours);
  return client;
}

const textOf = (result: unknown): Record<string, unknown> =>
  JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? "null");

describe.each([
  ["streamable HTTP", nameOf.analyst, () => overHttp("analyst")],
  ["a connection of its own", nameOf.bob, inMemory],
] as const)("the official client over %s", (_, name, connect) => {
  test("finds four tools, of which query alone is not read-only", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["describe_data", true],
      ["explain", true],
      ["query", false],
      ["budget", true],
    ]);
    await client.close();
  });

  test("describes, explains, and pays once for one question asked in a loop", async () => {
    const client = await connect();
    const described = textOf(await client.callTool({ name: "describe_data", arguments: {} }));
    expect(described).toMatchObject({ tables: [{ name: "people" }] });
    const question = { sql: "SELECT COUNT(*) AS n FROM people WHERE age < 50", epsilon: "1" };
    const explained = textOf(await client.callTool({ name: "explain", arguments: question }));
    expect(explained).toMatchObject({ price: { epsilon: "1" } });
    const answers = [];
    for (let turn = 0; turn < 5; turn += 1)
      answers.push(textOf(await client.callTool({ name: "query", arguments: question })));
    expect(answers.map(({ charged }) => charged)).toMatchObject([
      { epsilon: "1" },
      ...Array.from({ length: 4 }, () => ({ epsilon: "0" })),
    ]);
    expect(new Set(answers.map(({ rows }) => JSON.stringify(rows))).size).toBe(1);
    expect(textOf(await client.callTool({ name: "budget", arguments: {} }))).toHaveProperty("scopes");
    const { charges } = await house.ledger.report();
    expect(charges.filter(({ principal }) => principal === name)).toHaveLength(1);
    await client.close();
  });

  test("names a project and a key as HTTP does: an unknown project is refused, and a key is one request", async () => {
    const client = await connect();
    const call = async (tool: string, given: object) => {
      const result = await client.callTool({ name: tool, arguments: { ...given } });
      return { isError: result.isError === true, ...textOf(result) } as Record<string, unknown>;
    };
    const question = { sql: "SELECT COUNT(*) AS n FROM people WHERE age < 51", epsilon: "1" };
    expect(await call("query", { ...question, project: "none" })).toMatchObject({
      isError: true,
      code: "ledger.principal",
    });
    expect(await call("explain", { ...question, project: "churn" })).toMatchObject({ isError: false });
    const keyed = { ...question, project: "churn", idempotency_key: "again" };
    const [first, again] = [await call("query", keyed), await call("query", keyed)];
    expect(again).toMatchObject({ isError: false, requestId: first.requestId, rows: first.rows });
    expect(first.requestId).toBe(requestIdOfKey(name, "again"));
    expect(await call("query", { ...keyed, sql: `${question.sql} AND age > 1` })).toMatchObject({
      isError: true,
      code: "ledger.request",
    });
    const { charges } = await house.ledger.report();
    expect(
      charges.filter((each) => each.requestId === first.requestId && each.project === "churn"),
    ).toHaveLength(1);
    const scopes = JSON.stringify((await call("budget", { project: "churn" })).scopes);
    expect(scopes).toContain("project churn");
    expect(scopes).toContain(`analyst ${name} in project churn`);
    expect(JSON.stringify((await call("budget", {})).scopes)).not.toContain("churn");
    await client.close();
  });

  test("gets a refusal as a tool's error, with code and fix", async () => {
    const client = await connect();
    const refused = await client.callTool({
      name: "query",
      arguments: { sql: "SELECT nothing FROM people" },
    });
    expect(refused.isError).toBe(true);
    const { code, fix } = textOf(refused);
    expect(code).toMatch(/^query\./);
    expect(fix).not.toBe("");
    await client.close();
  });
});

describe("the protocol's address", () => {
  const call = (headers: Record<string, string>, as?: "analyst") =>
    house.send("/mcp", { as, headers, json: { jsonrpc: "2.0", id: 1, method: "tools/list" } });

  test("takes a token alone, sent to the service's own host and by no other site's page", async () => {
    expect((await call({})).status).toBe(401);
    expect((await call({ authorization: "Bearer lethe_none" })).status).toBe(401);
    for (const headers of [{ origin: "https://evil.example" }, { host: "evil.example" }]) {
      const response = await call(headers, "analyst");
      expect([response.status, (await bodyOf(response)).code]).toEqual([403, "serve.origin"]);
    }
  });

  test("counts frames that call no tool, well-formed or not", async () => {
    const few = await openHouse({ burst: 3 });
    const frames = [{ jsonrpc: "2.0", id: 1, method: "tools/list" }, [], { method: 7 }, "x", null];
    const accept = "application/json, text/event-stream";
    const statuses: number[] = [];
    for (const json of frames) {
      const response = await few.send("/mcp", { as: "analyst", headers: { accept }, json });
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses.slice(3)).toEqual([429, 429]);
    expect(statuses.slice(0, 3)).not.toContain(429);
    await few.close();
  });

  test("refuses a role that may not ask", async () => {
    const client = await overHttp("auditor");
    const refused = await client.callTool({
      name: "query",
      arguments: { sql: "SELECT COUNT(*) FROM people" },
    });
    expect([refused.isError, textOf(refused).code]).toEqual([true, "serve.forbidden"]);
    await client.close();
  });
});
