import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../packages/core/src/errors/codes.ts";
import { documentedErrors, usedCodes } from "./house/error-pages.mjs";
import { houseOf, readHouse } from "./house/read-sources.mjs";

const page = readFileSync(new URL("../docs/reference/errors.md", import.meta.url), "utf8");
const root = fileURLToPath(new URL("..", import.meta.url));
const codes = Object.keys(errorCodes);

describe("docs/reference/errors.md", () => {
  const documented = documentedErrors(page);

  it("documents every code, once, in the order of the source, and no other", () => {
    expect(documented.map(({ code }) => code)).toEqual(codes);
  });

  it.each(documented)("$code: meaning, when, what to do, an example", ({ code, text }) => {
    const prose = text.replace(/\s+/g, " ");
    expect(prose.toLowerCase()).toContain(errorCodes[code].toLowerCase());
    for (const part of ["**When:**", "**Do:**", "Example:"]) expect(prose).toContain(part);
  });

  it("would notice a missing page", () => {
    const without = documentedErrors(page.replace("## `ledger.budget`\n", ""));
    expect(without.map(({ code }) => code)).not.toEqual(codes);
  });
});

describe("error codes in the sources", () => {
  it("are all of them raised somewhere", () => {
    const used = usedCodes(readHouse(root));
    expect(codes.filter((code) => !used.has(code))).toEqual([]);
  });

  it("are found only where an error is made", () => {
    const source = [
      "throw new LetheError('a.b', text, {});",
      '// new LetheError("c.d")',
      'refuse("e.f", text);',
      'const code = "not a code";',
    ];
    const house = houseOf(new Map([["packages/x/src/a.ts", source.join("\n")]]), new Map());
    expect([...usedCodes(house)]).toEqual(["a.b", "e.f"]);
  });
});
