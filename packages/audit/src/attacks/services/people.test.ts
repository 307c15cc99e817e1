import { expect, test } from "vitest";
import { refused, rowsApart, rowsReply } from "../../testing/played-game.ts";
import { canary, errorQuestions } from "./expressions.ts";
import { withAndWithoutCanary } from "./neighbours.ts";
import { crowd, numberIn, numbersIn, peopleWithSecrets } from "./people.ts";

test("people with secrets are a row each, within the bounds of their policy", () => {
  const { tables, policy } = peopleWithSecrets([1, 0, 1]);
  expect(tables.map(({ name, rows }) => ({ name, rows }))).toEqual([
    {
      name: "people",
      rows: [
        [0, 1],
        [1, 0],
        [2, 1],
      ],
    },
  ]);
  expect(policy).toContain("id: { type: integer, bounds: [0, 2] }, sick: { type: integer, bounds: [0, 1] }");
});

test("a crowd is the same but for its target, and looks like coins", () => {
  const [well, sick] = [crowd(1000, 7, 0), crowd(1000, 7, 1)];
  expect([well[7], sick[7]]).toEqual([0, 1]);
  expect(well.with(7, 1)).toEqual(sick);
  const ill = sick.filter((each) => each === 1).length;
  expect(Math.abs(ill - 500)).toBeLessThan(80);
});

test("numbers are read off the first row, and the last of them is what was asked for", () => {
  const reply = rowsReply(["a", 3, null, 4], [9]);
  expect(numbersIn(reply)).toEqual([null, 3, null, 4]);
  expect(numberIn(reply)).toBe(4);
  expect(numberIn(rowsReply([0]))).toBe(0);
  for (const none of [refused, rowsReply(), rowsReply([3, "x"]), rowsReply([])])
    expect(numberIn(none)).toBe(null);
  expect(numbersIn(refused)).toEqual([]);
});

test("one person is the canary in one world and like anybody in the other", () => {
  const [without, having] = withAndWithoutCanary();
  expect(rowsApart(without, having)).toEqual([
    ["people: 500, person-40, a"],
    [`people: 31337, ${canary.text}, b`],
  ]);
  expect(without.policy).toBe(having.policy);
  const rows = without.tables[0]!.rows;
  expect(rows).toHaveLength(41);
  expect(new Set(rows.map(([, name]) => name)).size).toBe(41);
  expect(new Set(rows.map(([x]) => x)).size).toBe(41);
  expect(rows.filter(([, , team]) => team === "a")).toHaveLength(21);
  expect(rows.every(([x]) => Number(x) >= 0 && Number(x) < 1000)).toBe(true);
});

test.each([1, 60, 2_000])("%d questions are all others, of every shape, and name what breaks", (count) => {
  const questions = errorQuestions(count);
  expect(new Set(questions).size).toBe(count);
  expect(
    questions.every((question) => question.startsWith("SELECT ") && question.includes(" FROM people")),
  ).toBe(true);
  if (count < 60) return;
  const shapes = [
    / AS n FROM people$/,
    /^SELECT SUM/,
    /^SELECT AVG/,
    /^SELECT COUNT\(\*\) AS n FROM people WHERE/,
    /GROUP BY team$/,
  ];
  for (const shape of shapes)
    expect(questions.filter((question) => shape.test(question)).length).toBeGreaterThanOrEqual(count / 6);
  // Thirty expressions, the first of them among the first thirty questions and alone.
  for (const part of [
    "1 / (x - 31337)",
    "SQRT(31336 - x)",
    "POWER(31336 - x, 0.5)",
    "CAST(name AS INTEGER)",
    "LN(LENGTH(name) - 19)",
    "SIGN(x - 31337) / (x - 31337)",
  ])
    expect(
      questions.slice(0, 30).some((question) => question.includes(part)),
      part,
    ).toBe(true);
  if (count < 2_000) return;
  for (const around of ["GREATEST(1 / (x", "-(", "ABS(", "COALESCE(", "CASE WHEN (", "CAST(", ") / ("])
    expect(
      questions.some((question) => question.includes(around)),
      around,
    ).toBe(true);
});
