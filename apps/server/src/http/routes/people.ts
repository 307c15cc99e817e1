import { createRoute, z } from "@hono/zod-openapi";
import { parseRational, toText } from "@lethe/core";
import { type Person, type Role, roles, type TokenRecord } from "@lethe/serve";
import type { App, AppParts } from "../app-parts.ts";
import { personSchema, tokenSchema } from "../bodies/schemas.ts";
import { access, admitted, answers, nothing, proofs, refusals, sent } from "./said.ts";

const role = z.enum(roles);

interface NewPerson {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly projects?: readonly string[] | undefined;
  readonly password?: string | undefined;
}

const newPerson: z.ZodType<NewPerson> = z
  .strictObject({
    name: z.string(),
    roles: z.array(role).min(1).max(4),
    projects: z.array(z.string().max(100)).max(100).optional(),
    password: z.string().max(1000).optional(),
  })
  .openapi("NewPerson");

interface PersonChanges {
  readonly roles?: readonly Role[] | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
  readonly identities?: readonly { readonly issuer: string; readonly subject: string }[] | undefined;
}

const personChanges: z.ZodType<PersonChanges> = z
  .strictObject({
    roles: z.array(role).min(1).max(4).optional(),
    projects: z.array(z.string().max(100)).max(100).optional(),
    disabled: z.boolean().optional(),
    identities: z
      .array(z.strictObject({ issuer: z.string().max(500), subject: z.string().max(500) }))
      .max(20)
      .optional(),
  })
  .openapi("PersonChanges");

interface NewToken {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly maxEpsilon?: string | undefined;
  readonly expiresAt: string;
}

const newToken: z.ZodType<NewToken> = z
  .strictObject({
    name: z.string(),
    roles: z.array(role).min(1).max(4),
    maxEpsilon: z.string().max(100).optional().openapi({
      description: "The most ε that one question may cost. What the policy allows, where it is left out.",
    }),
    expiresAt: z.iso.datetime().openapi({ description: "ISO 8601, within a year." }),
  })
  .openapi("NewToken");

interface NewPassword {
  readonly password: string;
  readonly current?: string | undefined;
}

const newPassword: z.ZodType<NewPassword> = z
  .strictObject({
    password: z.string().max(1000),
    current: z
      .string()
      .max(1000)
      .optional()
      .openapi({ description: "Your password until now, for your own." }),
  })
  .openapi("NewPassword");

const named = z.object({ name: z.string().min(1).max(200) });
const body = <T extends z.ZodType>(schema: T) =>
  ({ body: { required: true, content: { "application/json": { schema } } } }) as const;
const done = { 204: { description: "Done." } } as const;

const list = createRoute({
  method: "get",
  path: "/v1/people",
  ...access("person.list"),
  summary: "List the people who are let in",
  security: proofs,
  responses: { 200: answers(z.object({ items: z.array(personSchema) }), "People."), ...refusals },
});
const add = createRoute({
  method: "post",
  path: "/v1/people",
  ...access("person.add"),
  summary: "Let a person in",
  security: proofs,
  request: body(newPerson),
  responses: { 201: answers(personSchema, "The person."), ...refusals },
});
const read = createRoute({
  method: "get",
  path: "/v1/people/{name}",
  ...access("person.read"),
  summary: "See a person",
  security: proofs,
  request: { params: named },
  responses: { 200: answers(personSchema, "The person."), ...refusals },
});
const changeOne = createRoute({
  method: "patch",
  path: "/v1/people/{name}",
  ...access("person.change"),
  summary: "Change a person's roles, projects and identities, or disable them",
  security: proofs,
  request: { params: named, ...body(personChanges) },
  responses: { 200: answers(personSchema, "The person."), ...refusals },
});
const password = createRoute({
  method: "put",
  path: "/v1/people/{name}/password",
  ...access("password.change", "password.set"),
  summary: "Set a password, which ends every session of the person",
  security: proofs,
  request: { params: named, ...body(newPassword) },
  responses: { ...done, ...refusals },
});
const makeToken = createRoute({
  method: "post",
  path: "/v1/people/{name}/tokens",
  ...access("token.create"),
  summary: "Make a token, which is shown once",
  security: proofs,
  request: { params: named, ...body(newToken) },
  responses: {
    201: answers(z.object({ id: z.string(), token: z.string() }), "The token."),
    ...refusals,
  },
});
const listTokens = createRoute({
  method: "get",
  path: "/v1/people/{name}/tokens",
  ...access("token.list"),
  summary: "List the tokens of a person, without what proves them",
  security: proofs,
  request: { params: named },
  responses: { 200: answers(z.object({ items: z.array(tokenSchema) }), "Tokens."), ...refusals },
});
const endToken = createRoute({
  method: "delete",
  path: "/v1/people/{name}/tokens/{id}",
  ...access("token.revoke"),
  summary: "Revoke a token, at once",
  security: proofs,
  request: { params: named.extend({ id: z.string().max(100) }) },
  responses: { ...done, ...refusals },
});

