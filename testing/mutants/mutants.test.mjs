import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { changed } from "./workplace.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const mutants = JSON.parse(readFileSync(new URL("./mutants.json", import.meta.url), "utf8"));

it("lists at least 60 faults, each of its own name, that change the sources as they are", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(60);
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  for (const { id, file, from, to, why, tests } of mutants) {
    const text = readFileSync(`${root}${file}`, "utf8");
    expect(() => changed(text, from, to), id).not.toThrow();
    expect(changed(text, from, to), id).not.toBe(text);
    expect(why.length, id).toBeGreaterThan(10);
    expect(
      tests.filter((test) => !existsSync(`${root}${test}`)),
      id,
    ).toEqual([]);
  }
});

it("changes nothing where the text occurs never or twice", () => {
  expect(() => changed("a b", "c", "d")).toThrow("occurs 0 times");
  expect(() => changed("a a", "a", "d")).toThrow("occurs 2 times");
  expect(changed("a b", "a", "$&")).toBe("$& b");
});
