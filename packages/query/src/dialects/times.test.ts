import { describe, expect, it } from "vitest";
import { compileExpression } from "../compile/stored/compile-expression.ts";
import type { Expression } from "../expressions/expression.ts";
import { resolvedSum } from "../resolve/testing/resolved-sum.ts";
import { dialects } from "./index.ts";

const reader = { value: () => "x", compared: () => null };

describe("EXTRACT(EPOCH …)", () => {
  it("is seconds: of a date its days times 86,400, of a timestamp its microseconds over a million", async () => {
    const [day, moment] = [
      await resolvedSum("EXTRACT(EPOCH FROM hired)"),
      await resolvedSum("EXTRACT(EPOCH FROM seen)"),
    ];
    for (const dialect of Object.values(dialects)) {
      const seconds = (expression: Expression): string => compileExpression(expression, reader, dialect);
      expect(seconds(day)).toBe(`(x * ${dialect.double(86_400)})`);
      expect(seconds(moment)).toBe(`(x / ${dialect.double(1e6)})`);
    }
  });
});