/** Adds the routes of people, their passwords and their tokens. */
export function addPeopleRoutes(app: App, { admission, desk }: Pick<AppParts, "admission" | "desk">): void {
  app.openapi(list, async (context) => {
    const who = await admitted(context, admission, "read");
    return sent({ items: (await desk.list(who)).map(shown) });
  });
  app.openapi(add, async (context) => {
    const who = await admitted(context, admission, "change");
    return sent(shown(await desk.add(who, stated(context.req.valid("json")))), 201);
  });
  app.openapi(read, async (context) => {
    const who = await admitted(context, admission, "read");
    return sent(shown(await desk.person(who, context.req.valid("param").name)));
  });
  app.openapi(changeOne, async (context) => {
    const who = await admitted(context, admission, "change");
    const { name } = context.req.valid("param");
    return sent(shown(await desk.change(who, name, stated(context.req.valid("json")))));
  });
  app.openapi(password, async (context) => {
    const who = await admitted(context, admission, "change");
    const { password: next, current = null } = context.req.valid("json");
    const { address } = context.env;
    await desk.setPassword(who, context.req.valid("param").name, { current, next, address });
    return nothing();
  });
  app.openapi(makeToken, async (context) => {
    const who = await admitted(context, admission, "change");
    const { maxEpsilon, expiresAt, ...wish } = context.req.valid("json");
    const { id, text } = await desk.createToken(who, context.req.valid("param").name, {
      ...wish,
      maxEpsilon: maxEpsilon === undefined ? null : parseRational(maxEpsilon, "maxEpsilon"),
      expiresAt: Date.parse(expiresAt),
    });
    return sent({ id, token: text }, 201);
  });
  app.openapi(listTokens, async (context) => {
    const who = await admitted(context, admission, "read");
    return sent({ items: (await desk.tokens(who, context.req.valid("param").name)).map(shownToken) });
  });
  app.openapi(endToken, async (context) => {
    const who = await admitted(context, admission, "change");
    const { name, id } = context.req.valid("param");
    await desk.revokeToken(who, name, id);
    return nothing();
  });
}

/** The members of a body that were stated. */
function stated<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** A person without what proves them. */
function shown({
  name,
  roles: held,
  disabled,
  projects,
  identities,
  password: set,
  createdAt,
}: Person): object {
  return {
    name,
    roles: held,
    disabled,
    projects,
    identities,
    hasPassword: set !== null,
    createdAt: iso(createdAt),
  };
}

function shownToken({ id, name, roles: held, maxEpsilon, createdAt, expiresAt }: TokenRecord): object {
  return {
    id,
    name,
    roles: held,
    maxEpsilon: maxEpsilon === null ? null : toText(maxEpsilon),
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
  };
}

const iso = (at: number): string => new Date(at).toISOString();
