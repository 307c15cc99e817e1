import { createRoute, z } from "@hono/zod-openapi";
import type { App, AppParts } from "../app-parts.ts";
import { budgetSchema } from "../bodies/schemas.ts";
import { access, admitted, answers, proofs, refusals, sent, whose } from "./said.ts";

const read = createRoute({
  method: "get",
  path: "/v1/budget",
  ...access("budget.read", "account.caps", "account.spending"),
  summary: "See what may still be spent and what was spent",
  security: proofs,
  request: {
    query: whose.extend({
      project: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .openapi({ description: "A project, whose caps are told too, and yours in it." }),
    }),
  },
  responses: { 200: answers(budgetSchema, "The budget, as far as you may see it."), ...refusals },
});

/** Adds the route of the budget. */
export function addBudgetRoutes(
  app: App,
  { service, admission }: Pick<AppParts, "service" | "admission">,
): void {
  app.openapi(read, async (context) => {
    const who = await admitted(context, admission, "read");
    const { of = null, project } = context.req.valid("query");
    return sent(await service.budget(who, of, project));
  });
}
