import { type ErrorCode, LetheError } from "@lethe/core";
import { answerJsonSchema } from "@lethe/serve/formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { aboutQuestion } from "../question-text.ts";
import { inFolder, lethe, peopleCsv, setUp } from "../testing/command-line.ts";
import { asksJson, errorJson } from "./error-json.ts";
import { errorJsonSchema } from "./error-schema.ts";
import { exitCode } from "./exit-code.ts";

const ajv = new Ajv2020({ allowUnionTypes: true });

it("an error ends the program with a code of its kind", () => {
  const of = (code: ErrorCode): number => exitCode(new LetheError(code, "m", { fix: "f" }));
  expect(
    [
      "cli.usage",
      "query.type",
      "policy.changed",
      "ledger.budget",
      "engine.failed",
      "ledger.missing",
      "release.invalid",
      "ledger.corrupt",
    ].map((code) => of(code as ErrorCode)),
  ).toEqual([2, 3, 4, 5, 6, 7, 8, 8]);
  expect(exitCode(new Error("ours"))).toBe(1);
});

it("errors are JSON where JSON is asked for, by the published schema", async () => {
  expect(
    asksJson(["query", "x", "--format", "json"]) && asksJson(["--format=json"]) && asksJson(["--json"]),
  ).toBe(true);
  expect(asksJson(["query", "json", "--format", "csv"])).toBe(false);
  const text = "SELECT\n  nothing";
  const failed = await aboutQuestion(text, () =>
    Promise.reject(
      new LetheError("query.unknown-column", "no \u001b[31m", {
        fix: "f",
        offset: 9,
        fields: { rewrite: "SELECT 1" },
      }),
    ),
  ).catch((error: unknown) => error);
  const valid = ajv.compile(errorJsonSchema());
  for (const error of [failed, new Error("a secret value"), new LetheError("cli.usage", "m", { fix: "f" })]) {
    const json = errorJson(error);
    expect(valid(JSON.parse(json)), JSON.stringify(valid.errors)).toBe(true);
    expect(json).not.toContain("secret");
    expect(json).not.toContain("\u001b");
  }
  expect(JSON.parse(errorJson(failed)).error).toMatchObject({
    code: "query.unknown-column",
    line: 2,
    column: 3,
    exit: 3,
  });
});

it("answers are JSON by the published schema, with named fields, and verify reads them", () =>
  inFolder({ "people.csv": peopleCsv }, async () => {
    await setUp();
    const asked = "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector";
    const { out } = await lethe("query", asked, "--epsilon", "1/3", "--format", "json", "--yes");
    const json = JSON.parse(out);
    const valid = ajv.compile(answerJsonSchema());
    expect(valid(json), JSON.stringify(valid.errors)).toBe(true);
    expect(json.answer.price).toMatchObject({ epsilon: "1/3" });
    expect(json.answer.rows[0]).toEqual({
      sector: "manufacturing",
      n: { value: expect.any(Number), lower: expect.any(Number), upper: expect.any(Number) },
    });
    const { writeFileSync } = await import("node:fs");
    writeFileSync("release.json", out);
    expect(await lethe("verify", "release.json", "--policy", "lethe.yaml")).toMatchObject({ code: null });
  }));
