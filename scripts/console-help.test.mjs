import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../packages/core/src/errors/codes.ts";
import { errorHelp, glossaryHelp } from "./console-help.mjs";

const pageOf = (name) => readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");
const page = pageOf("reference/errors.md");

describe("the console's help", () => {
  it("has every error in its four parts, and no markup but of code", () => {
    const errors = errorHelp(page);
    expect(errors.map(({ code }) => code)).toEqual(Object.keys(errorCodes));
    for (const { code, ...parts } of errors)
      for (const [part, text] of Object.entries(parts)) {
        expect(text, `${code} ${part}`).toMatch(/\S.{8,}/);
        expect(text, `${code} ${part}`).not.toMatch(/\*\*|\]\(|\n|Example:/);
        expect(text.split("`").length % 2, `${code} ${part}`).toBe(1);
      }
    expect(errors.find(({ code }) => code === "serve.forbidden")).toEqual({
      code: "serve.forbidden",
      meaning: "None of your roles may do this.",
      when: "a route of the service is asked for that the table of access gives to other roles.",
      fix: "ask an owner for the role, or use a token that has it.",
      example: "an analyst who lists the people.",
    });
  });

  it("refuses a page of errors where one lacks a part", () => {
    expect(() => errorHelp(page.replace("**Do:**", "Do"))).toThrow("parameter.invalid lacks a part");
  });

  it("has every word of the glossary, in its parts", () => {
    const parts = glossaryHelp(pageOf("glossary.md"));
    expect(parts.map(({ title }) => title)).toContain("Who pays");
    const terms = parts.flatMap((part) => part.terms);
    expect(terms.length).toBeGreaterThan(30);
    for (const { meaning } of terms) expect(meaning).toMatch(/\.$/);
    expect(terms.find(({ term }) => term === "bounds")).toMatchObject({
      policy: ["bounds"],
      flags: ["--bounds"],
    });
  });
});
