import { type Event, lossFromJson, price } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { type Noise, noiseEvent } from "@lethe/core/mechanisms";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundEnds, cellAmong, cellInterval, cellTests } from "../../expressions/operators/bound-cells.ts";
import { parseQuestion } from "../../parse/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { planAsked } from "../error-target/index.ts";
import { applyLearnedBounds, type Plan, planQuestion, verifyPlan } from "../index.ts";
import { noised } from "../noised.ts";
import { priceTarget } from "../passes/plan-event.ts";
import { stagePlan } from "./bounds-stage.ts";
import { chooseBounds } from "./choose-bounds.ts";

const number = (bounds: readonly [number, number] | null, integer = false) =>
  ({ type: "number", bounds, integer, nullable: false, values: null }) as const;

describe("the ends among which bounds are learned", () => {
  it("are powers of two within the domain, 0, and the domain's own ends", () => {
    expect(boundEnds(number([0, 100], true))).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 100]);
    expect(boundEnds(number([-3, 0.3]))!.filter((end) => Math.abs(end) >= 0.25)).toEqual([
      -3, -2, -1, -0.5, -0.25, 0.25, 0.3,
    ]);
    expect(boundEnds(number([5, 5]))).toBeNull();
    expect(boundEnds(number([2 ** 60, 2 ** 61]))).toBeNull();
    const all = boundEnds(number(null))!;
    expect([all[0], all.at(-1), all.length]).toEqual([-(2 ** 50), 2 ** 50, 163]);
    expect(boundEnds(number([-(2 ** 53), 2 ** 53], true))!.length).toBe(103);
  });

  it("give every value one cell, whose interval holds it", () => {
    const domains = [
      number(null),
      number([0, 1e6], true),
      number([-7.5, 3]),
      number([10, 1000]),
      number([-9, -2]),
    ];
    for (const domain of domains) {
      const ends = boundEnds(domain)!;
      const [least, greatest] = [ends[0]!, ends.at(-1)!];
      const values = fc.oneof(
        fc.double({ min: least, max: greatest, noNaN: true }),
        fc.constantFrom(...ends, 0),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
      fc.assert(
        fc.property(values, (x) => {
          const cell = cellAmong(x, ...ends);
          expect(cell).toBeLessThanOrEqual(cellTests(ends).length);
          const [lo, hi] = cellInterval(cell, ends);
          const clamped = Math.min(Math.max(x, least), greatest);
          expect(lo <= clamped && clamped <= hi).toBe(true);
          // `hi` is the least end that is not nearer to 0 than the value.
          if (clamped > 0 && clamped < greatest) expect(ends.filter((end) => end >= clamped)[0]).toBe(hi);
        }),
      );
    }
  });
});

const laplace: Noise = { mechanism: "discrete-laplace@1", scale: "10" };

describe("the rule that chooses bounds", () => {
  const ends = [0, 1, 2, 4, 8, 16, 32];
  /** Returns the counts of the cells: below 0, 0 itself, up to 1, to 2 … to 32, above. */
  const counts = (values: Readonly<Record<number, number>>): number[] =>
    Array.from({ length: cellTests(ends).length + 1 }, (_, at) => values[at] ?? 0);

  it("goes from the fullest cell outwards, and keeps cells that stand alone if no noise explains them", () => {
    expect(chooseBounds(ends, counts({ 4: 1000, 5: 50, 6: 20 }), laplace)).toEqual([2, 8]);
    expect(chooseBounds(ends, counts({ 4: 1000, 6: 1000 }), laplace)).toEqual([2, 16]);
    expect(chooseBounds(ends, counts({ 4: 1000, 6: 100 }), laplace)).toEqual([2, 4]);
    expect(chooseBounds(ends, counts({ 2: 1000, 3: -40, 4: 24 }), laplace)).toEqual([0, 1]);
  });

  it("has an inside where all is one value, or nothing is there at all", () => {
    expect(chooseBounds(ends, counts({ 1: 1000 }), laplace)).toEqual([0, 1]);
    expect(chooseBounds(ends, counts({}), laplace)).toEqual([0, 1]);
    expect(chooseBounds(ends, counts({ 8: 1000 }), laplace)).toEqual([16, 32]);
    expect(chooseBounds([-4, -2, 0], [0, 0, 0, 9, 0], laplace)).toEqual([-2, 0]);
  });

  it("is total: whatever the counts, two ends with an inside", () => {
    const any = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constant(1e9)), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(
        any,
        fc.constantFrom(number(null), number([0, 9], true), number([-8, -1])),
        (found, domain) => {
          const among = boundEnds(domain)!;
          const [lo, hi] = chooseBounds(among, found, laplace);
          expect(lo).toBeLessThan(hi);
          expect(among).toEqual(expect.arrayContaining([lo, hi]));
        },
      ),
    );
  });
});

const policyOf = (measure: string, unit = "id", adjacency = "add-or-remove-one"): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: ${measure}, epsilon: 50${measure === "pure" ? "" : ", delta: 1e-5"} }
tables:
  t:
    file: t.parquet
    unit: ${unit}
