import { expect, test } from "vitest";
import { lowBits } from "./low-bits.ts";

test("the two crowds of the low bits differ in the secret of the person who is asked about", async () => {
  const questions: string[] = [];
  await lowBits.guess(
    {
      ask: async (question) => {
        questions.push(question);
        return { kind: "rows", columns: ["n"], rows: [] };
      },
      uniform: () => 0.5,
      tell: () => undefined,
    },
    0,
  );
  const target = Number(/ id = (\d+)$/.exec(questions[0]!)![1]);
  const [well, sick] = lowBits.worlds(0).map(({ tables }) => tables[0]!.rows);
  expect(well!.filter(([id, secret]) => !sick!.some((row) => row[0] === id && row[1] === secret))).toEqual([
    [target, 0],
  ]);
  expect(sick!.filter(([id]) => id === target)).toEqual([[target, 1]]);
});
