import { expect, test } from "vitest";
import { trainings } from "../trainings/registry.ts";
import { quickRequest } from "./audit.ts";
import { isWrong } from "./audit-row.ts";
import { trainingRow } from "./one-run-audit.ts";

const control = trainings.find(({ id }) => id === "noise-of-the-mean")!;

/** Leaves no trace in its first runs. */
function quietAtFirst(runs: number) {
  let taken = 0;
  return {
    train(included: readonly boolean[]): readonly number[] {
      taken += 1;
      return included.map((isIn) => (taken > runs && isIn ? 1 : 0));
    },
    taken: () => taken,
  };
}

test.each([
  { runs: 0, taken: 1, caught: true },
  { runs: 1, taken: 2, caught: true },
  { runs: 2, taken: 2, caught: false },
])("a control that is quiet in $runs runs is met in $taken", ({ runs, taken, caught }) => {
  const quiet = quietAtFirst(runs);
  const row = trainingRow({ ...control, train: quiet.train }, quickRequest);
  expect(quiet.taken()).toBe(taken);
  expect(isWrong(row)).toBe(!caught);
});

test("a training that is right is met in one", () => {
  const quiet = quietAtFirst(1);
  const row = trainingRow({ ...control, source: null, train: quiet.train }, quickRequest);
  expect(quiet.taken()).toBe(1);
  expect(row).toMatchObject({ of: "lethe", finding: null });
});
