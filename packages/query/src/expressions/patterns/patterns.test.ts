import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { automatonOf, firstMatch, groupWithin, matchesSomewhere } from "./automaton.ts";
import { hasOneGroup, isFoundAlike } from "./found-alike.ts";
import type { Pattern } from "./pattern.ts";
import { type PatternSyntax, readPattern } from "./read-pattern.ts";
import { canonical, writePattern } from "./write-pattern.ts";

function read(text: string, syntax: PatternSyntax = {}): Pattern {
  const found = readPattern(text, syntax);
  if ("fault" in found) throw new Error(`${text}: ${found.fault}`);
  return found;
}

describe("a pattern", () => {
  it.each([
    [
      String.raw`^[^@[:space:]]+@[^@[:space:]]+\.[a-z]{2,}$`,
      String.raw`^[^\t-\r @]+@[^\t-\r @]+\.[a-z]{2,}$`,
    ],
    [String.raw`\d{3}-\d{4}`, String.raw`[0-9]{3}\-[0-9]{4}`],
    ["(ab|cd)*e?", "(?:ab|cd)*e?"],
    ["(?i)no.", "[Nn][Oo]."],
    [String.raw`[\w.-]+`, String.raw`[\-\.0-9A-Z_a-z]+`],
    [String.raw`\x1f[]a]`, String.raw`\x1f[\]a]`],
    ["a.*?b", "a.*b", { isTest: true }],
    ["[0-9]{5}(_|%)", "^[0-9]{5}(?:.|.*)$", { similar: { escape: "\\" } }],
    ["a.b", String.raw`^a\.b$`, { similar: { escape: "\\" } }],
    ["@(.+)$", "@(.+)$", { group: 1 }],
  ] as const)("%s is spelled %s", (text, spelled, syntax: PatternSyntax = {}) => {
    const written = writePattern(read(text, syntax), canonical);
    expect(written).toBe(spelled);
    expect(writePattern(read(written, { group: written.includes("@(") ? 1 : 0 }), canonical)).toBe(written);
  });

  it.each([
    [String.raw`(a)\1`],
    ["a(?=b)"],
    ["a(?!b)"],
    ["(?<!b)a"],
    [String.raw`\bword`],
    ["a**"],
    ["a.*?b"],
    ["*a"],
    ["(a"],
    ["a)"],
    ["[a"],
    ["[z-a]"],
    ["[[:foo:]]"],
    ["a{1000}"],
    ["(a{90}){90}"],
    ["a|"],
    [""],
    ["^*"],
    [String.raw`a\q`],
    ["a".repeat(1001)],
    [`${"(".repeat(30)}a${")".repeat(30)}`],
  ])("%s is refused", (text) => expect(readPattern(text)).toHaveProperty("fault"));

  const words = fc.string({ unit: fc.constantFrom("a", "b", "c", "@", ".", "\n"), maxLength: 8 });
  const patterns = [
    ..."ab?|c+;(ab|a)(c|bcd)?;a+b*|b;^a|b$;[^a]+;(?:a|b)*c;a{2,3}b;.b.;^$|a;(ab?)+c;a|ab;@[^@]+$;a*b;(a|b|ab)(c|abc)".split(
      ";",
    ),
  ];
  it.each(patterns)("%s matches what JavaScript's regular expressions match", (text) => {
    const automaton = automatonOf(read(text));
    const expected = new RegExp(text, "su");
    fc.assert(
      fc.property(words, (word) => {
        expect(matchesSomewhere(automaton, [...word])).toBe(expected.test(word));
        const found = firstMatch(automaton, [...word], 0);
        const first = expected.exec(word);
        expect(found?.[0]).toBe(first?.index);
        if (isFoundAlike(automaton) && first) expect(found?.[1]).toBe(first.index + first[0].length);
      }),
    );
  });

  it.each([
    ["a|ab", false],
    ["ab|a", true],
    ["ab?", true],
    ["[^a-z ]+", true],
    ["(a|ab)(c|bcd)?", false],
    ["(a|ab)c", true],
    ["a?(ab)?", false],
    ["@.*$", true],
    ["[0-9]+(\\.[0-9]+)?", true],
    ["a+|a+b", false],
    ["a$|ab", true],
  ] as const)("%s is found alike by all engines: %s", (text, is) =>
    expect(isFoundAlike(automatonOf(read(text)))).toBe(is),
  );

  it.each([
    ["^([^@]*)@", true],
    ["^(.*)@(.*)$", false],
    ["@(.+)$", true],
    ["@([^@]+)$", true],
    ["([0-9]+)-([0-9]+)", true],
    ["a*(a*)", false],
    ["(a*)b", true],
    ["x(a|ab)", true],
    ["(a|ab)(c|bc)", false],
  ] as const)("the group of %s has one place: %s", (text, is) => {
    const automaton = automatonOf(read(text, { group: 1 }));
    expect(hasOneGroup(automaton)).toBe(is);
  });

  it.each([
    ["^([^@]*)@", "", 1],
    ["@([^@.]+)\\.", "", 1],
    ["a+(b*)c", "", 1],
    ["(a+)(b|c)", "", 2],
  ] as const)("the group of %s is JavaScript's", (text, _, group) => {
    const automaton = automatonOf(read(text, { group }));
    expect(hasOneGroup(automaton)).toBe(true);
    fc.assert(
      fc.property(words, (word) => {
        const found = firstMatch(automaton, [...word], 0);
        const expected = new RegExp(text, "su").exec(word)?.[group];
        expect(found ? word.slice(...groupWithin(automaton, [...word], found)) : undefined).toBe(expected);
      }),
    );
  });
});
