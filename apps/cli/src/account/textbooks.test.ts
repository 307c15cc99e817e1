import type { AccountOptions, Event } from "@lethe/core";
import { expect, it } from "vitest";
import type { Question } from "./question.ts";
import { subjectOf } from "./subject.ts";
import { type Textbook, textbooksOf } from "./textbooks.ts";

const gaussian: Event = { kind: "gaussian", version: 1, sigma: "10", sensitivity: "1" };
const laplace: Event = { kind: "continuous-laplace", version: 1, scale: "10", sensitivity: "1" };
const repeated = (event: Event): Event => ({ kind: "repeat", version: 1, count: "2000", event });
const delta = 1e-5;

function booksOf(
  event: Event,
  options: AccountOptions = { adjacency: "add-or-remove-one" },
  asked: Question = { delta, said: "1e-5" },
): ReadonlyMap<string, Omit<Textbook, "name">> {
  const subject = subjectOf({ title: "a run", details: "of noise" }, event, options);
  return new Map(textbooksOf(subject, asked).map(({ name, ...rest }) => [name, rest]));
}
const closeTo = (value: number): unknown => expect.closeTo(value, 9);

it("textbooks answer ε at a δ above 0 alone", () => {
  expect(booksOf(gaussian, {}, { epsilon: 1, said: "1" }).size).toBe(0);
  expect(booksOf(gaussian, {}, { delta: 0, said: "0" }).size).toBe(0);
});

it("one Gaussian is read by its Rényi curve and by both classical calibrations", () => {
  const books = booksOf(gaussian);
  // ε = 1/(2σ²)·α + ln(1/δ)/(α − 1), least at α = 1 + σ·√(2·ln(1/δ)).
  const least = 1 / 200 + Math.sqrt(2 * Math.log(1 / delta)) / 10;
  expect([...books]).toEqual([
    [
      "Rényi by Mironov 2017, Prop. 3",
      { value: expect.closeTo(least, 6), says: "the least over all orders" },
    ],
    [
      "Gaussian, √(2·ln(1.25/δ))",
      { value: closeTo(Math.sqrt(2 * Math.log(1.25 / delta)) / 10), says: "the calibration, read backwards" },
    ],
    [
      "Gaussian, √(2·ln(2/δ))",
      { value: closeTo(Math.sqrt(2 * Math.log(2 / delta)) / 10), says: "the calibration, read backwards" },
    ],
  ]);
});

it("other noise that is not repeated has no calibration", () => {
  expect([...booksOf(laplace).keys()]).toEqual(["Rényi by Mironov 2017, Prop. 3"]);
});

it("repeated pure steps are composed: basically, and with the whole δ as slack", () => {
  const books = booksOf(repeated(laplace));
  const [k, epsilon] = [2000, 0.1];
  const says = "2,000 × (0.1, 0), composed";
  const cost = Math.log(1 / delta);
  expect([...books].slice(1)).toEqual([
    ["basic composition", { value: closeTo(200), says }],
    [
      "advanced composition",
      { value: closeTo(Math.sqrt(2 * k * cost) * epsilon + k * epsilon * Math.expm1(epsilon)), says },
    ],
    [
      "advanced composition, ε√(6k·ln 1/δ)",
      {
        value: null,
        says: expect.stringMatching(/^does not apply because 2000 runs .* are outside the domain/),
      },
    ],
    [
      "advanced composition by zCDP",
      { value: closeTo((k * epsilon * epsilon) / 2 + epsilon * Math.sqrt(2 * k * cost)), says },
    ],
  ]);
});

it("where steps have a δ, basic composition gives them all of it, and the others half, with half for their slack", () => {
  const noisy: Event = { ...gaussian, sigma: "1000" };
  const books = booksOf(repeated(noisy));
  const k = 2000;
  const each = (share: number): number => Math.sqrt(2 * Math.log(1.25 / ((share * delta) / k))) / 1000;
  const slack = Math.log(2 / delta);
  expect(books.get("basic composition")).toEqual({
    value: closeTo(k * each(1)),
    says: expect.stringMatching(/^2,000 × \(0\.006219, 5e-9\), composed$/),
  });
  const half = each(0.5);
  expect(books.get("advanced composition")!.value).toBeCloseTo(
    Math.sqrt(2 * k * slack) * half + k * half * Math.expm1(half),
    8,
  );
  expect(books.get("advanced composition, ε√(6k·ln 1/δ)")!.value).toBeCloseTo(
    Math.sqrt(6 * k * slack) * half,
    8,
  );
  expect(books.get("advanced composition by zCDP")!.value).toBeCloseTo(
    (k * half * half) / 2 + half * Math.sqrt(2 * k * slack),
    8,
  );
});

it("a sample's price hangs on the adjacency, and a formula that does not apply says why", () => {
  const sampled: Event = { kind: "poisson-sample", version: 1, rate: "1/100", event: laplace };
  const run = repeated(sampled);
  expect(booksOf(run).get("basic composition")!.value).toBeCloseTo(
    2000 * Math.log1p(0.01 * Math.expm1(0.1)),
    9,
  );
  expect(booksOf(run, { adjacency: "replace-one" }).get("basic composition")).toEqual({
    value: null,
    says: "does not apply because the textbook's theorem on Poisson samples is of add-or-remove-one",
  });
});

it("an event without a Rényi curve is told to have none", () => {
  const approximate: Event = { kind: "approximate", version: 1, epsilon: "1", delta: "1/1000000" };
  expect(booksOf(approximate).get("Rényi by Mironov 2017, Prop. 3")).toEqual({
    value: null,
    says: "does not apply because no theorem gives this event a Rényi curve",
  });
});
