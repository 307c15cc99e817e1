import { parseRational } from "@lethe/core";
import { describe, expect, it, test } from "vitest";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { BudgetPolicy } from "../policy.ts";
import { readPolicy } from "./read-policy.ts";

const read = (budget: string): BudgetPolicy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  rides: { file: rides.csv, unit: rider, columns: { rider: { type: text } } }
  stops: { file: stops.csv, unit: rider, columns: { rider: { type: text } } }
  zones: { file: zones.csv, public: true, columns: { zone: { type: text } } }
budget:
${budget.replace(/^/gm, "  ")}
`).budget;

const r = parseRational;

describe("the scopes of a budget", () => {
  it("are read digit by digit, each with its caps over the lifetime and over windows", () => {
    expect(
      read(`measure: approximate
epsilon: 5
delta: 1e-6
show_account: true
windows: [{ per: month, epsilon: 1 }, { per: day, epsilon: 1/3, delta: 1e-8 }]
analysts:
  ana: 0.5
  bob: { epsilon: 0.1, delta: 1e-7, reserved: true, windows: [{ per: week, epsilon: 0.05 }] }
projects: { churn: { epsilon: 2, analysts: { ana: 1, bob: { delta: 0 } } } }
datasets: { movements: { tables: [rides, stops], epsilon: 3, delta: 1e-7 } }`),
    ).toEqual({
      measure: "approximate",
      epsilon: r("5"),
      delta: r("1e-6"),
      rho: null,
      headFile: null,
      showAccount: true,
      windows: [
        { per: "month", main: r("1"), delta: null },
        { per: "day", main: r("1/3"), delta: r("1e-8") },
      ],
      analysts: {
        ana: r("1/2"),
        bob: {
          main: r("1/10"),
          delta: r("1e-7"),
          reserved: true,
          windows: [{ per: "week", main: r("1/20"), delta: null }],
        },
      },
      projects: {
        churn: { main: r("2"), analysts: { ana: { main: r("1") }, bob: { main: null, delta: r("0") } } },
      },
      dataSets: { movements: { tables: ["rides", "stops"], main: r("3"), delta: r("1e-7") } },
    });
  });

  it("leave no trace where they are not stated", () => {
    expect(Object.keys(read("{ measure: pure, epsilon: 1 }")).sort()).toEqual([
      "analysts",
      "delta",
      "epsilon",
      "headFile",
      "measure",
      "rho",
    ]);
  });

  it("are counted in ρ under zcdp", () => {
    const { analysts, windows } = read(
      "{ measure: zcdp, rho: 1, windows: [{ per: day, rho: 0.1 }], analysts: { ana: { rho: 0.5 } } }",
    );
    expect(analysts.ana).toEqual({ main: r("1/2") });
    expect(windows).toEqual([{ per: "day", main: r("1/10"), delta: null }]);
  });

  it("need no lifetime where windows bound the account", () => {
    const budget = read(
      "{ measure: approximate, lifetime: none, windows: [{ per: day, epsilon: 1, delta: 1e-9 }] }",
    );
    expect(budget).toMatchObject({ lifetime: "none", epsilon: null, delta: r("0") });
    expect(read("{ measure: pure, lifetime: none, windows: [{ per: day, epsilon: 1 }] }").lifetime).toBe(
      "none",
    );
    expect(
      read("{ measure: zcdp, lifetime: none, windows: [{ per: day, rho: 1, delta: 0 }] }").windows,
    ).toHaveLength(1);
  });
});

const pure = (more: string): string => `{ measure: pure, epsilon: 1, ${more} }`;
const both = (more: string): string => `{ measure: approximate, epsilon: 1, delta: 1e-6, ${more} }`;

test.each([
  ["{ measure: pure }", "budget.epsilon: must be a number, above 0", "write epsilon as"],
  [
    "{ measure: approximate, epsilon: 1 }",
    "budget.delta: must be a number, above 0 and below 1",
    "write delta as",
  ],
  [
    "{ measure: pure, lifetime: none }",
    "budget.lifetime: is none, and no window bounds",
    "windows: [{ per: month, epsilon: 1 }]",
  ],
  [
    pure("lifetime: none, windows: [{ per: day, epsilon: 1 }]"),
    "budget.epsilon: is a lifetime's",
    "remove it",
  ],
  [pure("lifetime: forever"), "budget.lifetime: is not a lifetime", "lifetime: none"],
  [
    "{ measure: approximate, lifetime: none, windows: [{ per: day, epsilon: 1 }] }",
    "budget.windows: bound no delta",
    "in at least one window",
  ],
  [pure("windows: []"), "budget.windows: must not be empty", "leave it out"],
  [pure("windows: [{ per: year, epsilon: 1 }]"), "budget.windows[0].per: is not a window", "quarter"],
  [
    pure("windows: [{ per: day, rho: 1 }]"),
    "budget.windows[0].rho: is not what a pure account counts",
    "write epsilon",
  ],
  [
    pure("windows: [{ per: day, epsilon: 1, delta: 0.1 }]"),
    "windows[0].delta: a pure account has no delta",
    "remove it",
  ],
  [both("windows: [{ per: day, delta: 1e-9 }]"), "budget.windows[0]: states no epsilon", "beside per"],
  [
    pure("windows: [{ per: day, epsilon: 1 }, { per: day, epsilon: 2 }]"),
    "budget.windows[1].per: a window of a day is stated twice",
    "keep one",
  ],
  [pure("analysts: { ana: [1] }"), "budget.analysts.ana: ", "write "],
  [pure("analysts: { ana: true }"), "must be a number above 0, or a map of caps", "ana: 0.5"],
  [pure("analysts: { ana: -1 }"), "budget.analysts.ana: must be above 0", "0.5"],
  [pure("analysts: { ana: { epsilonn: 1 } }"), 'unknown key "epsilonn"', "epsilon"],
  [
    pure("analysts: { ana: { epsilon: 2 } }"),
    "budget.analysts.ana.epsilon: is above the whole budget",
    "at most 1",
  ],
  [
    pure("analysts: { ana: { rho: 1 } }"),
    "budget.analysts.ana.rho: is not what a pure account counts",
    "write epsilon",
  ],
  [
    both("analysts: { ana: { epsilon: 1, delta: 1e-5 } }"),
    "ana.delta: is above the whole budget",
    "at most 1e-6",
  ],
  [
    "{ measure: zcdp, rho: 1, analysts: { ana: { epsilon: 1 } } }",
    "ana.epsilon: is not what a zcdp account",
    "write rho",
  ],
  [
    pure("analysts: { ana: { reserved: true } }"),
    "budget.analysts.ana.reserved: keeps nothing",
    "epsilon: 1 beside it",
  ],
  [
    pure("analysts: { ana: { reserved: true, windows: [{ per: day, epsilon: 1 }] } }"),
    "budget.analysts.ana.reserved: keeps nothing",
    "epsilon: 1 beside it",
  ],
  [both("analysts: { ana: { epsilon: 1, reserved: true } }"), "keeps nothing without delta", "every number"],
  [
    both("analysts: { ana: { delta: 1e-7, reserved: true } }"),
    "keeps nothing without epsilon",
    "every number",
  ],
  [
    pure(
      "analysts: { ana: { epsilon: 0.6, reserved: true } }, projects: { p: { epsilon: 0.6, reserved: true } }",
    ),
    "budget.epsilon: is less than the reserved parts together",
    "reserve less",
  ],
  [
    pure("projects: { churn: { analysts: { ana: 2 } } }"),
    "budget.projects.churn.analysts.ana: is above",
    "at most 1",
  ],
  [
    pure("datasets: { m: { epsilon: 1 } }"),
    "budget.datasets.m.tables: must be a list of tables",
    "tables: [rides",
  ],
  [pure("datasets: { m: { tables: [] } }"), "budget.datasets.m.tables: must not be empty", "tables: [rides"],
  [pure("datasets: { m: { tables: [ride] } }"), 'budget.datasets.m.tables[0]: "ride" is no table', "rides"],
  [
    pure("datasets: { m: { tables: [zones] } }"),
    "budget.datasets.m.tables[0]: is a public table",
    "remove it",
  ],
  [
    pure("datasets: { m: { tables: [rides] }, n: { tables: [stops, rides] } }"),
    'budget.datasets.n.tables[1]: "rides" is in data set m already',
    "one data set",
  ],
  [pure("datasets: { m: { tables: [rides], reserved: true } }"), 'unknown key "reserved"', ""],
  [pure("show_account: 1"), "budget.show_account: must be true or false", "true or false"],
])("%s is refused", async (budget, wrong, fix) => {
  const refusal = await refusalOf((async () => read(budget))());
  expect(refusal.code).toBe("policy.invalid");
  expect(refusal.message).toContain(wrong);
  expect(refusal.fix).toContain(fix);
});
