import { OpenAPIHono } from "@hono/zod-openapi";
import { absent } from "@lethe/serve";
import { routePath } from "hono/route";
import { addMcp } from "../mcp/add-mcp.ts";
import { addPage } from "../page/add-page.ts";
import { addVerifier } from "../page/add-verifier.ts";
import { mediaTypes } from "./answers/negotiate.ts";
import { protectedAnswers } from "./answers/whole-answer.ts";
import type { App, AppParts } from "./app-parts.ts";
import { counted } from "./counted.ts";
import type { Env } from "./env.ts";
import { identified } from "./identified.ts";
import { limitedBody } from "./limited-body.ts";
import { answerProblem } from "./problems/answer-problem.ts";
import { requestProblem } from "./problems/request-problem.ts";
import { addBudgetRoutes } from "./routes/budget.ts";
import { addDashboardRoutes } from "./routes/dashboards.ts";
import { addOidcRoutes } from "./routes/oidc.ts";
import { addPeopleRoutes } from "./routes/people.ts";
import { addQuestionRoutes } from "./routes/questions.ts";
import { addRecordRoutes } from "./routes/records.ts";
import { addReleaseRoutes } from "./routes/releases.ts";
import { addRequestRoutes } from "./routes/requests.ts";
import { addSessionRoutes } from "./routes/sessions.ts";
import { addShareRoutes } from "./routes/shares.ts";
import { traced } from "./traced.ts";

/** Makes the HTTP service: a function from requests to responses, without a socket. */
export function createApp(parts: AppParts): App {
  const app: App = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw requestProblem(result.error.issues[0]);
    },
  });
  app.use(protectedAnswers(parts.tls));
  app.use(async (context, next) => {
    const at = parts.now();
    await next();
    const { method } = context.req;
    const { status } = context.res;
    parts.log({
      at,
      method,
      route: routePath(context, -1),
      status,
      principal: context.get("who")?.name ?? null,
    });
  });
  const limit = limitedBody(parts.mostBytes);
  for (const path of ["/v1/*", "/mcp"])
    app.use(path, traced(), identified(parts.admission), counted(parts.admission), limit);
  app.onError((error, context) => answerProblem(error, context.get("question")));
  app.notFound(() => answerProblem(absent()));
  app.openAPIRegistry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "__Host-lethe",
  });
  addQuestionRoutes(app, parts);
  addReleaseRoutes(app, parts);
  addRequestRoutes(app, parts);
  addShareRoutes(app, parts);
  addBudgetRoutes(app, parts);
  addDashboardRoutes(app, parts);
  addSessionRoutes(app, parts);
  addOidcRoutes(app, parts);
  addPeopleRoutes(app, parts);
  addRecordRoutes(app, parts);
  addMcp(app, parts);
  addPage(app, { passwords: parts.passwords, provider: parts.provider !== null });
  addVerifier(app);
  addDescription(app);
  return app;
}

/** Adds the API's description. It is made once: whoever is not let in may ask for it as often as they like. */
function addDescription(app: App): void {
  let text: string | null = null;
  app.get("/openapi.json", (context) => {
    text ??= JSON.stringify(
      app.getOpenAPI31Document({
        openapi: "3.1.0",
        info: {
          title: "Lethe",
          version: "1",
          description:
            "Private answers about people's data, each with its error bar, its price and a certificate.",
        },
      }),
    );
    return context.body(text, 200, { "content-type": mediaTypes.json });
  });
}
