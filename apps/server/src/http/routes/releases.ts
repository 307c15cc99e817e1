import { createRoute, z } from "@hono/zod-openapi";
import { acceptedFormat } from "../answers/negotiate.ts";
import { writeAnswer } from "../answers/write-answer.ts";
import type { App, AppParts } from "../app-parts.ts";
import { answerSchema, certificatePage, releasePage } from "../bodies/schemas.ts";
import { access, admitted, answers, pageAsked, proofs, refusals, sent, whose } from "./said.ts";

const id = z.object({ id: z.string().min(1).max(200) });
const list = createRoute({
  method: "get",
  path: "/v1/releases",
  ...access("release.list"),
  summary: "List what you asked, newest first",
  security: proofs,
  request: {
    query: pageAsked,
  },
  responses: { 200: answers(releasePage, "A page of requests."), ...refusals },
});

const one = createRoute({
  method: "get",
  path: "/v1/releases/{id}",
  ...access("release.read"),
  summary: "Get an answer again, for nothing",
  security: proofs,
  request: { params: id, query: whose },
  responses: { 200: answers(answerSchema, "The release."), ...refusals },
});

const certificate = createRoute({
  method: "get",
  path: "/v1/releases/{id}/certificate",
  ...access("certificate.read"),
  summary: "Get the certificate of an answer, with its signature and without its rows",
  security: proofs,
  request: { params: id, query: whose },
  responses: { 200: answers(z.looseObject({ signature: z.string() }), "The certificate."), ...refusals },
});

const certificates = createRoute({
  method: "get",
  path: "/v1/certificates",
  ...access("certificate.list", "certificate.read"),
  summary: "List certificates with their signatures, newest first",
  description:
    "Yours; for auditors and owners those of all, or of the person that they name. A page may hold fewer than `limit`: requests without an answer have none.",
  security: proofs,
  request: { query: pageAsked.extend(whose.shape) },
  responses: { 200: answers(certificatePage, "A page of certificates."), ...refusals },
});

/** Adds the routes of what was released. */
export function addReleaseRoutes(
  app: App,
  { service, admission }: Pick<AppParts, "service" | "admission">,
): void {
  app.openapi(list, async (context) => {
    const who = await admitted(context, admission, "read");
    const { before = null, limit } = context.req.valid("query");
    return sent(await service.requests(who, { before, most: limit }));
  });
  app.openapi(one, async (context) => {
    const who = await admitted(context, admission, "read");
    const format = acceptedFormat(context.req.header("accept"));
    const release = await service.release(
      who,
      context.req.valid("param").id,
      context.req.valid("query").of ?? null,
    );
    return (await writeAnswer({ kind: "release", release, repeat: null, standing: null }, format)) as never;
  });
  app.openapi(certificates, async (context) => {
    const who = await admitted(context, admission, "read");
    const { before = null, limit, of = null } = context.req.valid("query");
    return sent(await service.certificates(who, { before, most: limit, of }));
  });
  app.openapi(certificate, async (context) => {
    const who = await admitted(context, admission, "read");
    const { id, of } = { ...context.req.valid("param"), ...context.req.valid("query") };
    return sent(await service.certificate(who, id, of ?? null));
  });
}
