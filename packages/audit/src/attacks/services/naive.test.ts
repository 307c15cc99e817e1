import { expect, it } from "vitest";
import { refused } from "../../testing/played-game.ts";
import {
  againstAll,
  doubleLaplace,
  exactAnswers,
  noiseWithoutBudget,
  protectedBy,
  roundedAnswers,
  suppressedAnswers,
} from "./naive.ts";
import type { Opened } from "./service.ts";
import { uniforms } from "./uniforms.ts";

const asked = { as: "attacker", epsilon: "1", delta: "0" };
const service = (rows: readonly (readonly (string | number)[])[]): Opened => ({
  ask: async () => ({ kind: "rows", columns: [], rows }),
  close: async () => undefined,
});

it("a naive protection shows each row with its last column changed and nothing more", async () => {
  const rounded = protectedBy(roundedAnswers, service([[13], ["north", 22], ["south", 2, 48]]), () => 0.5);
  expect(await rounded.ask("SELECT 1", asked)).toMatchObject({
    rows: [[15], ["north", 20], ["south", 2, 50]],
  });
});

it("suppression leaves out rows whose count is small", async () => {
  const suppressed = protectedBy(
    suppressedAnswers,
    service([
      ["north", 5],
      ["south", 4],
    ]),
    () => 0.5,
  );
  expect(await suppressed.ask("SELECT 1", asked)).toMatchObject({ rows: [["north", 5]] });
});

it("a naive service asks its database once a question, hides no refusal and ends with it", async () => {
  const [asks, ends] = [[] as string[], [] as string[]];
  const open: Opened = {
    async ask(question) {
      asks.push(question);
      return question === "no" ? refused : { kind: "rows", columns: ["n"], rows: [[10, "x"]] };
    },
    close: async () => void ends.push("closed"),
  };
  const noisy = protectedBy(noiseWithoutBudget, open, uniforms(1));
  expect(noisy.name).toBe("noise without a budget");
  expect(await noisy.ask("no", asked)).toEqual(refused);
  // What is no number at the end of a row is left as it is.
  for (const question of ["a", "a", "b"])
    expect(await noisy.ask(question, asked)).toEqual({ kind: "rows", columns: ["n"], rows: [[10, "x"]] });
  expect(asks).toEqual(["no", "a", "b"]);
  await noisy.close();
  expect(ends).toEqual(["closed"]);
});

it("all four protections are shown in order, with what is known to be reached by those that are controls", () => {
  const all = againstAll([suppressedAnswers, 1], [exactAnswers, 0.9]);
  expect(all).toEqual([
    { protection: exactAnswers, control: 0.9 },
    { protection: roundedAnswers, control: null },
    { protection: suppressedAnswers, control: 1 },
    { protection: noiseWithoutBudget, control: null },
  ]);
});

it.each([
  [7.4, 5],
  [7.5, 10],
  [12, 10],
  [0, 0],
])("a count of %d is rounded to %d", (count, shown) => {
  expect(roundedAnswers.protect(count, () => 0.5)).toBe(shown);
  expect(exactAnswers.protect(count, () => 0.5)).toBe(count);
});

it("a count of five is not small", () => {
  expect([0, 4.9, 5, 6].map((count) => suppressedAnswers.protect(count, () => 0.5))).toEqual([
    null,
    null,
    5,
    6,
  ]);
});

it("the textbook's noise is the logarithm of one uniform, up or down by another", () => {
  const of = (sign: number, size: number) => {
    const coins = [sign, size];
    return () => coins.shift()!;
  };
  expect(doubleLaplace(3, of(0.49, 0.2))).toBeCloseTo(-3 * Math.log(0.2), 12);
  expect(doubleLaplace(3, of(0.5, 0.2))).toBeCloseTo(3 * Math.log(0.2), 12);
  // ε = 1/2 for a count.
  expect(noiseWithoutBudget.protect(10, of(0.1, 0.2))).toBeCloseTo(10 - 2 * Math.log(0.2), 12);
});
