import { describe, expect, it } from "vitest";
import { checkDepth, checkLength, maxTextBytes, maxTokenDepth } from "./check-size.ts";
import { scanTokens } from "./scan-tokens.ts";

const tooLarge = (message: RegExp, offset?: number): unknown =>
  expect.objectContaining({
    code: "query.too-large",
    message: expect.stringMatching(message),
    ...(offset === undefined ? {} : { offset }),
  });
const words = (count: number): string => "a ".repeat(count);
const measure = (text: string) => (): void => checkDepth(scanTokens(text));

it("a text may have 64 KiB of UTF-8, and not one byte more", () => {
  expect(maxTextBytes).toBe(2 ** 16);
  for (const text of ["a".repeat(2 ** 16), "é".repeat(2 ** 15)]) {
    expect(() => checkLength(text)).not.toThrow();
    expect(() => checkLength(`${text}a`)).toThrow(tooLarge(/64 KiB/));
  }
});

describe("parts are counted up to 2,000", () => {
  it.each([
    ["of one level", "", ""],
    ["from the last comma of its level on", `${words(1500)},`, ""],
    ["whatever brackets are closed before, at their level", `f((${words(900)}), ${words(900)}),`, ""],
    ["whatever stands behind a comma in open brackets", "", `, ${words(2000)}`],
  ])("%s", (_, before, behind) => {
    const full = `${before}${words(maxTokenDepth)}`;
    expect(measure(`${full}${behind}`)).not.toThrow();
    expect(measure(`${full}b`)).toThrow(tooLarge(/more than 2000 parts/, full.length));
  });

  it("added up over the levels that are open", () => {
    // 1,000 words and a bracket, and within it 999 words; the same with a list in square brackets.
    for (const open of ["(", "["]) {
      const full = `${words(1000)}${open}${words(5)}, ${words(999)}`;
      expect(measure(full)).not.toThrow();
      expect(measure(`${full}b`)).toThrow(tooLarge(/parts/, full.length));
    }
    const two = `${words(1000)}(${words(500)}(${words(498)}`;
    expect(measure(two)).not.toThrow();
    expect(measure(`${two}b`)).toThrow(tooLarge(/parts/, two.length));
  });

  it("and a closed bracket leaves what stood before it, not what stood within", () => {
    const closed = `${words(1000)}(${words(900)})${words(999)}`;
    expect(measure(closed)).not.toThrow();
    expect(measure(`${closed}b`)).toThrow(tooLarge(/parts/, closed.length));
  });

  it("where a bracket closes nothing it is a part like any other", () => {
    const full = ")".repeat(maxTokenDepth);
    expect(measure(full)).not.toThrow();
    expect(measure(`${full})`)).toThrow(tooLarge(/parts/, full.length));
  });
});
