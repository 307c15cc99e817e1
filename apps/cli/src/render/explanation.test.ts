import type {
  ExplainedAnswer,
  ExplainedMeasurement,
  Explanation,
  ExplanationNode,
  ReachedTarget,
} from "@lethe/query";
import { expect, it } from "vitest";
import { renderExplanation } from "./explanation.ts";

const node = (label: string, ...children: readonly ExplanationNode[]): ExplanationNode => ({
  label,
  details: [`what ${label} does`],
  stability: null,
  costs: null,
  answers: [],
  measured: [],
  children,
});

const explained: Explanation = {
  text: "SELECT COUNT(*) FROM people",
  price: { measure: "pure", epsilon: "1" },
  unit: "person",
  adjacency: "replace-one",
  tables: ["people"],
  ordered: null,
  limited: [],
  tree: node("noise"),
  answers: [],
  measurements: [],
  assumptions: [],
  missing: [],
  confidence: 0.95,
  prices: [],
  views: [],
  target: null,
  pilot: null,
  keyNotice: null,
  warnings: [],
  alternatives: [],
};

it("draws a plan as a tree, in which each last branch ends its line", () => {
  const tree = node("noise", node("join", node("people"), node("visits")), node("codes"));
  const lines = renderExplanation({ ...explained, tree }).split("\n");
  const first = lines.indexOf("noise");
  expect(lines.slice(first, lines.indexOf("", first))).toEqual([
    "noise",
    "│   what noise does",
    "├─ join",
    "│  │   what join does",
    "│  ├─ people",
    "│  │      what people does",
    "│  └─ visits",
    "│         what visits does",
    "└─ codes",
    "       what codes does",
  ]);
});

it("says what is known of groups, views and questions hardly worth paying, each where there is something to say", () => {
  const parts = {
    keyNotice: "groups of fewer than 20 units are seldom released",
    views: [{ name: "adults", sql: "SELECT *\n  FROM people" }],
    assumptions: ["max_groups is 3"],
    warnings: [{ message: "every interval is the whole range", fix: "give more epsilon" }],
  };
  const said = {
    keyNotice: "Groups: groups of fewer than 20 units are seldom released",
    views: "View    adults: SELECT * FROM people",
    assumptions: "  max_groups is 3",
    warnings: "Hardly worth paying: every interval is the whole range\n  give more epsilon",
  };
  const silent = renderExplanation(explained);
  for (const name of Object.keys(parts) as (keyof typeof parts)[]) {
    expect(silent).not.toContain(said[name]);
    expect(`${renderExplanation({ ...explained, [name]: parts[name] })}\n`).toContain(`${said[name]}\n`);
  }
});

/** The lines that this part of an explanation adds to those of an empty one. */
const added = (part: Partial<Explanation>): readonly string[] => {
  const silent = renderExplanation(explained).split("\n");
  return renderExplanation({ ...explained, ...part })
    .split("\n")
    .filter((line) => !silent.includes(line));
};

it("says the price, the unit and the coverage of the errors, in this order, and no more where there is no more", () => {
  expect(renderExplanation(explained)).toBe(
    [
      "Price   ε 1   (nothing is charged, no row is read)",
      "As      ",
      "Unit    person; replace-one",
      "",
      "noise",
      "    what noise does",
      "",
      "Expected error (half of the 95 % interval)",
    ].join("\n"),
  );
});

it("says the price in every measure: each δ once, and that a price needs less of it", () => {
  const prices: Explanation["prices"] = [
    { measure: "pure", delta: null, price: { measure: "pure", epsilon: "1/2" } },
    {
      measure: "approximate",
      delta: "1/1000000",
      price: { measure: "approximate", epsilon: "1/4", delta: "1/1000000" },
    },
    {
      measure: "approximate",
      delta: "1/1000",
      price: { measure: "approximate", epsilon: "1/4", delta: "0" },
    },
    { measure: "zcdp", delta: null, price: { measure: "zcdp", rho: "1/8", delta: "0" } },
    { measure: "pure", delta: null, price: null },
  ];
  expect(added({ prices })).toEqual([
    "As      pure: ε 0.5; approximate at δ 1e-6: ε 0.25; approximate at δ 0.001: ε 0.25 (δ 0); " +
      "zCDP: ρ 0.125; pure: not provable for this noise",
  ]);
});

