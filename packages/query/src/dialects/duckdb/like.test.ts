import { describe, expect, it } from "vitest";
import { like } from "./like.ts";

describe("LIKE for DuckDB", () => {
  it.each(["abc", "a_c", "a%c", "%abc", "abc%", "%abc%", "%\\%\\_%", ""])("leaves %s to LIKE", (pattern) => {
    expect(like("x", pattern)).toBe(`(x LIKE '${pattern}' ESCAPE '\\')`);
  });

  it.each(["%a_c%", "%a%b", "a%b%", "%a%b%", "_%%_", "%_%", "a%%"])("leaves %s to RE2", (pattern) => {
    expect(like("x", pattern)).toContain("regexp_full_match(x, ");
  });

  it("spells what could make DuckDB go back as an expression for RE2, letter by letter", () => {
    expect(like("x", "%a%_b")).toBe("regexp_full_match(x, '.*\\x{61}.*.\\x{62}', 's')");
    expect(like("x", "\\%%'%")).toBe("regexp_full_match(x, '\\x{25}.*\\x{27}.*', 's')");
    expect(like("x", "%%")).toBe("regexp_full_match(x, '.*.*', 's')");
    expect(like("x", "%😀%\0%")).toBe("regexp_full_match(x, '.*\\x{1f600}.*\\x{0}.*', 's')");
  });
});
