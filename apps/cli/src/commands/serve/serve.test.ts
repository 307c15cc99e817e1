import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { connect } from "@lethe/client";
import { LetheError } from "@lethe/core";
import pg from "pg";
import { expect, it } from "vitest";
import { exitCode } from "../../exit/exit-code.ts";
import { charges, inFolder, lethe, peopleCsv, setUp } from "../../testing/command-line.ts";
import { startService } from "./serve.ts";

const flags = { config: "lethe-serve.yaml", named: false, port: "0" };
const bySector = "SELECT sector, COUNT(*) AS people FROM people GROUP BY sector";

/** Starts the service in a folder, and does something with it and with what it said. */
async function served<T>(work: (url: string, said: string) => Promise<T>): Promise<T> {
  let said = "";
  const running = await startService(flags, (text) => {
    said += `${text}\n`;
  });
  try {
    await running.ready();
    return await work(running.url, said);
  } finally {
    await running.close();
  }
}

const tokenIn = (text: string): string => /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(text)?.[0] ?? "";

it("a port that is taken is refused: the program ends, and the first owner's token is shown when the service answers", async () => {
  await inFolder({ "people.csv": peopleCsv }, async (folder) => {
    await setUp();
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const bin = fileURLToPath(new URL("../../../dist/bin.mjs", import.meta.url));
    const program = spawn(process.execPath, [bin, "serve", "--port", String(port)], { cwd: folder });
    let said = "";
    program.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const code = await new Promise((resolve) => program.once("exit", resolve));
    taken.close();
    expect(said).toContain(`error [cli.file] the service cannot listen on 127.0.0.1:${port}`);
    expect([code, tokenIn(said)]).toEqual([exitCode(new LetheError("cli.file", "", { fix: "" })), ""]);
    await served(async (url, told) => {
      const owner = connect({ url, token: tokenIn(told) });
      expect((await owner.explain(bySector, { epsilon: "0.5" })).price).toMatchObject({ epsilon: "1/2" });
    });
  });
});

it("a ledger in PostgreSQL is not served beside people, rates and slots in a file", async () => {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    writeFileSync(".lethe/ledger/ledger.url", "postgres://gateway@127.0.0.1:1/ledger?schema=lethe\n");
    await expect(served(async () => "answered")).rejects.toMatchObject({
      code: "config.invalid",
      fix: expect.stringContaining("store: { kind: postgres"),
    });
    // Beside a store that is shared, the ledger is what is asked next, and nobody is there.
    process.env.LETHE_TEST_STORE_URL = "postgres://service@127.0.0.1:1/service";
    writeFileSync(
      "lethe-serve.yaml",
      "version: 1\nstore: { kind: postgres, url_env: LETHE_TEST_STORE_URL }\n",
    );
    await expect(served(async () => "answered")).rejects.toMatchObject({ code: "ledger.unreadable" });
  });
});

it("lethe serve answers by HTTP what lethe query would, and charges each question once", async () => {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const first = await served(async (url, said) => {
      const owner = connect({ url, token: tokenIn(said) });
      const { answer, certificate } = await owner.release(bySector, { epsilon: "0.5" });
      expect(answer.charged).toMatchObject({ epsilon: "1/2" });
      const again = await owner.ask(bySector, { epsilon: "0.5" });
      expect([again.rows, again.charged.epsilon]).toEqual([answer.rows, "0"]);
      expect(certificate).toMatchObject({ principal: "admin" });
      expect(await owner.explain(bySector, { epsilon: "0.5" })).toMatchObject({
        earlier: { requestId: answer.requestId },
      });
      return answer;
    });
    // After a restart nobody new is let in, the ledger has it all, and the answer still stands.
    const { out } = await lethe("people", "token", "admin", "--role", "owner");
    await served(async (url, said) => {
      expect(tokenIn(said)).toBe("");
      const owner = connect({ url, token: tokenIn(out) });
      expect((await owner.ask(bySector, { epsilon: "0.5" })).rows).toEqual(first.rows);
      const asked: string[] = [];
      for await (const { text } of owner.requests()) asked.push(text);
      expect(asked).toEqual([bySector]);
      expect((await owner.budget()).scopes[0]).toMatchObject({
        name: "the account",
        periods: [{ per: "lifetime", spent: "1/2" }],
      });
    });
  });
});

it("who is let in by the command line can do no more than ask", async () => {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const { out } = await lethe("people", "add", "ada", "--role", "analyst", "--max-epsilon", "0.25");
    await served(async (url) => {
      const ada = connect({ url, token: tokenIn(out) });
      await expect(ada.ask(bySector, { epsilon: "0.5" })).rejects.toMatchObject({
        code: "serve.cap",
        status: 403,
      });
      expect((await ada.ask(bySector, { epsilon: "0.25" })).rows.length).toBeGreaterThan(0);
      const people = await fetch(`${url}/v1/people`, {
        headers: { authorization: `Bearer ${tokenIn(out)}` },
      });
      expect(people.status).toBe(403);
      expect((await fetch(`${url}/v1/tables`)).status).toBe(401);
      await lethe("people", "disable", "ada");
      await expect(ada.tables()).rejects.toMatchObject({ code: "serve.signed-out" });
      const { out: said } = await lethe("people", "enable", "ada");
      expect(said).toContain("ada is let in again: their password and the tokens that have not ended hold");
      expect(await ada.tables()).toHaveLength(1);
    });
  });
});

