import { createRoute, z } from "@hono/zod-openapi";
import type { App, AppParts } from "../app-parts.ts";
import { meSchema } from "../bodies/schemas.ts";
import { admitted, answers, incomingOf, nothing, proofs, refusals, sent } from "./said.ts";

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
  summary: "Sign in by name and password; the session is a cookie",
  request: { body: { required: true, content: { "application/json": { schema: credentials } } } },
  responses: { 204: { description: "Signed in." }, ...refusals },
});

const end = createRoute({
  method: "delete",
  path: "/v1/session",
  summary: "Sign out",
  security: proofs,
  responses: { 204: { description: "Signed out." }, ...refusals },
});

const me = createRoute({
  method: "get",
  path: "/v1/me",
  summary: "See who you are, and what you may do",
  security: proofs,
  responses: { 200: answers(meSchema, "Yourself."), ...refusals },
});

/** Adds the routes of sessions. */
export function addSessionRoutes(app: App, { admission, desk }: Pick<AppParts, "admission" | "desk">): void {
  app.openapi(begin, async (context) => {
    const { address } = context.env;
    context.set("admitted", true);
    admission.admit("sign-in", null, address);
    const given = context.req.valid("json");
    const cookie = await admission.begin(incomingOf(context), () => desk.signIn({ ...given, address }));
    return nothing({ "set-cookie": cookie });
  });
  app.openapi(end, async (context) => {
    // Nobody is kept from signing out.
    context.set("admitted", true);
    return nothing({ "set-cookie": await admission.end(incomingOf(context)) });
  });
  app.openapi(me, (context) => {
    const { name, roles, projects, proof } = admitted(context, admission, "read");
    return sent({ name, roles, projects, by: proof.kind });
  });
}
