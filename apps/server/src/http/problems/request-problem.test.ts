import { z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import { expect, test } from "vitest";
import { problemOf } from "./problem.ts";
import { requestProblem } from "./request-problem.ts";

const body = z.strictObject({ sql: z.string().min(1), epsilon: z.string().optional() });

test.each([
  [{ sql: "SELECT 1", eps: "0.1" }, 'the request is not as the API describes it: Unrecognized key: "eps"'],
  [{ sql: "" }, /^sql is not as the API describes it: Too small/],
  [{}, /^sql is not as the API describes it: Invalid input: expected string/],
  [{ sql: "SELECT 1", epsilon: { zebedee: 1 } }, /^epsilon is not as the API describes it: Invalid input/],
])("%j is refused by the part that is wrong", (sent, message) => {
  const { error } = body.safeParse(sent);
  const refusal = requestProblem(error?.issues[0]);
  expect(refusal).toMatchObject({ code: "parameter.invalid", message: expect.stringMatching(message) });
  expect(refusal.fix).toContain("/openapi.json");
  expect(JSON.stringify(problemOf(refusal))).not.toMatch(/got undefined|zebedee/);
});

test("a body that is no JSON is refused as such", () => {
  expect(problemOf(new HTTPException(400))).toMatchObject({
    status: 400,
    detail: "the body is not well-formed JSON",
  });
});
