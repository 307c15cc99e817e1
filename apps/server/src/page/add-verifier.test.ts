import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { Env } from "../http/env.ts";
import { addVerifier } from "./add-verifier.ts";

const app = new Hono<Env>();
addVerifier(app);
const get = (path: string, headers: Readonly<Record<string, string>> = {}) => app.request(path, { headers });

describe("the thread that verifies", () => {
  it("may compile the grammar and load from the service, and nothing else; it names no module of Node", async () => {
    const response = await get("/verify/worker.js");
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const script = await response.text();
    expect(script).toContain("what was charged is not what the plan states");
    expect(script).not.toMatch(/(?:from|import\(|require\()\s*["']node:(?!fs|crypto)/);
  });

  it("has the grammar beside it, as WebAssembly", async () => {
    const response = await get("/verify/libpg-query.wasm");
    expect(response.headers.get("content-type")).toBe("application/wasm");
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 4)]).toEqual([0, 0x61, 0x73, 0x6d]);
  });

  it.each(["worker.js", "libpg-query.wasm"])(
    "%s is sent small, and once while it stays the same",
    async (name) => {
      const whole = await get(`/verify/${name}`);
      const small = await get(`/verify/${name}`, { "accept-encoding": "br, gzip" });
      expect(small.headers.get("content-encoding")).toBe("gzip");
      expect(whole.headers.get("content-encoding")).toBeNull();
      const [sent, packed] = [await whole.arrayBuffer(), await small.arrayBuffer()];
      expect(gunzipSync(packed).equals(Buffer.from(sent))).toBe(true);
      expect(packed.byteLength * 2).toBeLessThan(sent.byteLength);
      const tag = whole.headers.get("etag") ?? "";
      expect((await get(`/verify/${name}`, { "if-none-match": tag })).status).toBe(304);
      expect((await get(`/verify/${name}`, { "if-none-match": '"another"' })).status).toBe(200);
    },
  );
});
