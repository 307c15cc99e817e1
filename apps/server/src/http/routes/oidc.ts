import { createRoute } from "@hono/zod-openapi";
import { absent, pendingCookie, readCookie, setCookie } from "@lethe/serve";
import type { Context } from "hono";
import type { App, AppParts } from "../app-parts.ts";
import type { Env } from "../env.ts";
import { oidcBegin, oidcCallback } from "../open-paths.ts";
import { endAdmission } from "../traced.ts";
import { access, incomingOf, refusals } from "./said.ts";

const begin = createRoute({
  method: "get",
  path: oidcBegin,
  ...access("sign-in.begin"),
  summary: "Sign in by the provider of identities",
  description:
    "For browsers: it sends them to the provider. Where the service has none there is no such route.",
  responses: { 302: { description: "To the provider." }, ...refusals },
});

const callback = createRoute({
  method: "get",
  path: oidcCallback,
  ...access("sign-in.begin"),
  summary: "Come back from the provider of identities; the session is a cookie",
  description: "The provider sends browsers here, with `state`, `code` and perhaps `iss`.",
  responses: { 302: { description: "Signed in, and on to the page." }, ...refusals },
});

/**
 * Adds the routes of sign-ins by a provider. What a browser keeps between the two is a secret in a cookie of its own, which serves once; what it brings back counts in that browser alone.
 */
export function addOidcRoutes(
  app: App,
  { admission, desk, provider, tls }: Pick<AppParts, "admission" | "desk" | "provider" | "tls">,
): void {
  const form = pendingCookie(tls);
  const admit = async (context: Context<Env>): Promise<NonNullable<typeof provider>> => {
    context.set("admitted", true);
    await admission.admit("sign-in", null, context.env.address);
    endAdmission(context);
    if (provider === null) throw absent();
    return provider;
  };
  app.openapi(begin, async (context) => {
    const { url, secret } = await (await admit(context)).begin();
    return onTo(url, [setCookie(form, secret)]);
  });
  app.openapi(callback, async (context) => {
    const signIns = await admit(context);
    const secret = readCookie(context.req.header("cookie"), form);
    const { searchParams } = new URL(context.req.url);
    const { address } = context.env;
    const cookie = await admission.begin(incomingOf(context), () =>
      desk.signInBy("provider", address, () => signIns.finish(secret, searchParams)),
    );
    return onTo("/", [cookie, setCookie(form, null)]);
  });
}

function onTo(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}
