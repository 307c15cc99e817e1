import { createRoute, z } from "@hono/zod-openapi";
import { acceptedFormat } from "../answers/negotiate.ts";
import { writeAnswer } from "../answers/write-answer.ts";
import type { App, AppParts } from "../app-parts.ts";
import { answerSchema } from "../bodies/schemas.ts";
import { access, admitted, answers, proofs, refusals, sent, whose } from "./said.ts";

interface OfferTo {
  readonly to: string;
}

const offerTo: z.ZodType<OfferTo> = z
  .strictObject({ to: z.string().min(1).max(200).openapi({ description: "The person who may receive it." }) })
  .openapi("OfferTo");

const offerMade = z.strictObject({ offer: z.string(), until: z.string() }).openapi("Offer");

const offer = createRoute({
  method: "post",
  path: "/v1/releases/{id}/offers",
  ...access("share.offer"),
  summary: "Offer an answer to another person",
  description:
    "Gives a text that lets that person, and nobody else, receive the answer within a week. Nothing is charged yet, and whether anybody has the name is not told.",
  security: proofs,
  request: {
    params: z.object({ id: z.string().min(1).max(200) }),
    query: whose,
    body: { required: true, content: { "application/json": { schema: offerTo } } },
  },
  responses: { 201: answers(offerMade, "The offer."), ...refusals },
});

interface OfferTaken {
  readonly offer: string;
  readonly project?: string | undefined;
  readonly made?: boolean | undefined;
}

const offerTaken: z.ZodType<OfferTaken> = z
  .strictObject({
    offer: z.string().min(1).max(5000),
    project: z
      .string()
      .max(100)
      .optional()
      .openapi({ description: "The project whose caps pay too; the same each time." }),
    made: z.boolean().optional().openapi({
      description:
        "Refuse, with its price, what you have not received before, so that nothing is charged whatever the offer is.",
    }),
  })
  .openapi("OfferTaken");

const receive = createRoute({
  method: "post",
  path: "/v1/received",
  ...access("share.take"),
  summary: "Receive an answer that was offered to you",
  description:
    "The very bytes that were paid for. Your caps are charged what it cost, once; the account has paid. Again, it is free, also when the offer is over.",
  security: proofs,
  request: { body: { required: true, content: { "application/json": { schema: offerTaken } } } },
  responses: { 200: answers(answerSchema, "The answer."), ...refusals },
});

/** Adds the two routes by which an answer comes to another person. */
export function addShareRoutes(
  app: App,
  { service, admission }: Pick<AppParts, "service" | "admission">,
): void {
  app.openapi(offer, async (context) => {
    const who = await admitted(context, admission, "change");
    const { id: requestId } = context.req.valid("param");
    const of = context.req.valid("query").of ?? null;
    return sent(await service.offer(who, { requestId, of, to: context.req.valid("json").to }), 201);
  });
  app.openapi(receive, async (context) => {
    const who = await admitted(context, admission, "ask");
    const format = acceptedFormat(context.req.header("accept"));
    const { offer: text, project, made = false } = context.req.valid("json");
    const given = { offer: text, made, ...(project === undefined ? {} : { project }) };
    return (await writeAnswer(await service.receive(who, given), format)) as never;
  });
}
