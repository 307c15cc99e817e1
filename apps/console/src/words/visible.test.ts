import { expect, it } from "vitest";
import { visible } from "./visible.ts";

it("shows every mark that a page would hide, or by which it would turn what follows", () => {
  expect(visible("safe\u202e).exe\u202c")).toBe("safe‹202e›).exe‹202c›");
  expect(visible("a\u200fb\u2066c\u2069\u0000\u001b[31m")).toBe("a‹200f›b‹2066›c‹2069›‹0›‹1b›[31m");
  expect(visible("\ud800")).toBe("‹d800›");
});

it("leaves letters of every writing, line feeds and tabs as they are", () => {
  for (const text of ["SELECT 1\n\tFROM t", "زيد", "日本", "ε ≤ 0.5", "<img onerror=alert(1)>"])
    expect(visible(text)).toBe(text);
});
