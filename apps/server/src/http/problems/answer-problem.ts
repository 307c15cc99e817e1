import { LetheError } from "@lethe/core";
import { renderJson } from "@lethe/serve/formats";
import { wholeAnswer } from "../answers/whole-answer.ts";
import { problemOf } from "./problem.ts";

/** The media type of a problem, by RFC 9457. */
export const problemType = "application/problem+json";

/** Answers with a refusal; `text` is the question that it is about. A refusal by rate says when to come again, as a header too. */
export function answerProblem(error: unknown, text?: string): Response {
  const problem = problemOf(error, text);
  const wait = error instanceof LetheError ? error.fields.retryAfter : undefined;
  return wholeAnswer(renderJson(problem), problem.status, {
    "content-type": problemType,
    ...(problem.status === 401 ? { "www-authenticate": 'Bearer realm="lethe"' } : {}),
    ...(typeof wait === "number" ? { "retry-after": String(wait) } : {}),
  });
}
