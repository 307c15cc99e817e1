import { createRoute, z } from "@hono/zod-openapi";
import type { Dashboard } from "@lethe/serve";
import type { App, AppParts } from "../app-parts.ts";
import { dashboardChange, dashboardContent, dashboardSchema } from "../bodies/dashboard-schemas.ts";
import { access, admitted, answers, nothing, proofs, refusals, sent } from "./said.ts";

const params = z.object({ id: z.string().min(1).max(100) });
const bodyOf = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: { "application/json": { schema } },
});

const list = createRoute({
  method: "get",
  path: "/v1/dashboards",
  ...access("dashboard.list"),
  summary: "List your dashboards, and those that others let you read",
  security: proofs,
  responses: { 200: answers(z.object({ items: z.array(dashboardSchema) }), "Dashboards."), ...refusals },
});

const add = createRoute({
  method: "post",
  path: "/v1/dashboards",
  ...access("dashboard.add"),
  summary: "Save questions as a dashboard",
  description: "At most 50 of a person. A dashboard holds texts, and no answers.",
  security: proofs,
  request: { body: bodyOf(dashboardContent) },
  responses: { 201: answers(dashboardSchema, "The dashboard."), ...refusals },
});

const read = createRoute({
  method: "get",
  path: "/v1/dashboards/{id}",
  ...access("dashboard.read"),
  summary: "Read a dashboard of yours, or one that you may read",
  security: proofs,
  request: { params },
  responses: { 200: answers(dashboardSchema, "The dashboard."), ...refusals },
});

const change = createRoute({
  method: "put",
  path: "/v1/dashboards/{id}",
  ...access("dashboard.change"),
  summary: "Change a dashboard of yours",
  description: "Refused with 409 where the version that you changed is no longer the newest.",
  security: proofs,
  request: { params, body: bodyOf(dashboardChange) },
  responses: { 200: answers(dashboardSchema, "The dashboard."), ...refusals },
});

const remove = createRoute({
  method: "delete",
  path: "/v1/dashboards/{id}",
  ...access("dashboard.change"),
  summary: "Remove a dashboard of yours",
  security: proofs,
  request: { params },
  responses: { 204: { description: "Removed." }, ...refusals },
});

/** Adds the routes of dashboards. */
export function addDashboardRoutes(
  app: App,
  { dashboards, admission }: Pick<AppParts, "dashboards" | "admission">,
): void {
  app.openapi(list, async (context) => {
    const who = await admitted(context, admission, "read");
    return sent({ items: (await dashboards.list(who)).map(shown) });
  });
  app.openapi(add, async (context) => {
    const who = await admitted(context, admission, "change");
    return sent(shown(await dashboards.add(who, context.req.valid("json"))), 201);
  });
  app.openapi(read, async (context) => {
    const who = await admitted(context, admission, "read");
    return sent(shown(await dashboards.read(who, context.req.valid("param").id)));
  });
  app.openapi(change, async (context) => {
    const who = await admitted(context, admission, "change");
    return sent(
      shown(await dashboards.change(who, context.req.valid("param").id, context.req.valid("json"))),
    );
  });
  app.openapi(remove, async (context) => {
    const who = await admitted(context, admission, "change");
    await dashboards.remove(who, context.req.valid("param").id);
    return nothing();
  });
}

function shown({ changedAt, ...dashboard }: Dashboard): object {
  return { ...dashboard, changedAt: new Date(changedAt).toISOString() };
}