${unit === "row" ? "" : "    max_groups_contributed: 3\n    max_rows_contributed_per_group: 2"}
    columns:
      id: { type: text }
      x: { type: number }
      age: { type: integer, bounds: [0, 1000000], default: 0 }
      g: { type: text, categories: [a, b] }
      h: { type: text }
`);

const auto = "contribution_bounds_per_row => auto";
const questions = [
  `SELECT SUM(x, ${auto}) FROM t`,
  `SELECT g, AVG(age, ${auto}), SUM(age), COUNT(*) FROM t GROUP BY g`,
  `SELECT VARIANCE(x, ${auto}), AVG(x, ${auto}), STDDEV(age * 2, ${auto}), MEDIAN(age) FROM t WHERE age > 5`,
];

async function learnedPlan(text: string, policy: Policy, mechanism: "laplace" | "gaussian" | null = null) {
  const question = resolveQuestion(await parseQuestion(text), policy);
  const options = { epsilon: { num: 1n, den: 2n }, mechanism };
  const plan = planQuestion(question, policy, options, "hash");
  return {
    plan,
    applied: (counts: readonly (readonly number[])[]): Plan =>
      applyLearnedBounds(plan, question, policy, options, counts),
  };
}

/** Returns the event of all noises that a plan draws, each at its own sensitivities. */
function drawnEvent(plan: Plan): Event {
  const all = [...noised(stagePlan(plan)), ...noised(plan)];
  const events = all.map(({ noise, l1, l2Squared }) =>
    noiseEvent(noise, { l1: BigInt(l1), l2Squared: BigInt(l2Squared) }),
  );
  return { kind: "compose", version: 1, events };
}

describe("a question whose bounds are learned", () => {
  const cases = ["pure", "approximate", "zcdp"].flatMap((measure) =>
    ["row", "id"].flatMap((unit) =>
      ["add-or-remove-one", "replace-one"].map((adjacency) => [measure, unit, adjacency]),
    ),
  );

  it.each(cases)(
    "costs what was said before, whatever is found: %s, unit %s, %s",
    async (measure, unit, adjacency) => {
      const policy = policyOf(measure!, unit, adjacency);
      for (const text of questions) {
        for (const mechanism of measure === "approximate" ? (["laplace", "gaussian"] as const) : [null]) {
          const { plan, applied } = await learnedPlan(text, policy, mechanism);
          const paid = lossFromJson(plan.price);
          fc.assert(
            fc.property(fc.array(fc.nat(200), { minLength: 2, maxLength: 2 }), (places) => {
              const found = plan.learned!.stages.map((stage, at) => {
                const cells = cellTests(stage.ends).length + 1;
                return Array.from({ length: cells }, (_, cell) =>
                  cell === places[at]! % cells ? 2 ** 40 : 0,
                );
              });
              const after = applied(found);
              expect(after.event).toEqual(plan.event);
              expect(after.price).toEqual(plan.price);
              expect(() => verifyPlan(after)).not.toThrow();
              expect(after.measurements.map(({ name }) => name)).toEqual(
                plan.measurements.map(({ name }) => name),
              );
              // The mechanisms that are run, priced as themselves.
              expect(lossFits(price(drawnEvent(after), priceTarget(paid)), paid)).toBe(true);
            }),
            { numRuns: 3, seed: 5 },
          );
        }
      }
    },
  );

  it("measures as much where learned bounds are those that are stated beside them", async () => {
    const text = `SELECT SUM(age, ${auto}), SUM(age, contribution_bounds_per_row => (0, 64)) FROM t`;
    const { plan, applied } = await learnedPlan(text, policyOf("pure"));
    const { ends } = plan.learned!.stages[0]!;
    const after = applied([ends.map((_, at) => (at > 0 && at < 9 ? 2 ** 40 : 0))]);
    expect(after.learned!.stages[0]!.bounds).toEqual([0, 64]);
    expect(after.sums).toHaveLength(1);
    expect(after.measurements).toHaveLength(2);
  });

  it("has no stage where there is nothing to learn", async () => {
    const { plan } = await learnedPlan(`SELECT SUM(7, ${auto}) FROM t`, policyOf("pure"));
    expect(plan.learned).toBeUndefined();
  });

  it("has no totals of groups whose keys are data: neither is priced for the other", async () => {
    const totals = (keys: string): Promise<unknown> =>
      learnedPlan(
        `SELECT ${keys}, SUM(age, ${auto}) FROM t GROUP BY ROLLUP (${keys})`,
        policyOf("approximate"),
      );
    await expect(totals("g")).resolves.toMatchObject({ plan: { learned: {} } });
    await expect(totals("h")).rejects.toMatchObject({
      code: "query.unsupported",
      message: expect.stringContaining("bounds can be learned for one grouping only"),
    });
  });

  it("reaches no target error, and no quantile", async () => {
    const policy = policyOf("pure");
    const target = resolveQuestion(await parseQuestion(questions[0]!), policy);
    expect(() => planAsked(target, policy, { targetError: { num: 5n, den: 1n } }, "hash")).toThrow(
      /yet to be learned/,
    );
    const quantile = await parseQuestion(`SELECT MEDIAN(x, ${auto}) FROM t`);
    expect(() => resolveQuestion(quantile, policy)).toThrow(/learned only per row, in SUM/);
  });
});
