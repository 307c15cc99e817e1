import type { Context, Hono } from "hono";
import type { Env } from "../http/env.ts";
import { page } from "./page.generated.ts";

/**
 * What the page may load and do: its own script and style, and requests to the service that served it. No inline code, no frame, no form that leaves, and no text that becomes markup.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The ways to sign in that the page offers. */
export interface SignInWays {
  readonly passwords: boolean;
  readonly provider: boolean;
}

/** Adds the page, its script and its style. The names of these hold their hashes, so that a browser may keep them. The page says how one signs in, the same to everybody. */
export function addPage(app: Pick<Hono<Env>, "get">, { passwords, provider }: SignInWays): void {
  const ways = [...(passwords ? ["password"] : []), ...(provider ? ["provider"] : [])].join(" ");
  const html = page.html.replace("{{signIn}}", ways);
  app.get("/", (context) => text(context, html, "text/html; charset=utf-8", "no-store"));
  // Browsers ask for it unasked.
  app.get("/favicon.ico", (context) => context.body(null, 204));
  app.get(page.script.path, (context) =>
    text(context, page.script.text, "text/javascript; charset=utf-8", kept),
  );
  app.get(page.style.path, (context) => text(context, page.style.text, "text/css; charset=utf-8", kept));
}

const kept = "public, max-age=31536000, immutable";

function text(context: Context<Env>, body: string, type: string, cache: string): Response {
  context.header("content-security-policy", policy);
  return context.body(body, 200, { "content-type": type, "cache-control": cache });
}
