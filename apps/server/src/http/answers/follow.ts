import { renderJson } from "@lethe/serve/formats";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { problemOf } from "../problems/problem.ts";
import type { ServedAnswer, Step } from "../service.ts";
import { answerBody } from "./write-answer.ts";

/**
 * Answers by a stream of events: `step` for each step of the question's way, then one `answer` or `problem`, whose data are what the JSON answer holds. The steps follow from the plan
 * and the ledger: nothing between the charge and the answer is told, since how long that takes depends on the data.
 */
export function followAnswer(
  context: Context,
  text: string,
  ask: (told: (step: Step) => void) => Promise<ServedAnswer>,
): Response {
  return streamSSE(context, async (stream) => {
    let last: Promise<void> = Promise.resolve();
    const send = (event: string, data: object): void => {
      last = last.then(() => stream.writeSSE({ event, data: oneLine(data) }));
    };
    try {
      send("answer", answerBody(await ask((step) => send("step", step))));
    } catch (error) {
      send("problem", problemOf(error, text));
    }
    await last;
  });
}

/** An event's data end at a line break. */
function oneLine(data: object): string {
  return renderJson(data).replaceAll("\n", "");
}
