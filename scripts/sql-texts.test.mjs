import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sqlTexts } from "./house/sql-texts.mjs";

const room = fileURLToPath(new URL("../packages/query/src/compile", import.meta.url));
const sources = readdirSync(room, { recursive: true })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .sort();

/* An @ stands for a dollar sign: these are texts of modules, and no templates. */
describe("SQL in the strings of a module", () => {
  it.each([
    ["`(@{a} << @{b})`", [" << "]],
    ["`CAST(@{x} AS @{type})`", ["CAST("]],
    ['const as = "AS MATERIALIZED (";', ["AS MATERIALIZED ("]],
    ['x.join(" || ")', [" || "]],
    ["`@{x}::text`", ["::text"]],
    ["`@{a} / @{b} % @{c}`", [" / ", " % "]],
    ["`SELECT @{columns}`", ["SELECT "]],
    ['value ? "TRUE" : other', ["TRUE"]],
  ])("is found in %s", (text, found) => {
    expect(sqlTexts(text.replaceAll("@", "$")).map((each) => each.text)).toEqual(found);
  });

  it.each([
    ["a << b", "code"],
    ["/* CAST(x AS y) */", "a comment"],
    ['import { a } from "../a / b.ts";', "a module's name"],
    ['throw new TypeError("a table IS one / two");', "an error's message"],
    ["`own.w@{word}`", "a name"],
    ['compare(a, "<=", b)', "the name of a comparison"],
  ])("is not %s: %s", (text) => {
    expect(sqlTexts(text.replaceAll("@", "$"))).toEqual([]);
  });
});

describe("compile", () => {
  it("has its sources here", () => {
    expect(sources.length).toBeGreaterThan(30);
  });

  it.each(sources)("writes no SQL of its own: %s", (path) => {
    expect(sqlTexts(readFileSync(`${room}/${path}`, "utf8"))).toEqual([]);
  });
});