it("says what a pilot costs, and that its second request costs at most its cap", () => {
  const pilot = {
    epsilon: "2",
    price: { measure: "pure", epsilon: "2" },
    maxEpsilon: "9",
    maxPrice: { measure: "pure", epsilon: "9" },
  } as const;
  expect(added({ pilot, price: { measure: "pure", epsilon: "11" } })).toEqual([
    "Price   at most ε 11   (nothing is charged, no row is read)",
    "Pilot   ε 2 for the first measurement; the second costs what the target then needs, at most ε 9: the lines below are for that most",
  ]);
});

it("says a target as it was stated, the rows it is meant for, and what reaches it", () => {
  const target: ReachedTarget = {
    halfWidth: 50,
    relative: null,
    released: null,
    rows: null,
    reached: 49.7,
    epsilon: "603/10000",
    capped: false,
  };
  const answers = [
    { name: "n", values: 2, typical: 240, halfWidth: 12, reached: 11.9 },
    { name: "m", values: 1, typical: 80, halfWidth: 4, reached: 3.9 },
  ];
  const said = (part: Partial<ReachedTarget>): readonly string[] => added({ target: { ...target, ...part } });
  const rest = "reached with ± 49.7 at ε 0.0603, the lowest ε of four digits";
  expect(said({})).toEqual([`Target  ± 50: ${rest}`]);
  expect(said({ relative: { share: "5 %", expectedRows: 12_000 }, rows: 3000 })).toEqual([
    `Target  ± 50 (5 % of 12,000 expected rows) in a group of 3000 rows: ${rest}`,
  ]);
  expect(said({ released: { share: "1/20", requestId: "r1", answers } })).toEqual([
    "Target  ± 50 (1/20 of what r1 released: n ± 12 (of 240, the median of 2 released sizes), m ± 4 (of 80)): " +
      rest,
  ]);
});

it("says what a unit changes at each step, and what the step costs", () => {
  const facts = (part: Partial<ExplanationNode>): string =>
    renderExplanation({ ...explained, tree: { ...node("step"), ...part } })
      .split("\n")
      .find((line) => line.startsWith("step"))!;
  expect(facts({})).toBe("step");
  expect(facts({ stability: { rows: null, groups: null } })).toBe(
    "step   · a unit may have any number of rows",
  );
  expect(facts({ stability: { rows: 0, groups: null } })).toBe("step   · no unit's rows");
  expect(facts({ stability: { rows: 1, groups: null } })).toBe("step   · a unit changes at most 1 row");
  expect(facts({ stability: { rows: 12_000, groups: 1 }, costs: { measure: "pure", epsilon: "1/2" } })).toBe(
    "step   · a unit changes at most 12,000 rows in 1 group · costs ε 0.5",
  );
  expect(facts({ stability: { rows: 2, groups: 3 } })).toBe(
    "step   · a unit changes at most 2 rows in 3 groups",
  );
});

const measured: ExplainedMeasurement = {
  name: "COUNT(*)",
  l1: 2,
  l2: Math.SQRT2,
  mechanism: "discrete-laplace@1",
  scale: 4,
  halfWidth: 12,
  price: { measure: "pure", epsilon: "1/2" },
};

it("says of each measurement its sensitivity, its noise, its error and its own price", () => {
  const tree = { ...node("noise"), measured: [measured] };
  expect(added({ tree })).toEqual([
    "    COUNT(*): Δ₁ 2, Δ₂ 1.41; discrete-laplace@1 of scale 4: ± 12, ε 0.5 alone",
  ]);
  expect(added({ tree: { ...tree, measured: [{ ...measured, mechanism: "constant@1" }] } })).toEqual([
    "    COUNT(*): no unit changes it, so it has no noise and no price",
  ]);
});

it.each([
  [0, "0"],
  [12, "12"],
  [120, "120"],
  [1200, "1200"],
  [12_345.678, "12,345.7"],
  [0.5, "0.5"],
  [0.12345, "0.123"],
  [1.23456, "1.23"],
  [99.96, "100"],
  [0.00001234, "0.000012"],
  [999_999_999, "999,999,999"],
  [1e9, "1.00e+9"],
  [2.5e12, "2.50e+12"],
])("a half-width of %d reads %s", (halfWidth, text) => {
  const tree = { ...node("noise"), measured: [{ ...measured, halfWidth }] };
  expect(renderExplanation({ ...explained, tree })).toContain(`: ± ${text}, ε 0.5 alone`);
});

