import { LetheError } from "@lethe/core";
import { expect, it } from "vitest";
import { withQuestion } from "./question-text.ts";
import { reportError } from "./report-error.ts";

/** The lines that are told of an error at this offset of a question. */
async function told(question: string, offset?: number): Promise<readonly string[]> {
  const error = new LetheError("query.type", "it is a text", {
    fix: "cast it",
    ...(offset === undefined ? {} : { offset }),
  });
  await expect(withQuestion(question, () => Promise.reject(error))).rejects.toBe(error);
  return reportError(error).split("\n");
}

const [head, fix] = ["error [query.type] it is a text", "  fix: cast it"];

it("an error of a question is told with line, column, the line, and a mark below the letter", async () => {
  const question = "SELECT COUNT(*)\r\nFROM people\rWHERE\twage = 'x'\n";
  expect(await told(question, question.indexOf("wage"))).toEqual([
    head,
    "  at line 3, column 7",
    "    WHERE wage = 'x'",
    "          ^",
    fix,
  ]);
  expect(await told("SELECT 1", 0)).toEqual([head, "  at line 1, column 1", "    SELECT 1", "    ^", fix]);
});

it("a place is told only where there is one, and of a long line without the line", async () => {
  expect(await told("SELECT 1")).toEqual([head, fix]);
  expect(await told(" \n", 0)).toEqual([head, fix]);
  expect(reportError(new LetheError("query.type", "it is a text", { fix: "cast it", offset: 3 }))).toBe(
    `${head}\n${fix}`,
  );
  const shown = `SELECT ${"x".repeat(153)}`;
  expect(await told(shown, 7)).toHaveLength(5);
  expect(await told(`${shown}x`, 7)).toEqual([head, "  at line 1, column 8", fix]);
});

it("an error steers no terminal, and what is not ours is told without its words", () => {
  const error = new LetheError("query.type", "a\u001b[2J", { fix: "b\u202e" });
  expect(reportError(error)).toBe("error [query.type] a\\u{1b}[2J\n  fix: b\\u{202e}");
  for (const foreign of [new Error("secret"), "secret", null, undefined]) {
    expect(reportError(foreign)).toMatch(
      /^error \[internal\.invariant\] .*nothing was released\n {2}fix: run again with LETHE_DEBUG=1/,
    );
    expect(reportError(foreign)).not.toContain("secret");
  }
});

it("a question may be answered by whoever throws no object", async () => {
  await expect(withQuestion("SELECT 1", () => Promise.reject(7))).rejects.toBe(7);
  expect(await withQuestion("SELECT 1", async (text) => text)).toBe("SELECT 1");
});
