import { expect, it } from "vitest";
import { atKey, entryOf } from "./entry-of.ts";

const missing = expect.objectContaining({ code: "internal.invariant" });

it("reads what is there, and stops where nothing is", () => {
  expect(entryOf({ people: "a" }, "people")).toBe("a");
  expect(() => entryOf({ people: "a" }, "visits")).toThrow(missing);
  expect(atKey(new Map([["people", 0]]), "people")).toBe(0);
  expect(() => atKey(new Map([["people", 0]]), "visits")).toThrow(missing);
});

it("reads nothing that every object has", () => {
  expect(() => entryOf<object>({}, "constructor")).toThrow(missing);
});
