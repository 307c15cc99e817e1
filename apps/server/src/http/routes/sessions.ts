import { createRoute, z } from "@hono/zod-openapi";
import type { App, AppParts } from "../app-parts.ts";
import { sessionSchema } from "../bodies/record-schemas.ts";
import { meSchema } from "../bodies/schemas.ts";
import { endAdmission } from "../traced.ts";
import { access, admitted, answers, incomingOf, nothing, proofs, refusals, sent, whose } from "./said.ts";

interface Credentials {
  readonly name: string;
  readonly password: string;
}

const credentials: z.ZodType<Credentials> = z
  .strictObject({ name: z.string().min(1).max(200), password: z.string().min(1).max(1000) })
  .openapi("Credentials");

const begin = createRoute({
  method: "post",
  path: "/v1/session",
  ...access("sign-in.begin"),
  summary: "Sign in by name and password; the session is a cookie",
  request: { body: { required: true, content: { "application/json": { schema: credentials } } } },
  responses: { 204: { description: "Signed in." }, ...refusals },
});

const end = createRoute({
  method: "delete",
  path: "/v1/session",
  ...access("sign-in.begin"),
  summary: "Sign out",
  security: proofs,
  responses: { 204: { description: "Signed out." }, ...refusals },
});

const me = createRoute({
  method: "get",
  path: "/v1/me",
  ...access(),
  summary: "See who you are, and what you may do",
  security: proofs,
  responses: { 200: answers(meSchema, "Yourself."), ...refusals },
});

const list = createRoute({
  method: "get",
  path: "/v1/sessions",
  ...access("session.list"),
  summary: "List the sessions of a person that hold",
  security: proofs,
  request: { query: whose },
  responses: { 200: answers(z.object({ items: z.array(sessionSchema) }), "Sessions."), ...refusals },
});

const endOne = createRoute({
  method: "delete",
  path: "/v1/sessions/{id}",
  ...access("session.revoke"),
  summary: "End a session, at once",
  security: proofs,
  request: { query: whose, params: z.object({ id: z.string().max(100) }) },
  responses: { 204: { description: "Ended." }, ...refusals },
});

const endAll = createRoute({
  method: "delete",
  path: "/v1/sessions",
  ...access("session.revoke"),
  summary: "End every session of a person, at once",
  security: proofs,
  request: { query: whose },
  responses: { 204: { description: "Ended." }, ...refusals },
});

/** Adds the routes of sessions. */
export function addSessionRoutes(app: App, { admission, desk }: Pick<AppParts, "admission" | "desk">): void {
  app.openapi(begin, async (context) => {
    const { address } = context.env;
    context.set("admitted", true);
    await admission.admit("sign-in", null, address);
    endAdmission(context);
    const given = context.req.valid("json");
    const cookie = await admission.begin(incomingOf(context), () => desk.signIn({ ...given, address }));
    return nothing({ "set-cookie": cookie });
  });
  app.openapi(end, async (context) => {
    // Nobody is kept from signing out.
    context.set("admitted", true);
    return nothing({ "set-cookie": await admission.end(incomingOf(context)) });
  });
  app.openapi(list, async (context) => {
    const who = await admitted(context, admission, "read");
    const sessions = await desk.sessions(who, context.req.valid("query").of ?? who.name);
    const iso = (at: number): string => new Date(at).toISOString();
    return sent({
      items: sessions.map(({ startedAt, usedAt, ...shown }) => ({
        ...shown,
        startedAt: iso(startedAt),
        usedAt: iso(usedAt),
      })),
    });
  });
  app.openapi(endOne, async (context) => {
    const who = await admitted(context, admission, "change");
    await desk.endSession(who, context.req.valid("query").of ?? who.name, context.req.valid("param").id);
    return nothing();
  });
  app.openapi(endAll, async (context) => {
    const who = await admitted(context, admission, "change");
    await desk.endSessions(who, context.req.valid("query").of ?? who.name);
    return nothing();
  });
  app.openapi(me, async (context) => {
    const { name, roles, projects, proof } = await admitted(context, admission, "read");
    return sent({ name, roles, projects, by: proof.kind });
  });
}