it("lethe people tells what was wrong with its words, and what would be accepted", () =>
  inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    await lethe("people", "add", "olga", "--role", "owner");
    expect((await lethe("people")).out).toMatch(/^olga +owner +— +— +1$/m);
    for (const [words, message, fix] of [
      [["token", "zed"], 'there is no person named "zed"', "lethe people lists them"],
      [["enable", "zed"], 'there is no person named "zed"', "lethe people lists them"],
      [
        ["token", "olga"],
        "the token has a role that its person lacks: analyst",
        "name a role of theirs: owner",
      ],
      [["add", "bob", "--role", "analyste"], '"analyste" is no role', "write --role owner"],
      [["shut", "zed"], 'lethe people has no command "shut"', "write one of: add, token, password"],
    ] as const) {
      const { error } = await lethe("people", ...words);
      expect(error).toContain(message);
      expect(error).toContain(`fix: ${fix}`);
    }
  }));

it("a second service on the ledger is refused by name, and lethe query beside it is charged in the same ledger", async () => {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    await served(async (url, said) => {
      await expect(startService(flags, () => undefined)).rejects.toMatchObject({ code: "ledger.served" });
      await lethe("query", "SELECT COUNT(*) FROM people", "--epsilon", "0.25", "--yes");
      const owner = connect({ url, token: tokenIn(said) });
      await owner.ask(bySector, { epsilon: "0.5" });
      expect((await owner.budget()).scopes[0]).toMatchObject({ periods: [{ spent: "3/4" }] });
    });
    // Afterwards there is nothing to remove.
    await served(async () => undefined);
  });
});

it("an owner puts another policy in place, and the service that starts again answers under it", async () => {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const text = readFileSync("lethe.yaml", "utf8").replace(/epsilon: [\d.]+/, "epsilon: 7");
    let token = "";
    let url = "";
    const send = (method: string, path: string, body: object): Promise<Response> =>
      fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    let said = "";
    const running = await startService(flags, (line) => {
      said += line;
    });
    token = tokenIn(said);
    url = running.url;
    await running.ready();
    const { budget } = (await (await send("POST", "/v1/policy/check", { text })).json()) as {
      budget: string[];
    };
    expect(budget.length).toBeGreaterThan(0);
    const accepted = await send("PUT", "/v1/policy", { text, agreed: budget, reason: "a test" });
    expect(accepted.status).toBe(202);
    await running.replaced;
    // Until it starts again no question is charged.
    const refused = await send("POST", "/v1/query", { sql: bySector, epsilon: "0.5" });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      503,
      "policy.changed",
    ]);
    await running.close();
    expect(readFileSync("lethe.yaml", "utf8")).toBe(text);
    await served(async (again) => {
      const owner = connect({ url: again, token });
      await owner.ask(bySector, { epsilon: "6" });
      expect((await owner.budget()).scopes[0]).toMatchObject({ periods: [{ granted: "7", spent: "6" }] });
    });
  });
});

it("the service writes an answer as lethe query does, to the byte", async () => {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const { out } = await lethe("people", "add", "ada");
    const as = ["--epsilon", "0.5", "--as", "ada"];
    await lethe("query", bySector, ...as);
    const csv = await lethe("query", bySector, ...as, "--format", "csv");
    const json = await lethe("query", bySector, ...as, "--format", "json");
    expect([csv.code, json.code]).toEqual([null, null]);
    await served(async (url) => {
      const ada = connect({ url, token: tokenIn(out) });
      expect(await ada.csv(bySector, { epsilon: "0.5" })).toBe(`${csv.out}\n`);
      const release: Readonly<Record<string, unknown>> = JSON.parse(json.out);
      const served = await ada.release(bySector, { epsilon: "0.5" });
      expect(served).toEqual({ kind: "release", ...release });
      writeFileSync("answer.json", JSON.stringify(served));
    });
    const key = ["--public-key", ".lethe/ledger/ledger.pub"];
    expect(await lethe("verify", "answer.json", "--policy", "lethe.yaml", ...key)).toMatchObject({
      code: null,
      out: expect.stringMatching(/^ok +signature /m),
    });
    expect(await charges()).toBe(1);
  });
});

it("lethe serve answers as PostgreSQL does what it answers by HTTP, and the question is charged once", async () => {
  await inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    let said = "";
    const running = await startService({ ...flags, postgresPort: "0" }, (text) => {
      said += `${text}\n`;
    });
    try {
      await running.ready();
      expect(said).toContain(`and as PostgreSQL does at ${running.postgresUrl}\n`);
      const token = tokenIn(said);
      const { hostname: host, port } = new URL(running.postgresUrl ?? "");
      const options = "-c lethe.epsilon=0.5";
      const client = new pg.Client({ host, port: Number(port), user: "token", password: token, options });
      await client.connect();
      const { rows } = await client.query(bySector);
      await client.end();
      const owner = connect({ url: running.url, token });
      const again = await owner.ask(bySector, { epsilon: "0.5" });
      expect(again.charged).toMatchObject({ epsilon: "0" });
      expect(again.rows.map(({ sector, people }) => [sector, people])).toEqual(
        rows.map(({ sector, people: value, people_lower: lower, people_upper: upper }) => [
          sector,
          { value, lower, upper },
        ]),
      );
    } finally {
      await running.close();
    }
    await expect(startService({ ...flags, postgresPort: "x" }, () => undefined)).rejects.toMatchObject({
      code: "cli.usage",
    });
  });
});
