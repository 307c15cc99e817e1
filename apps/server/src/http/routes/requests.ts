import { createRoute, z } from "@hono/zod-openapi";
import type { RequestNamed } from "@lethe/serve";
import type { App, AppParts } from "../app-parts.ts";
import { requestLine } from "../bodies/schemas.ts";
import { access, admitted, answers, proofs, refusals, sent } from "./said.ts";

const params = z.object({ id: z.string().min(1).max(255) });
const query = z.object({
  by: z.enum(["id", "key"]).optional().openapi({
    description:
      "Whether `id` is the request's id, as it is unless stated, or the Idempotency-Key that it was sent with.",
  }),
});

const read = createRoute({
  method: "get",
  path: "/v1/requests/{id}",
  ...access("request.read"),
  summary: "See the state of a request of your own, once it is charged",
  description:
    "`in-flight` while the service works on it; `charged` where it does not and there is no answer, so that asking again goes on under the same charge; `settled`; `failed`, which is charged too. Under a release schedule it is `in-flight` until its slot.",
  security: proofs,
  request: { params, query },
  responses: { 200: answers(requestLine, "The request."), ...refusals },
});

const cancel = createRoute({
  method: "post",
  path: "/v1/requests/{id}/cancel",
  ...access("request.cancel"),
  summary: "Wait no longer for a request of your own",
  description:
    "Whoever waits for it is refused with `serve.stopped`. The charge stands, and asking again is free once the answer is there. This says the same whether the request was in flight, answered or failed.",
  security: proofs,
  request: { params, query },
  responses: { 202: { description: "Nobody waits any longer." }, ...refusals },
});

/** Adds the routes of requests that were made earlier. */
export function addRequestRoutes(
  app: App,
  { service, admission }: Pick<AppParts, "service" | "admission">,
): void {
  const named = (id: string, by: "id" | "key" | undefined): RequestNamed => ({ id, isKey: by === "key" });
  app.openapi(read, async (context) => {
    const who = await admitted(context, admission, "read");
    const { id, by } = { ...context.req.valid("param"), ...context.req.valid("query") };
    return sent(await service.request(who, named(id, by)));
  });
  app.openapi(cancel, async (context) => {
    const who = await admitted(context, admission, "read");
    const { id, by } = { ...context.req.valid("param"), ...context.req.valid("query") };
    await service.stopWaiting(who, named(id, by));
    return new Response(null, { status: 202 });
  });
}
