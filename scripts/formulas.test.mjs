import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { gather, readCore } from "./formulas/gather.mjs";
import { renderPage } from "./formulas/page.mjs";
import { readDoc, readFormulas } from "./formulas/read-formulas.mjs";
import { tools } from "./formulas/rooms.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(new URL("../docs/reference/formulas.md", import.meta.url), "utf8");
const found = gather(readCore(root));

describe("docs/reference/formulas.md", () => {
  it("is what npm run formulas would write", () => {
    expect(renderPage(found)).toBe(page);
  });

  it("names a source, a direction and a test for every formula", () => {
    expect(found.faults).toEqual([]);
  });
});

const core = "packages/core/src";
const inCore = (files) =>
  new Map([
    ...[...tools].map((path) => [`${core}/${path}`, "export type Tool = 1;"]),
    ...Object.entries(files).map(([path, text]) => [`${core}/${path}`, text]),
  ]);
const formula = `import { x } from "./x.ts";

/**
 * ρ-zCDP implies (ε, δ)-DP with
 *   ε = ρ + 2·√(ρ·ln 1/δ) (Thm. 1). It is loose.
 * Source: Bun & Steinke 2016, Prop. 1.3
 * (C Prop 1).
 * Direction: upper. Errors: none.
 * @example simple(1)
 */
export function simple(): number { return x; }
`;
const test = 'import { simple } from "./simple.ts"; expect(simple()).toBe(1);';

describe("a formula", () => {
  it("is read from its docstring", () => {
    expect(readFormulas("a.ts", formula)).toEqual([
      {
        name: "simple",
        line: 11,
        statement: "ρ-zCDP implies (ε, δ)-DP with ε = ρ + 2·√(ρ·ln 1/δ) (Thm. 1)",
        source: "Bun & Steinke 2016, Prop. 1.3 (C Prop 1)",
        direction: "upper",
      },
    ]);
    expect(
      readDoc("δ of a pair. Source: X 2020, Thm 1. Direction: exact, rounded up.\nErrors: none."),
    ).toEqual({
      statement: "δ of a pair",
      source: "X 2020, Thm 1",
      direction: "exact, rounded up",
    });
  });

  it("in order has no fault, and a row with a bar escaped", () => {
    const files = inCore({
      "conversions/simple.ts": formula.replace("ρ-zCDP", "|ρ|*zCDP"),
      "conversions/a.test.ts": test,
    });
    const { faults, ...rest } = gather(files);
    expect(faults).toEqual([]);
    const [row] = renderPage(rest).match(/^\| \[`simple`\].*$/m);
    expect(row).toContain("| \\|ρ\\|\\*zCDP implies");
    expect(row).toContain("| [a.test.ts](../../packages/core/src/conversions/a.test.ts) |");
  });

  it.each([
    [
      "no source",
      { "conversions/simple.ts": formula.replace("Source:", "See"), "conversions/a.test.ts": test },
      /"Source/,
    ],
    [
      "no direction",
      { "conversions/simple.ts": formula.replace("Direction:", "So"), "conversions/a.test.ts": test },
      /"Direction/,
    ],
    [
      "an unknown direction",
      { "conversions/simple.ts": formula.replace("upper", "up"), "conversions/a.test.ts": test },
      /"Direction/,
    ],
    ["no test", { "conversions/simple.ts": formula }, /no test/],
    ["no docstring at all", { "amplification/bare.ts": "export const bare = 1;" }, /bare\.ts: no export/],
    [
      "a mechanism without one",
      { "mechanisms/dice/dice.ts": "export const dice = 1;" },
      /mechanisms\/dice: no formula/,
    ],
  ])("with %s is a fault", (_, files, fault) => {
    expect(gather(inCore(files)).faults.join()).toMatch(fault);
  });

  it("is not a type, a re-export or a tool; a tool that is gone is a fault", () => {
    expect(gather(inCore({ "conversions/index.ts": 'export * from "./a.ts";' })).faults).toEqual([]);
    expect(gather(new Map()).faults).toHaveLength(tools.size);
  });
});
