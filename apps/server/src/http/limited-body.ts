import { tooLarge } from "@lethe/serve";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Env } from "./env.ts";
import { answerProblem } from "./problems/answer-problem.ts";

/** Refuses a body of more bytes. Where its length is stated, which the socket holds it to, nothing of it is read for that. */
export function limitedBody(mostBytes: number): MiddlewareHandler<Env> {
  const onError = (): Response => answerProblem(tooLarge(mostBytes));
  const counted = bodyLimit({ maxSize: mostBytes, onError });
  return async (context, next) => {
    const length = context.req.header("content-length");
    if (length === undefined || context.req.header("transfer-encoding") !== undefined)
      return counted(context, next);
    return Number(length) <= mostBytes ? next() : onError();
  };
}
