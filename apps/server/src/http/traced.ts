import { type Attributes, type Span, trace } from "@opentelemetry/api";
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Env } from "./env.ts";

/**
 * Opens a span for each request, which ends when the request is let in, and so before anything is planned, charged or executed: a span has a duration, and that of an execution on private rows
 * must be nobody's. A request that is refused before that has its status; of one that is let in nothing more is told. There is no caller's context in a span, no name, no address and no path.
 */
export function traced(): MiddlewareHandler<Env> {
  return async (context, next) => {
    const span = trace
      .getTracer("lethe")
      .startSpan("request", { root: true, attributes: { "http.request.method": context.req.method } });
    context.set("span", span);
    await next();
    end(context, routePath(context, -1), { "http.response.status_code": context.res.status });
  };
}

/** Ends the span of a request that is let in. */
export function endAdmission(context: Context<Env>): void {
  end(context, routePath(context), { "lethe.admitted": true });
}

function end(context: Context<Env>, route: string, attributes: Attributes): void {
  const span: Span | undefined = context.get("span");
  if (span === undefined) return;
  context.set("span", undefined);
  span.setAttributes({ ...attributes, "http.route": route });
  span.end();
}
