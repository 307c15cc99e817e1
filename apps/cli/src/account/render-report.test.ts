import type { Bounds } from "@lethe/core/accounting";
import { expect, it } from "vitest";
import { renderReport } from "./render-report.ts";
import type { Answer, Report } from "./report.ts";

const bounds = (lower: number, upper: number): Bounds => ({
  lower,
  upper,
  provenance: { lower: "a proof from below", upper: "a theorem" },
});
const answer: Answer = {
  asked: { delta: 1e-5, said: "1e-5" },
  of: "epsilon",
  best: bounds(1.13374473, 1.13374473),
  representations: [
    { representation: "pld", name: "PLD", ...bounds(1.13374473, 1.13374473) },
    { representation: "renyi", name: "Rényi", ...bounds(0, Number.POSITIVE_INFINITY) },
  ],
  textbooks: [],
};
const report: Report = {
  title: "DP-SGD",
  details: "σ 1.1",
  adjacency: "replace-one",
  found: null,
  odds: { advantage: 0.38292493, mu: 1, truePositives: 0.0924 },
  answers: [answer],
  event: { kind: "gaussian", version: 1, sigma: "1", sensitivity: "1" },
};

it("a report says its subject, the answer between its ends, and each representation with what it rests on", () => {
  expect(renderReport(report)).toBe(
    [
      "DP-SGD  σ 1.1; replace-one",
      "",
      "Odds    a test of membership gains at most 38.3 % over guessing; with 1 % false positives it has at most 9.3 % true ones; as Gaussian noise of μ 1, or better hidden",
      "",
      "ε ≤ 1.13375 at δ = 1e-5, and not below 1.13374",
      "",
      "representation  ε at most  at least  by",
      "──────────────  ─────────  ────────  ─────────",
      "PLD               1.13375   1.13374  a theorem",
      "Rényi                   ∞         –  a theorem",
    ].join("\n"),
  );
});

it("a δ is answered at an ε, and an end that proves nothing is not said", () => {
  const text = renderReport({
    ...report,
    answers: [{ ...answer, of: "delta", asked: { epsilon: 2, said: "2.0" }, best: bounds(0, 1e-7) }],
  });
  expect(text).toContain("\n\nδ ≤ 1e-7 at ε = 2.0\n\nrepresentation  δ at most");
});

it("what was found, an interval that is wider than asked, and textbooks are said where there are any", () => {
  const text = renderReport({
    ...report,
    found: { parameter: "sigma", value: "1.25" },
    answers: [
      {
        ...answer,
        best: { ...answer.best, missed: 0.0123456 },
        textbooks: [
          { name: "basic composition", value: 12.3456789, says: "composed" },
          { name: "advanced composition", value: null, says: "does not apply" },
        ],
      },
    ],
  });
  expect(text.split("\n\n").slice(1, 2)).toEqual(["Found   sigma 1.25"]);
  expect(text).toContain(
    "The interval is wider than the 0.0123456 that was asked for; both of its ends hold.",
  );
  expect(text.split("\n\n").at(-1)).toBe(
    [
      "textbook              ε at most  why",
      "────────────────────  ─────────  ──────────────",
      "basic composition       12.3457  composed",
      "advanced composition          –  does not apply",
    ].join("\n"),
  );
  expect(renderReport(report)).not.toMatch(/Found|textbook|wider/);
});
