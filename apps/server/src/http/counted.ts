import type { MiddlewareHandler } from "hono";
import type { Admission } from "./admission.ts";
import type { Env } from "./env.ts";

/**
 * Counts a request that was refused before its route drew from a rate, such as one whose body is no JSON or whose path is nobody's: it draws from the rate of reads, or of sign-ins where nobody is
 * signed in. Otherwise one could send as many of them as one likes. Errors: serve.too-many.
 */
export function counted(admission: Admission): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    if (context.get("admitted")) return;
    const who = context.get("who") ?? null;
    await admission.admit(who === null ? "sign-in" : "read", who, context.env.address);
  };
}
