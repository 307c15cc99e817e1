import { expect, it } from "vitest";
import { keyText } from "./key-text.ts";

it("a key reads as its value; what is missing, left over or grouped away has a mark that no value reads like", () => {
  expect(keyText("north")).toBe("north");
  expect(keyText(7)).toBe("7");
  expect(keyText(false)).toBe("false");
  expect(keyText("")).toBe("");
  expect(keyText(null)).toBe("(null)");
  expect(keyText(null, true)).toBe("(all)");
  expect(keyText({ other: true })).toBe("(other)");
  for (const mark of ["(null)", "(other)", "(all)"]) expect(keyText(mark)).toBe(`"${mark}"`);
  expect(keyText({ value: 12.5, lower: 10, upper: 15 })).toBe("12.5");
});
