import { expect, test } from "vitest";
import { listedPath } from "./listed-path.ts";

test("a list is asked for what the address names, and for nothing else", () => {
  const names = ["person", "word", "from", "to"];
  expect(listedPath("charges", names, {})).toBe("charges");
  expect(listedPath("charges", names, { person: " ", other: "x" })).toBe("charges");
  expect(listedPath("charges", names, { word: "a&b=c", person: " ada " })).toBe(
    "charges?person=ada&word=a%26b%3Dc",
  );
  expect(listedPath("charges", names, { from: "2026-11-28T04:36", to: "yesterday" })).toBe(
    "charges?from=2026-11-28T04%3A36%3A00Z",
  );
  expect(listedPath("charges", names, { to: "2026-13-28T04:36" })).toBe("charges");
});
