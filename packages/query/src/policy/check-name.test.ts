import { expect, test } from "vitest";
import { isName, isPrintable } from "./check-name.ts";

test("a name has 1 to 63 bytes of UTF-8", () => {
  for (const text of ["a", "a b", "x".repeat(63), "é".repeat(31), `${"é".repeat(31)}x`, "😀".repeat(15)])
    expect(isName(text), text).toBe(true);
  for (const text of ["", "x".repeat(64), "é".repeat(32), "😀".repeat(16)])
    expect(isName(text), text).toBe(false);
});

test("a name is no word of the language that policies are read by", () => {
  expect(isName("__proto__")).toBe(false);
  for (const text of ["constructor", "proto", "__proto", "__proto__x"]) expect(isName(text)).toBe(true);
});

test.each([
  0x0, 0x9, 0xa, 0x1f, 0x7f, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069,
  0xd800, 0xdfff,
])("the character %s is in no name, since it hides or reorders a text", (code) => {
  const character = String.fromCharCode(code);
  for (const text of [character, `a${character}`, `${character}a`]) {
    expect(isPrintable(text)).toBe(false);
    expect(isName(text)).toBe(false);
  }
});

test("letters of every script, marks and emoji are printed", () => {
  for (const text of [
    "",
    "Größe",
    "名前",
    "שם",
    "اسم",
    "a\u0301",
    "👩‍👧",
    " ",
    "\u00a0",
    "\u2027",
    "\u202f",
    "\u2065",
    "\u206a",
  ])
    expect(isPrintable(text), text).toBe(true);
});
