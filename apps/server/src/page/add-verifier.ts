import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Context, Hono } from "hono";
import type { Env } from "../http/env.ts";

/**
 * What the thread that verifies may load and do: compile PostgreSQL's grammar, which it fetches from this service. The page itself may compile nothing: a thread keeps what is said with its own script, and not with the page.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** A file as it is sent. */
interface Sent {
  readonly type: string;
  readonly tag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly small: Uint8Array<ArrayBuffer>;
}

/** Adds the thread by which the page verifies releases, and PostgreSQL's grammar, which its script looks for beside itself. Both are read when they are first asked for. */
export function addVerifier(app: Pick<Hono<Env>, "get">): void {
  const add = (path: string, type: string, read: () => Promise<Uint8Array>): void => {
    let sent: Promise<Sent> | null = null;
    app.get(path, async (context) => {
      sent ??= read().then((bytes) => sentAs(type, bytes));
      return answer(context, await sent);
    });
  };
  add("/verify/worker.js", "text/javascript; charset=utf-8", async () => {
    const { verifyWorker } = await import("./verify-worker.generated.ts");
    return Buffer.from(verifyWorker, "utf8");
  });
  add("/verify/libpg-query.wasm", "application/wasm", () =>
    readFile(join(dirname(createRequire(import.meta.url).resolve("libpg-query")), "libpg-query.wasm")),
  );
}

function sentAs(type: string, bytes: Uint8Array): Sent {
  const tag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  return { type, tag, bytes: new Uint8Array(bytes), small: new Uint8Array(gzipSync(bytes)) };
}

/** A browser keeps the file, and asks whether it is still the one: a new release of Lethe has the same paths. */
function answer(context: Context<Env>, { type, tag, bytes, small }: Sent): Response {
  const headers = {
    "content-type": type,
    "cache-control": "no-cache",
    "content-security-policy": policy,
    etag: tag,
    vary: "accept-encoding",
  };
  if (context.req.header("if-none-match") === tag) return context.body(null, 304, headers);
  if (!/\bgzip\b/.test(context.req.header("accept-encoding") ?? "")) return context.body(bytes, 200, headers);
  return context.body(small, 200, { ...headers, "content-encoding": "gzip" });
}
