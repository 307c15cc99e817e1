import { z } from "@hono/zod-openapi";
import { type Principal, type RequestKind, type Route, signedOut } from "@lethe/serve";
import type { Context } from "hono";
import type { Admission, Incoming } from "../admission.ts";
import { bodyText } from "../answers/body-text.ts";
import { mediaTypes } from "../answers/negotiate.ts";
import { wholeAnswer } from "../answers/whole-answer.ts";
import { problemSchema } from "../bodies/schemas.ts";
import type { Env } from "../env.ts";
import { problemType } from "../problems/answer-problem.ts";
import { endAdmission } from "../traced.ts";

/** The refusals that any route may answer, for the API's description. */
export const refusals: {
  readonly default: {
    readonly description: string;
    readonly content: { readonly "application/problem+json": { readonly schema: z.ZodType } };
  };
} = { default: { description: "A refusal.", content: { [problemType]: { schema: problemSchema } } } };

/** The routes of the table of access that a route of HTTP asks for, in the API's description. */
export function access(...routes: readonly Route[]): { readonly "x-lethe-access": readonly Route[] } {
  return { "x-lethe-access": routes };
}

/** The ways of proving who sends a request, for the API's description. */
export const proofs: { readonly [scheme: string]: string[] }[] = [{ token: [] }, { session: [] }];

/** The part of a list that is asked for. */
export const pageAsked: z.ZodObject<{
  before: z.ZodOptional<z.ZodString>;
  limit: z.ZodDefault<z.ZodCoercedNumber>;
}> = z.object({
  before: z.string().max(200).optional().openapi({ description: "What the page before gave." }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** Whose objects are asked for. */
export const whose: z.ZodObject<{ of: z.ZodOptional<z.ZodString> }> = z.object({
  of: z.string().max(200).optional().openapi({ description: "Whose: yours, where it is left out." }),
});

/** Returns a JSON answer's description. */
export function answers<T extends z.ZodType>(
  schema: T,
  description: string,
): {
  readonly description: string;
  readonly content: { readonly "application/json": { readonly schema: T } };
} {
  return { description, content: { "application/json": { schema } } };
}

/** Returns who sends a request, whose rate has room for it. Errors: serve.too-many. */
export async function admitted(
  context: Context<Env>,
  admission: Admission,
  kind: RequestKind,
): Promise<Principal> {
  const who = context.get("who");
  if (who === undefined) throw signedOut();
  context.set("admitted", true);
  await admission.admit(kind, who, context.env.address);
  endAdmission(context);
  return who;
}

/** Returns a request as it is let in. */
export function incomingOf(context: Context<Env>): Incoming {
  const { method, raw } = context.req;
  return { method, headers: raw.headers, address: context.env.address };
}

/** An answer without a body. */
export function nothing(headers: Readonly<Record<string, string>> = {}): Response {
  return wholeAnswer(null, 204, headers);
}

/**
 * Writes JSON in which exact numbers are texts. The body is written here, and not by Hono, whose type for a route's answer would be that of plain values: `never` fits every route.
 */
export function sent(value: object, status = 200): never {
  return wholeAnswer(bodyText(value), status, { "content-type": mediaTypes.json }) as never;
}
