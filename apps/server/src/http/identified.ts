import { signedOut } from "@lethe/serve";
import type { MiddlewareHandler } from "hono";
import type { Admission } from "./admission.ts";
import type { Env } from "./env.ts";
import { openPaths } from "./open-paths.ts";
import { incomingOf } from "./routes/said.ts";

/**
 * Finds out who sends a request before anything else of it is read, so that a body of nobody's is never parsed. A proof that does not hold counts as a sign-in from its address. Errors:
 * serve.signed-out, serve.origin, serve.too-many.
 */
export function identified(admission: Admission): MiddlewareHandler<Env> {
  return async (context, next) => {
    if (!openPaths.has(context.req.path)) {
      const who = await admission.identify(incomingOf(context)).catch(async (error: unknown) => {
        await admission.admit("sign-in", null, context.env.address);
        throw error;
      });
      if (who === null) throw signedOut();
      context.set("who", who);
    }
    await next();
  };
}
