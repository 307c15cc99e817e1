import { gzipSync } from "node:zlib";
import type { Context, Hono } from "hono";
import type { Env } from "../http/env.ts";
import { page } from "./page.generated.ts";

/**
 * What the page may load and do: its own scripts and style, and requests to the service that served it. No inline code, no frame, no form that leaves, and no text that becomes markup.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lethe-thread",
].join("; ");

/** The ways to sign in that the page offers. */
export interface SignInWays {
  readonly passwords: boolean;
  readonly provider: boolean;
}

/** Adds the page, its scripts and its style. The names of these hold their hashes, so that a browser may keep them. The page says how one signs in, the same to everybody. */
export function addPage(app: Pick<Hono<Env>, "get">, { passwords, provider }: SignInWays): void {
  const ways = [...(passwords ? ["password"] : []), ...(provider ? ["provider"] : [])].join(" ");
  const html = page.html.replace("{{signIn}}", ways);
  app.get("/", (context) => {
    context.header("content-security-policy", policy);
    return context.body(html, 200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
    });
  });
  // Browsers ask for it unasked.
  app.get("/favicon.ico", (context) => context.body(null, 204));
  for (const asset of page.assets) {
    let small: Uint8Array<ArrayBuffer> | null = null;
    app.get(asset.path, (context) => {
      const headers = { "content-type": asset.type, "cache-control": kept, vary: "accept-encoding" };
      context.header("content-security-policy", policy);
      if (!takesGzip(context)) return context.body(asset.text, 200, headers);
      // The same bytes for everybody, with nothing of anybody in them: their length tells nothing.
      small ??= new Uint8Array(gzipSync(asset.text, { level: 9 }));
      return context.body(small, 200, { ...headers, "content-encoding": "gzip" });
    });
  }
}

const kept = "public, max-age=31536000, immutable";

function takesGzip(context: Context<Env>): boolean {
  return /(?:^|,)\s*gzip\s*(?:,|$)/.test(context.req.header("accept-encoding") ?? "");
}