const answer: ExplainedAnswer = {
  name: "n",
  kind: "count",
  halfWidth: null,
  curve: [],
  expected: null,
  bounds: null,
  madeOf: [],
};
const curve = [
  { rows: 100, typical: 20, worst: 21 },
  { rows: 1000, typical: 2, worst: 2.2 },
  { rows: 10_000, typical: 0.2, worst: 0.4 },
];

it("says of each answer its error: exact, the same for any group, by rows, or of what it is made", () => {
  expect(
    added({
      answers: [
        { ...answer, name: "whole", halfWidth: 0 },
        { ...answer, halfWidth: 12 },
        { ...answer, name: "day", halfWidth: 3, unit: "days" },
        { ...answer, name: "mean", kind: "avg", curve },
        { ...answer, name: "near", kind: "avg", curve: [], expected: { rows: 500, typical: 4, worst: 4.2 } },
        { ...answer, name: "mid", kind: "quantile", curve: curve.slice(0, 1), expected: curve[1]! },
        { ...answer, name: "share", kind: "computed", madeOf: ["n", "mean"] },
      ],
    }),
  ).toEqual([
    "  whole: exact",
    "  n: ± 12 in a group of any size",
    "  day, in days: ± 3 in a group of any size",
    "  mean: 100 rows ± 20, 1000 rows ± 2 (at worst 2.2), 10,000 rows ± 0.2 (at worst 0.4)",
    "  near: 500 rows ± 4 as the policy expects",
    "  mid: 1000 rows ± 2 (at worst 2.2) as the policy expects, 100 rows ± 20; if values are spread evenly over their bounds",
    "  share: its error depends on what it is computed from: n, mean",
  ]);
});

it("says beside each answer of the plan one error: the whole one, or that of a group as large as expected, or of 1000 rows", () => {
  const line = (part: Partial<ExplainedAnswer>): string => {
    const tree = { ...node("noise"), details: ["n", "other"], answers: [{ ...answer, ...part }] };
    const lines = renderExplanation({ ...explained, tree }).split("\n");
    expect(lines[lines.indexOf("noise") + 2]).toBe("    other");
    return lines[lines.indexOf("noise") + 1]!;
  };
  expect(line({ halfWidth: 0 })).toBe("    n (exact)");
  expect(line({ halfWidth: 12 })).toBe("    n ± 12");
  expect(line({ curve })).toBe("    n ± 2 in a group of 1000 rows");
  expect(line({ curve, expected: curve[2]!, unit: "days" })).toBe(
    "    n ± 0.2 days in a group of 10,000 rows",
  );
  expect(line({ curve: curve.slice(0, 1) })).toBe("    n ");
});

it("says which groups may be missing, and what would be cheaper, each where there is something to say", () => {
  const missing = [
    { units: 1, chance: 0.9 },
    { units: 20, chance: 0.005 },
  ];
  expect(added({ missing })).toEqual([
    "Missing groups are never named. Chance that a group is missing, by its number of units: 1: 90.0 %, 20: 0.50 %",
  ]);
  const alternative = {
    change: "one group a person",
    how: "max_groups_contributed: 1",
    takes: null,
    epsilon: "1/4",
    price: { measure: "pure", epsilon: "1/4" },
    saved: 0.75,
    error: 0.25,
  } as const;
  expect(added({ alternatives: [alternative, { ...alternative, takes: "some rows do not count" }] })).toEqual(
    [
      "Alternatives: each change by itself makes the question cheaper, with errors no larger",
      "  ε 0.25 (75.0 % less): max_groups_contributed: 1, epsilon = 0.25",
      "      one group a person: at the full price, 25.0 % of the error",
      "  ε 0.25 (75.0 % less): max_groups_contributed: 1, epsilon = 0.25",
      "      one group a person: at the full price, 25.0 % of the error; some rows do not count",
    ],
  );
});
