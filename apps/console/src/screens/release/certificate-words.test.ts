import fc from "fast-check";
import { expect, it } from "vitest";
import { certificateFacts } from "./certificate-words.ts";

const certificate = {
  principal: "ada",
  at: "2026-11-28T04:36:05.402Z",
  requestId: "r-1",
  plan: {
    text: "SELECT COUNT(*) FROM t",
    unit: { kind: "column", column: "person" },
    adjacency: "add-or-remove-one",
    contribution: { groups: 1, rows: 3 },
    measurements: [{ name: "COUNT(*)", noise: { mechanism: "discrete-laplace@1", scale: "6" } }],
    event: {
      kind: "compose",
      version: 1,
      events: [
        { kind: "laplace", version: 1, scale: "6", l1: "1" },
        { kind: "laplace", version: 1, scale: "6", l1: "1" },
      ],
    },
  },
  charge: { measure: "approximate", epsilon: "1/2", delta: "0" },
  odds: { advantage: 0.10705 },
};

it("says what a certificate states", () => {
  const facts = Object.fromEntries(certificateFacts(certificate).map(({ term, lines }) => [term, lines]));
  expect(facts).toEqual({
    Question: ["SELECT COUNT(*) FROM t"],
    Asked: ["by ada, 2026-11-28 04:36 UTC"],
    Protected: [
      "A unit is all rows with the same person.",
      "The answer is nearly as likely whether one unit is in the data or not.",
    ],
    Limits: ["A unit counts in at most 1 group, with at most 3 rows in each."],
    Measured: ["COUNT(*): noise of the discrete laplace law, scale 6"],
    Charge: ["ε 0.5"],
    Event: ["2 × laplace (scale 6, l1 1)"],
    // Upwards: never fewer odds than were stated.
    Odds: [
      "Whoever guesses whether one unit is in the data has an advantage of at most 0.1071: 0 is a coin, 1 is certainty.",
    ],
    Request: ["r-1"],
  });
});

it("takes whatever a stranger's file holds, and hides nothing of it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
      const facts = certificateFacts({ plan: one, charge: two, odds: one, ledger: two, losses: [one, two] });
      for (const { lines } of facts) expect(lines.length).toBeGreaterThan(0);
    }),
    { seed: 17 },
  );
  const [fact] = certificateFacts({ plan: { text: "SELECT '\u202e'" } });
  expect(fact?.lines).toEqual(["SELECT '‹202e›'"]);
  expect(certificateFacts(null)).toEqual([]);
});
