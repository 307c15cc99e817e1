import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkNewPassword } from "./check-new-password.ts";
import { isKnownPassword } from "./known-password.ts";

describe("a password that attackers try first", () => {
  it.each([
    "password",
    "iloveyou",
    "trustno1",
    "p@ssword",
    "passw0rd",
    "password1234567",
    "password-dragon",
    "sunshinesunshine",
    "monkey!monkey!monkey!",
    "qwertyuiopasdfghjkl",
    "poiuytrewqlkjhgfdsa",
    "abcdefghijklmnop",
    "987654321098765",
    "aaaaaaaaaaaaaaaa",
    "ababababababababa",
    "lethelethelethe",
    "lethe123456789",
    "1qaz2wsx3edc4rfv",
  ])("%s is known", (password) => {
    expect(isKnownPassword(password)).toBe(true);
  });

  it.each([
    "correct horse battery staple",
    "sunshine dragon monkey",
    "three little pigs went out",
    "vq7-tund-3xrm-kolp",
    "das ist kein gutes wort",
    "ein sehr langes kennwort mit qwerty",
  ])("%s is not", (password) => {
    expect(isKnownPassword(password)).toBe(false);
  });

  it("is none that was drawn", () => {
    const drawn = fc.string({
      minLength: 15,
      maxLength: 60,
      unit: fc.constantFrom(..."abcdefghijkmnpqrstuvwxyz23456789-"),
    });
    fc.assert(
      fc.property(drawn, (text) => {
        fc.pre(new Set(text).size > 8);
        expect(isKnownPassword(text)).toBe(false);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("is refused as a new one, and the refusal does not repeat it", () => {
    const rules = { least: 8, isKnown: isKnownPassword };
    const refused = expect.objectContaining({
      code: "people.invalid",
      message: "the password is one that attackers try first",
    });
    expect(() => checkNewPassword("Passw0rd1234567", "ada", rules)).toThrow(refused);
    expect(checkNewPassword("correct horse battery staple", "ada", rules)).toBe(
      "correct horse battery staple",
    );
  });

  it("is of the list that scripts/most-used-passwords.mjs makes", () => {
    const script = fileURLToPath(new URL("../../../../../scripts/most-used-passwords.mjs", import.meta.url));
    expect(spawnSync(process.execPath, [script, "--check"]).status).toBe(0);
  });
});
