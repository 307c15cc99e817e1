import { type ErrorCode, LetheError } from "@lethe/core";
import { errorCodes } from "@lethe/core/errors";
import { describe, expect, test } from "vitest";
import { answerProblem } from "./answer-problem.ts";
import { problemOf } from "./problem.ts";

const codes = Object.keys(errorCodes) as ErrorCode[];
/** The statuses that a client of the API has to know. */
const known = [400, 401, 402, 403, 404, 406, 409, 413, 422, 429, 500, 503];
/** What a refusal may know of files and settings, and must not tell to those who only ask. */
const inner = "/srv/people.parquet is not readable by lethe";

describe("every code of an error", () => {
  test.each(codes)("%s becomes a problem with its code, its status and a fix", async (code) => {
    const error = new LetheError(code, inner, { fix: `mend ${inner}`, fields: { name: inner } });
    const response = answerProblem(error);
    const body = JSON.parse(await response.text());
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(known).toContain(response.status);
    expect(body).toMatchObject({
      type: `urn:lethe:error:${code}`,
      title: errorCodes[code],
      status: response.status,
      code,
    });
    expect(body.fix).not.toBe("");
    const isOfOperators = response.status >= 500 && !code.startsWith("serve.");
    if (isOfOperators) expect(JSON.stringify(body)).not.toContain(inner);
    else expect(body).toMatchObject({ detail: inner, fix: `mend ${inner}`, fields: { name: inner } });
  });

  test("of an operator's fault tells the same as every other of its code", () => {
    for (const code of ["engine.failed", "ledger.corrupt", "policy.invalid"] as const) {
      const told = ["one thing", "another"].map((message) =>
        problemOf(new LetheError(code, message, { fix: message, offset: 3 })),
      );
      expect(told[0]).toEqual(told[1]);
    }
  });
});

test.each([
  ["an error of the program", new TypeError("rows[3] is 'Zebedee'")],
  ["a text that was thrown", "Zebedee"],
  ["nothing", undefined],
  ["what a signal gives", new DOMException("Zebedee", "AbortError")],
])("%s tells nothing of itself", async (_, error) => {
  const response = answerProblem(error, "SELECT 1");
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).not.toMatch(/Zebedee|TypeError|Abort/);
  expect(JSON.parse(text)).toMatchObject({ code: "internal.invariant" });
});

test("a wait and a proof that is missing are told by headers too", () => {
  const wait = new LetheError("serve.too-many", "too many", { fix: "wait", fields: { retryAfter: 7 } });
  expect(answerProblem(wait).headers.get("retry-after")).toBe("7");
  const signedOut = answerProblem(new LetheError("serve.signed-out", "signed out", { fix: "sign in" }));
  expect(signedOut.headers.get("www-authenticate")).toBe('Bearer realm="lethe"');
});

test("a place in a question is its line and column, in characters, and none without the question", () => {
  const error = new LetheError("query.syntax", "no", { fix: "yes", offset: 9 });
  expect(problemOf(error, "SELECT 1\nFRM x")).toMatchObject({ line: 2, column: 1 });
  expect(problemOf(error)).not.toHaveProperty("line");
});
