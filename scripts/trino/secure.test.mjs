import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { token } from "./secure.mjs";

/* Lethe asks a real Trino over TLS: the one of `npm run trino -- --secure FOLDER`, which LETHE_TRINO_SECURE names. */

const secured = process.env.LETHE_TRINO_SECURE;
const read = (name) => readFileSync(join(secured, name), "utf8");
const bin = fileURLToPath(new URL("../../apps/cli/dist/bin.mjs", import.meta.url));

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  orders: { relation: tpch.tiny.orders, unit: custkey, columns: { custkey: { type: integer }, totalprice: { type: number, bounds: [0, 500000] } } }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
`;

describe.skipIf(!secured)("a Trino that is asked over TLS (LETHE_TRINO_SECURE)", () => {
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "lethe-secure-"));
    writeFileSync(join(folder, "lethe.yaml"), policy);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a command in a process of its own: Node reads the authorities that it trusts when it starts. */
  const lethe = (url, words, trusts = join(secured, "certificate.pem")) =>
    new Promise((resolve) => {
      const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
      const trusting = trusts === null ? {} : { NODE_EXTRA_CA_CERTS: trusts };
      const options = { cwd: folder, env: { ...env, ...trusting, LETHE_DATABASE_URL: url } };
      execFile(process.execPath, [bin, ...words], options, (error, stdout, stderr) =>
        resolve({ status: error?.code ?? 0, said: stdout + stderr }),
      );
    });

  const check = ["policy", "check", "--connect"];
  const urlOf = (identity, options = "") =>
    `${read("url").replace("//", `//${identity}@`)}/tpch/tiny${options}`;
  const withPassword = (password) => urlOf(`lethe:${encodeURIComponent(password)}`);
  const withToken = (text) => {
    const file = join(folder, "token");
    writeFileSync(file, text);
    return urlOf("lethe", `?token_file=${encodeURIComponent(file)}`);
  };
  const ownersLog = () => {
    const file = join(folder, ".lethe", "owner.log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };

  it.each([
    ["a password", () => withPassword(read("password"))],
    ["a token", () => withToken(read("token"))],
  ])("answers who shows %s", async (_, url) => {
    expect(await lethe(url(), ["init"])).toMatchObject({ status: 0 });
    expect((await lethe(url(), check)).said).toContain("Every table is as the policy says.");
    const { status, said } = await lethe(url(), ["query", "--epsilon", "1", "SELECT COUNT(*) FROM orders"]);
    expect([status, said.includes("Price")]).toEqual([0, true]);
  });

  const otherKey = () =>
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const tokenOf = (claims, key) => token(secured, { sub: "lethe", ...claims }, key);

  it.each([
    ["another password", () => ["a wrong secret", withPassword("a wrong secret")]],
    ["the password of nobody", () => [read("password"), urlOf(`nobody:${read("password")}`)]],
    ["nothing", () => ["lethe@", urlOf("lethe")]],
    ["a token of another key", () => tokenUrl(tokenOf({}, otherKey()))],
    ["a token of before", () => tokenUrl(tokenOf({ exp: Math.floor(Date.now() / 1000) - 600 }))],
    ["the token of somebody else", () => tokenUrl(tokenOf({ sub: "somebody" }))],
    ["no token at all", () => tokenUrl("a wrong secret")],
  ])("is not asked by who shows %s, and nothing tells what it was", async (_, shown) => {
    const [secret, url] = shown();
    await lethe(url, ["init"]);
    for (const words of [check, ["query", "--epsilon", "1", "SELECT COUNT(*) FROM orders"]]) {
      const { status, said } = await lethe(url, words);
      expect([words[0], status]).not.toEqual([words[0], 0]);
      expect(said).toContain("[engine.source] the Trino of the policy cannot be asked");
      for (const text of [said, ownersLog()]) expect(text).not.toContain(secret);
    }
    expect(JSON.parse((await lethe(url, ["budget", "--format", "json"])).said).charges).toEqual([]);
  });
  const tokenUrl = (text) => [text, withToken(text)];

  it.each([
    ["whose certificate nobody vouches for", () => [withPassword(read("password")), null]],
    [
      "whose certificate is of another name",
      () => [withPassword(read("password")).replace("127.0.0.1", "localhost"), undefined],
    ],
  ])("is not asked, nor told the password, where it is one %s", async (_, shown) => {
    const [url, trusts] = shown();
    const { status, said } = await lethe(url, check, trusts);
    expect(status).not.toBe(0);
    expect(said).toContain("[engine.source] the Trino of the policy cannot be asked");
    for (const text of [said, ownersLog()]) expect(text).not.toContain(read("password"));
  });
});
