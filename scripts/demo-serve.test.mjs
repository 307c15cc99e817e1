import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("demo-serve.mjs", import.meta.url));

/** Runs the demo in a temporary folder of its own, does something with what it printed once it answers, and waits for its end. */
async function running(words, work) {
  const home = mkdtempSync(join(tmpdir(), "lethe-demo-serve-test-"));
  const demo = spawn(process.execPath, [script, ...words], { env: { ...process.env, TMPDIR: home } });
  const ended = new Promise((resolve) => demo.on("exit", (status) => resolve(status)));
  let said = "";
  try {
    await new Promise((resolve, reject) => {
      demo.stdout.setEncoding("utf8").on("data", (text) => {
        said += text;
        if (said.includes("Ctrl-C stops it")) resolve();
      });
      demo.stderr.setEncoding("utf8").on("data", (text) => {
        said += text;
      });
      ended.then((status) => reject(new Error(`the demo ended with ${status}: ${said}`)));
    });
    await work({ said, demo });
    return { status: await ended, left: readdirSync(home) };
  } finally {
    demo.kill("SIGTERM");
    rmSync(home, { recursive: true, force: true });
  }
}

const urlIn = (said) => /^Lethe answers at (\S+)$/m.exec(said)?.[1];
const blockOf = (said, name) => said.slice(said.indexOf(`  ${name}, `));
const tokenOf = (said, name) => /token {5}(lethe_\S+)/.exec(blockOf(said, name))?.[1];

describe("npm run demo:serve", () => {
  it("opens a service with people, spending and history, and ends after the requests that it was given", async () => {
    const { status, left } = await running(["--requests", "4"], async ({ said }) => {
      const url = urlIn(said);
      const get = async (path, name) => {
        const headers = { authorization: `Bearer ${tokenOf(said, name)}` };
        const response = await fetch(`${url}${path}`, { headers });
        return { status: response.status, body: await response.json() };
      };
      const { body: history } = await get("/v1/releases", "ada");
      expect(history.items.map(({ state }) => state)).toEqual(["settled", "settled", "settled"]);
      const { body: budget } = await get("/v1/budget", "bob");
      const bob = budget.scopes.find(({ name }) => name === "analyst bob");
      expect(bob.periods[0]).toMatchObject({ granted: "1", spent: "1/2" });
      expect((await get("/v1/people", "bob")).status).toBe(403);
      const { body: everybody } = await get("/v1/people", "olga");
      expect(JSON.stringify(everybody)).toContain("agent");
      const password = /password {2}(\S+)/.exec(blockOf(said, "ada"))[1];
      const session = await fetch(`${url}/v1/session`, {
        method: "POST",
        headers: { origin: url, "content-type": "application/json" },
        body: JSON.stringify({ name: "ada", password }),
      });
      expect(session.status).toBe(204);
    });
    expect({ status, left }).toEqual({ status: 0, left: [] });
  });

  it("stops on Ctrl-C, and leaves nothing behind", async () => {
    const { status, left } = await running([], async ({ said, demo }) => {
      expect((await fetch(`${urlIn(said)}/healthz`)).status).toBe(200);
      demo.kill("SIGINT");
    });
    expect({ status, left }).toEqual({ status: 0, left: [] });
  });
});
