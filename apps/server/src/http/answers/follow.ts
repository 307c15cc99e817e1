import type { Explained } from "@lethe/gateway";
import type { ServedAnswer } from "@lethe/serve";
import { renderJson } from "@lethe/serve/formats";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { problemOf } from "../problems/problem.ts";
import { answerBody } from "./write-answer.ts";

/**
 * Answers by a stream of events: `planned`, with the price and what is known before paying, and then one `answer` or `problem`, whose data are what the JSON answer holds. Nothing between the charge and the answer is told,
 * since how long that takes depends on the data.
 */
export function followAnswer(
  context: Context,
  text: string,
  explain: () => Promise<Explained>,
  ask: () => Promise<ServedAnswer>,
): Response {
  context.header("x-accel-buffering", "no");
  const response = streamSSE(context, async (stream) => {
    const send = (event: string, data: object): Promise<void> =>
      stream.writeSSE({ event, data: renderJson(data).replaceAll("\n", "") });
    try {
      const { price, warnings, keyNotice, earlier } = await explain();
      await send("planned", { price, warnings, keyNotice, earlier });
      await send("answer", answerBody(await ask()));
    } catch (error) {
      await send("problem", problemOf(error, text));
    }
  });
  // The stream's own word, no-cache, would let it be stored.
  response.headers.set("cache-control", "no-store");
  return response;
}
