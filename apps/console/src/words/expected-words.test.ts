import type { ExpectedAnswer } from "@lethe/client";
import { expect, test } from "vitest";
import { expectedWords } from "./expected-words.ts";

const count: ExpectedAnswer = {
  name: "n",
  kind: "count",
  halfWidth: 59.9146,
  curve: [],
  expected: null,
  bounds: null,
};
const mean: ExpectedAnswer = {
  ...count,
  name: "mean",
  kind: "avg",
  halfWidth: null,
  curve: [10, 100, 1000, 10_000].map((rows) => ({ rows, typical: 500 / rows, worst: 1000 / rows })),
  bounds: [0, 60],
};

test.each([
  ["a width that no size changes", count, "n ± 60"],
  ["a large one", { ...count, halfWidth: 123_456 }, "n ± 123,000"],
  ["a time's", { ...count, unit: "days" as const }, "n ± 60 days"],
  ["that at usual sizes", mean, "mean ± 5 in 100 rows, ± 0.5 in 1,000 rows"],
  [
    "that at the rows that the policy expects",
    { ...mean, expected: { rows: 533.6, typical: 0.937, worst: 2 } },
    "mean ± 0.94 in 534 rows",
  ],
  [
    "no size below which the bounds say as much",
    { ...mean, bounds: [0, 2] as const },
    "mean ± 0.5 in 1,000 rows, ± 0.05 in 10,000 rows",
  ],
  ["nothing where nothing is known", { ...mean, curve: [] }, null],
])("tells %s", (_, answer, words) => {
  expect(expectedWords(answer)).toBe(words);
});
