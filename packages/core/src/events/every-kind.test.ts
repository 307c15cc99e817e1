import { describe, expect, it } from "vitest";
import { dpSgdEvent } from "./dp-sgd-event.ts";
import { eventFromJson } from "./event-json.ts";
import { treeAggregationEvent, treeHeight } from "./tree-aggregation-event.ts";

const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const constant = { kind: "constant", version: 1 };
const gaussian = { kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" };

/** Each kind once, all fields given; and per field what else it takes, and what is refused. */
type Ends = Readonly<Record<string, readonly [taken: readonly unknown[], refused: readonly unknown[]]>>;
const positive = [
  ["1/1000000000", "7"],
  ["0", "-1", "x", 1],
] as const;
const notNegative = [
  ["0", "7"],
  ["-1/1000000000", "x", 0],
] as const;
const fraction = [
  ["0", "1"],
  ["-1/9", "10/9", "x", 1],
] as const;
const whole = (least: number): readonly [readonly unknown[], readonly unknown[]] => [
  [`${least}`, "1000000000000000000000"],
  [`${least - 1}`, "3/2", "x", least],
];
const kinds: readonly (readonly [Readonly<Record<string, unknown>>, Ends])[] = [
  [
    { kind: "laplace", scale: "2", l1: "3" },
    { scale: positive, l1: whole(0) },
  ],
  [
    { kind: "rounded-gaussian", sigma: "2", l2Squared: "3" },
    { sigma: positive, l2Squared: whole(0) },
  ],
  [
    { kind: "discrete-gaussian", sigmaSquared: "2", l2Squared: "3" },
    { sigmaSquared: positive, l2Squared: whole(0) },
  ],
  [
    { kind: "select-groups", rule: { rule: "laplace-threshold", scale: "1", threshold: "3" }, groups: "2" },
    { groups: whole(1) },
  ],
  [{ kind: "constant" }, {}],
  [{ kind: "pure", epsilon: "1", of: "a" }, { epsilon: notNegative }],
  [
    { kind: "approximate", epsilon: "1", delta: "1/2", of: "a" },
    { epsilon: notNegative, delta: fraction },
  ],
  [{ kind: "zcdp", rho: "1", of: "a" }, { rho: notNegative }],
  [{ kind: "bounded-range", epsilon: "1", of: "a" }, { epsilon: notNegative }],
  [{ kind: "gaussian-dp", muSquared: "1/4", of: "a" }, { muSquared: notNegative }],
  [
    { kind: "finite-pair", p: ["1/2", "1/2"], q: ["1/4", "3/4"], of: "a" },
    {
      p: [[["0", "1"]], [["1/2", "1/3"], ["1"], [], "1", ["1/3", "1/3", "1/3"]]],
      q: [[["0", "1"]], [["1/2", "1/3"], ["1"], [], "1"]],
    },
  ],
  [
    { kind: "gaussian", sigma: "2", sensitivity: "1" },
    { sigma: positive, sensitivity: notNegative },
  ],
  [
    { kind: "continuous-laplace", scale: "2", sensitivity: "1" },
    { scale: positive, sensitivity: notNegative },
  ],
  [
    { kind: "shuffle", reports: "9", epsilon: "1" },
    { reports: whole(1), epsilon: notNegative },
  ],
  [
    { kind: "random-allocation", steps: "9", selected: "3", sigma: "2", sensitivity: "1" },
    {
      steps: [
        ["3", "10"],
        ["2", "0", "9/2", 9],
      ],
      selected: [
        ["1", "9"],
        ["0", "10", "3/2", 3],
      ],
      sigma: positive,
      sensitivity: notNegative,
    },
  ],
  [
    {
      kind: "gaussian-mixture",
      sigma: "2",
      moves: [
        { weight: "1/2", move: "0" },
        { weight: "1/2", move: "1" },
      ],
    },
    {
      sigma: positive,
      moves: [
        [[{ weight: "1", move: "0" }]],
        [[], [{ weight: "1/2", move: "1" }], [{ weight: "1", move: "-1" }], [{ weight: "1" }], "1", [1]],
      ],
    },
  ],
  [{ kind: "poisson-sample", rate: "1/2", event: gaussian }, { rate: fraction }],
  [
    { kind: "truncated-poisson-sample", rate: "1/2", population: "9", limit: "3", event: gaussian },
    {
      rate: fraction,
      population: [
        ["3", "10"],
        ["2", "0", "9/2", 9],
      ],
      limit: [
        ["1", "9"],
        ["0", "10", "3/2", 3],
      ],
    },
  ],
  [
    { kind: "sample-without-replacement", population: "9", sample: "3", event: gaussian },
    {
      population: [
        ["3", "10"],
        ["2", "0", "9/2", 9],
      ],
      sample: [
        ["1", "9"],
        ["0", "10", "3/2", 3],
      ],
    },
  ],
  [{ kind: "group", size: "3", event: gaussian }, { size: whole(1) }],
  [
    {
      kind: "mix",
      parts: [
        { weight: "1/2", event: gaussian },
        { weight: "1/2", event: constant },
      ],
    },
    {
      parts: [
        [[{ weight: "1", event: constant }]],
        [[], [{ weight: "1/2", event: constant }], [{ weight: "1" }], [{ weight: 1, event: constant }], {}],
      ],
    },
  ],
  [
    { kind: "repeat-and-select", trials: { law: "poisson", mean: "3" }, event: gaussian },
    {
      trials: [
        [
          { law: "poisson", mean: "1/9" },
          { law: "negative-binomial", shape: "-9/10", stop: "1/2" },
          { law: "negative-binomial", shape: "100", stop: "999/1000" },
        ],
        [
          { law: "poisson", mean: "0" },
          { law: "poisson", mean: "1", shape: "1" },
          { law: "negative-binomial", shape: "-1", stop: "1/2" },
          { law: "negative-binomial", shape: "1", stop: "0" },
          { law: "negative-binomial", shape: "1", stop: "1" },
          { law: "negative-binomial", shape: "1", stop: "1/2", mean: "1" },
          { law: "zipf" },
          "poisson",
        ],
      ],
    },
  ],
  [
    { kind: "compose", events: [gaussian, constant] },
    { events: [[[]], [{}, [1], "x", [{ kind: "x", version: 1 }]]] },
  ],
  [{ kind: "repeat", count: "3", event: gaussian }, { count: whole(1) }],
];

describe.each(
  kinds.map(
    ([event, ends]) =>
      [String(event.kind), { ...event, version: 1 } as Readonly<Record<string, unknown>>, ends] as const,
  ),
)("an event of kind %s", (kind, event, ends) => {
  const refusal = expect.objectContaining({ code: "parameter.invalid" });
  it("reads back as it was written", () => {
    expect(eventFromJson(event)).toEqual(event);
  });

  it("has its fields and no others, at version 1 alone", () => {
    for (const name of Object.keys(event)) {
      const { [name as "kind"]: _, ...rest } = event;
      if (name === "of") expect(eventFromJson(rest)).toEqual(rest);
      else expect(() => eventFromJson(rest), name).toThrow(refusal);
    }
    expect(() => eventFromJson({ ...event, note: "x" })).toThrow(invalid(`${kind} event`));
    for (const version of [0, 2, "1"]) expect(() => eventFromJson({ ...event, version })).toThrow(refusal);
  });

  it("takes both ends of every field, and nothing beyond", () => {
    for (const [name, [taken, refused]] of Object.entries(ends)) {
      for (const value of taken) {
        const given = { ...event, [name]: value };
        expect(eventFromJson(given), `${name} ${JSON.stringify(value)}`).toEqual(given);
      }
      for (const value of refused) {
        // A whole that is less than the part taken of it is told by the part.
        const named = typeof value !== "object" && name !== "steps" && name !== "population";
        expect(() => eventFromJson({ ...event, [name]: value }), `${name} ${JSON.stringify(value)}`).toThrow(
          named ? invalid(name) : refusal,
        );
      }
    }
  });
});

describe("a rule that selects groups", () => {
  const rules = [
    { rule: "truncated-geometric", epsilon: "1", delta: "1/10", minUnits: "3" },
    { rule: "laplace-threshold", scale: "2", threshold: "9", minUnits: "3" },
    { rule: "gaussian-threshold", sigma: "2", threshold: "9", minUnits: "3" },
  ] as const;
  const read = (rule: unknown): unknown =>
    eventFromJson({ kind: "select-groups", version: 1, groups: "2", rule });
  it.each(rules)("$rule reads back, with or without a least number of units", (rule) => {
    expect(read(rule)).toMatchObject({ rule });
    const { minUnits: _, ...rest } = rule;
    expect(read(rest)).toMatchObject({ rule: rest });
    expect((read(rest) as { rule: object }).rule).not.toHaveProperty("minUnits");
  });
  it.each(rules)("$rule has its fields and no others, each in its domain", (rule) => {
    for (const name of Object.keys(rule)) {
      if (name === "minUnits") continue;
      const { [name as "rule"]: _, ...rest } = rule;
      expect(() => read(rest), name).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
    }
    expect(() => read({ ...rule, note: "1" })).toThrow(invalid("rule"));
    for (const name of Object.keys(rule)) {
      if (name === "rule") continue;
      expect(() => read({ ...rule, [name]: "0" }), name).toThrow(invalid(name));
      expect(() => read({ ...rule, [name]: 1 }), name).toThrow(invalid(name));
    }
    expect(() => read({ ...rule, minUnits: "1/2" })).toThrow(invalid("minUnits"));
    expect(() => read({ ...rule, rule: "toString" })).toThrow(invalid("selection rule"));
  });
});

describe("an event that is not known", () => {
  it("is named, shortened, and the fix lists what is", () => {
    expect(() => eventFromJson({ kind: "q".repeat(60), version: "v".repeat(60) })).toThrow(
      expect.objectContaining({
        code: "parameter.invalid",
        message: `unknown event ${"q".repeat(40)}@${"v".repeat(20)}`,
        fix: expect.stringContaining("laplace, rounded-gaussian"),
        fields: { event: `${"q".repeat(40)}@${"v".repeat(20)}` },
      }),
    );
    expect(() => eventFromJson({ kind: "toString", version: 1 })).toThrow(/unknown event toString@1/);
    for (const json of [null, [], "x", 3, undefined])
      expect(() => eventFromJson(json)).toThrow(invalid("event"));
  });
});

describe("DP-SGD", () => {
  const run = { rate: 0.25, noiseMultiplier: 1.5, steps: 7 };
  it("is so many Gaussians, each on a Poisson sample", () => {
    const event = { kind: "gaussian", version: 1, sigma: "3/2", sensitivity: "1" };
    const step = { kind: "poisson-sample", version: 1, rate: "1/4", event };
    const whole = { kind: "repeat", version: 1, count: "7", event: step };
    expect(dpSgdEvent(run)).toEqual(whole);
    expect(dpSgdEvent({ rate: "1/4", noiseMultiplier: "3/2", steps: 7n })).toEqual(whole);
    expect(dpSgdEvent({ units: "8", batch: 2, noiseMultiplier: 1.5, steps: 7 })).toEqual(whole);
    expect(dpSgdEvent({ units: 3, batch: 1, noiseMultiplier: 1, steps: 1 })).toMatchObject({
      event: { rate: "1/3" },
    });
  });
  it("on samples that are cut has a limit that is never above the units", () => {
    const cut = (batch: number | string | bigint, units: number | string | bigint): unknown =>
      dpSgdEvent({ ...run, limit: { batch, units } });
    expect(cut(3, 10)).toMatchObject({
      event: { kind: "truncated-poisson-sample", rate: "1/4", population: "10", limit: "3" },
    });
    expect(cut("9", 10n)).toMatchObject({ event: { limit: "9", population: "10" } });
    expect(cut(10, 10)).toMatchObject({ event: { limit: "10", population: "10" } });
    expect(cut(11, 10)).toMatchObject({ event: { limit: "10", population: "10" } });
    expect(() => cut(0, 10)).toThrow(invalid("limit"));
    expect(() => cut(Number.NaN, 10)).toThrow(invalid("limit"));
    expect(() => cut(3, Number.POSITIVE_INFINITY)).toThrow(invalid("population"));
  });
  it("names what is wrong", () => {
    expect(() => dpSgdEvent({ ...run, rate: Number.NaN })).toThrow(invalid("rate"));
    expect(() => dpSgdEvent({ ...run, steps: Number.NaN })).toThrow(invalid("steps"));
    expect(() => dpSgdEvent({ ...run, noiseMultiplier: Number.NaN })).toThrow(invalid("noiseMultiplier"));
    const { rate: _, ...rest } = run;
    expect(() => dpSgdEvent({ ...rest, units: 0, batch: 1 })).toThrow(invalid("units"));
    expect(() => dpSgdEvent({ ...rest, units: -2, batch: -1 })).toThrow(invalid("units"));
    expect(() => dpSgdEvent({ ...rest, units: Number.NaN, batch: 1 })).toThrow(invalid("units"));
    expect(() => dpSgdEvent({ ...rest, units: 1, batch: Number.NaN })).toThrow(invalid("batch"));
  });
});

describe("a tree over steps", () => {
  it("has ⌊log₂ n⌋ + 1 nodes above a leaf", () => {
    const heights = [1, 2, 3, 4, 7, 8, 1023, 1024, 2 ** 53 - 1].map(treeHeight);
    expect(heights).toEqual([1, 2, 2, 3, 3, 4, 10, 11, 53]);
    for (const steps of [0, -1, 1.5, Number.NaN, 2 ** 53])
      expect(() => treeHeight(steps)).toThrow(invalid("steps"));
  });
  it("is as many Gaussians of sensitivity 1 as the highest has nodes, once unless stated", () => {
    const event = { kind: "gaussian", version: 1, sigma: "1/2", sensitivity: "1" };
    const nodes = { kind: "repeat", version: 1, count: "3", event };
    for (const noiseMultiplier of [0.5, "1/2"]) {
      expect(treeAggregationEvent({ noiseMultiplier, steps: [1, 5, 2] })).toEqual({
        ...{ kind: "repeat", version: 1, count: "1", event: nodes },
      });
      expect(treeAggregationEvent({ noiseMultiplier, steps: 4, epochs: 9n })).toEqual({
        ...{ kind: "repeat", version: 1, count: "9", event: nodes },
      });
    }
    expect(() => treeAggregationEvent({ noiseMultiplier: Number.NaN, steps: 4 })).toThrow(
      invalid("noiseMultiplier"),
    );
    expect(() => treeAggregationEvent({ noiseMultiplier: 1, steps: [] })).toThrow(invalid("steps"));
  });
});
