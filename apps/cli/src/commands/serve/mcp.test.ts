import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it } from "vitest";
import { inFolder, lethe, peopleCsv, secret, setUp } from "../../testing/command-line.ts";
import { startService } from "./serve.ts";

/* The official client spawns the real command, which npm test builds before. */

const bin = fileURLToPath(new URL("../../../dist/bin.mjs", import.meta.url));
const question = { sql: "SELECT sector, COUNT(*) AS people FROM people GROUP BY sector", epsilon: "0.5" };

/** Connects the official client to `lethe mcp` with these words, in a folder. */
async function connected<T>(
  cwd: string,
  words: readonly string[],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: "an agent", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", ...words],
    cwd,
    stderr: "pipe",
  });
  await client.connect(transport);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const textOf = (result: unknown): Record<string, unknown> =>
  JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? "null");

/** An agent that lists the tools, and asks one question in a loop. */
async function agentLoops(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ["describe_data", true],
    ["explain", true],
    ["query", false],
    ["budget", true],
  ]);
  const answers = [];
  for (let turn = 0; turn < 4; turn += 1)
    answers.push(textOf(await client.callTool({ name: "query", arguments: question })));
  expect(answers.map(({ charged }) => (charged as { epsilon: string }).epsilon)).toEqual([
    "1/2",
    "0",
    "0",
    "0",
  ]);
  expect(new Set(answers.map(({ rows }) => JSON.stringify(rows))).size).toBe(1);
  expect(JSON.stringify(answers)).not.toMatch(secret);
}

const charges = async (): Promise<readonly { readonly principal: string }[]> =>
  JSON.parse((await lethe("budget", "--json")).out).charges;

it("an agent on a policy pays once for a question that it asks in a loop, under its own name and cap", () =>
  inFolder({ "people.csv": peopleCsv }, async (folder) => {
    await setUp();
    await connected(folder, ["--as", "agent", "--max-epsilon", "0.5"], async (client) => {
      await agentLoops(client);
      const dear = await client.callTool({ name: "query", arguments: { ...question, epsilon: "0.6" } });
      expect(dear.isError).toBe(true);
      expect(textOf(dear)).toMatchObject({ code: "serve.cap" });
      const wrong = await client.callTool({ name: "query", arguments: { sql: "SELECT wage FROM people" } });
      expect(textOf(wrong).code).toMatch(/^query\./);
    });
    expect((await charges()).map(({ principal }) => principal)).toEqual(["agent"]);
    // Another process finds the answer in the ledger.
    await connected(folder, ["--as", "agent"], async (client) => {
      const again = textOf(await client.callTool({ name: "query", arguments: question }));
      expect(again.charged).toMatchObject({ epsilon: "0" });
    });
    expect(await charges()).toHaveLength(1);
  }));

it("an agent that is handed to a service asks by its token, and is told in time when that holds no more", () =>
  inFolder({ "people.csv": peopleCsv }, async (folder) => {
    await setUp();
    const { out } = await lethe("people", "add", "ada");
    const token = /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(out)?.[0] ?? "";
    writeFileSync("token", `${token}\n`);
    const running = await startService(
      { config: "lethe-serve.yaml", named: false, port: "0" },
      () => undefined,
    );
    try {
      await running.ready();
      const bridge = ["--server", running.url, "--token-file", join(folder, "token")];
      await connected(folder, bridge, async (client) => {
        await agentLoops(client);
        await lethe("people", "disable", "ada");
        await expect(client.callTool({ name: "query", arguments: question })).rejects.toThrow(
          /serve\.signed-out/,
        );
      });
      const said = await lethe("mcp", ...bridge);
      expect(said.code).toBe("cli.usage");
      expect(said.error).toMatch(
        /does not know the token\n {2}fix: make a new one with lethe people token NAME/,
      );
    } finally {
      await running.close();
    }
    expect((await charges()).map(({ principal }) => principal)).toEqual(["ada"]);
  }));

it.each([
  [[], "write --as agent"],
  [["--as", "eve", "--policy", "listed.yaml"], "analyst"],
  [["--server", "http://127.0.0.1:9"], "--token-file FILE"],
  [["--token-file", "token"], "--server https://lethe.example"],
  [["--server", "http://lethe.example", "--token-file", "token"], "--server https://lethe.example"],
  [["--server", "https://lethe.example/api", "--token-file", "token"], "without a path"],
  [["--server", "http://127.0.0.1:9", "--token-file", "people.csv"], "lethe people token NAME"],
  [["--server", "http://127.0.0.1:9", "--token-file", "token"], "lethe serve"],
  [["--server", "http://127.0.0.1:9", "--token-file", "token", "--as", "ada"], "leave out --as"],
] as const)("lethe mcp %j is refused with what would be accepted", (words, fix) =>
  inFolder({ "people.csv": peopleCsv, token: `lethe_${"0".repeat(16)}_${"A".repeat(43)}` }, async () => {
    await setUp();
    const listed = readFileSync("lethe.yaml", "utf8");
    writeFileSync("listed.yaml", listed.replace(/delta: ([^ }]+) }/, "delta: $1, analysts: { ada: 1 } }"));
    if (words.includes("listed.yaml" as never))
      await lethe("budget", "apply", "--policy", "listed.yaml", "--yes");
    const refused = await lethe("mcp", ...words);
    expect(refused.code).not.toBeNull();
    expect(refused).toMatchObject({ out: "", error: expect.stringContaining(fix) });
  }),
);
