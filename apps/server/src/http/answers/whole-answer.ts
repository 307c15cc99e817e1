import type { MiddlewareHandler } from "hono";
import type { Env } from "../env.ts";

/**
 * Every answer has these headers: nothing of it is stored, and no browser loads, frames, runs or guesses at anything in it. A page states its own policy, and what of it may be stored.
 */
export const protections: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

/** The headers that a route may state in another way. */
const stated: ReadonlySet<string> = new Set(["content-security-policy", "cache-control"]);

const whole = new WeakSet<Response>();

/**
 * Makes an answer of a text that is there in whole. It has its protections from the beginning: an answer whose headers are looked at or set afterwards is built a second time before it leaves, which
 * takes longer than all else that is done for a question that was answered before.
 * @param headers in lower case
 */
export function wholeAnswer(
  text: string | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const answer = new Response(text, { status, headers: { ...protections, ...headers } });
  whole.add(answer);
  return answer;
}

/** Gives every answer its protections that has none yet, and tells browsers that reach the service over TLS to keep to it for a year. */
export function protectedAnswers(tls: boolean): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { res } = context;
    if (!whole.has(res))
      for (const [name, value] of Object.entries(protections))
        if (!(stated.has(name) && res.headers.has(name))) res.headers.set(name, value);
    if (tls) res.headers.set("strict-transport-security", "max-age=31536000");
  };
}
