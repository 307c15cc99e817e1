import { type Event, parseRational, price, toDouble } from "@lethe/core";
import { type Noise, noiseSampler } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { asDraws, SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellCount } from "../plan/boosted-column.ts";
import type { BoostingDescription } from "../plan/boosting-description.ts";
import { boostingSensitivities } from "../plan/boosting-event.ts";
import type { BoostingPlan } from "../plan/boosting-plan.ts";
import { planBoosting } from "../plan/plan-boosting.ts";
import { trainBoosting } from "./train-boosting.ts";
import type { TrainingRows } from "./training-rows.ts";

const age = {
  kind: "number",
  name: "age",
  bounds: [0, 4],
  nullable: true,
  cut: { by: "quantiles", cells: 4 },
} as const;
const sector = { kind: "category", name: "sector", categories: ["a", "b", "c"], nullable: true } as const;
const member = { kind: "category", name: "member", categories: [false, true], nullable: true } as const;
const wage = { kind: "number", name: "wage", bounds: [-2, 2], nullable: true } as const;

const classes: BoostingDescription = {
  target: member,
  features: [age, sector],
  adjacency: "add-or-remove-one",
  budget: { epsilon: 1, delta: 1e-6 },
  rounds: 3,
};

function epsilonOf(event: Event, delta: string): number {
  const loss = price(event, { measure: "approximate", delta: parseRational(delta) });
  if (loss.measure !== "approximate") throw new Error(loss.measure);
  return toDouble(loss.epsilon, "up");
}

describe("the price of a plan", () => {
  const changes: readonly Partial<BoostingDescription>[] = [
    {},
    { adjacency: "replace-one" },
    { rounds: 1, features: [age] },
    { rounds: 57, countShare: 0.01, clip: 3 },
    { target: wage, rows: 4, countShare: "0.5" as never },
    { budget: { epsilon: 8, delta: 1e-9 } },
    { budget: { epsilon: "0.1", delta: "1e-5" } },
  ];

  it.each(changes.map((change) => [JSON.stringify(change), change] as const))(
    "%s: is the budget, used up to a millionth",
    (_, change) => {
      const description = { ...classes, ...change };
      const { budget } = description;
      if (!("epsilon" in budget)) throw new Error("no ε");
      const { event } = planBoosting(description);
      const epsilon = epsilonOf(event, String(budget.delta));
      expect(epsilon).toBeLessThanOrEqual(Number(budget.epsilon));
      expect(epsilon).toBeGreaterThan(Number(budget.epsilon) * (1 - 1e-6));
    },
  );

  it("is a ρ too, or a (Δ₂/σ)²", () => {
    for (const budget of [{ rho: "0.02" }, { muSquared: "0.04" }]) {
      const loss = price(planBoosting({ ...classes, budget }).event, { measure: "zcdp" });
      if (loss.measure !== "zcdp") throw new Error(loss.measure);
      expect(toDouble(loss.rho, "up")).toBeLessThanOrEqual(0.02);
      expect(toDouble(loss.rho, "up")).toBeGreaterThan(0.02 * (1 - 1e-6));
    }
  });

  it("has the counts once, and a step for every column of every round", () => {
    const { event } = planBoosting(classes);
    if (event.kind !== "compose") throw new Error(event.kind);
    expect(event.events).toMatchObject([
      { kind: "rounded-gaussian", l2Squared: String(2n * 2n ** 40n) },
      { kind: "repeat", count: "6", event: { kind: "rounded-gaussian", l2Squared: String(2n ** 40n) } },
    ]);
    // Without the counts, or a round less, it would cost less than was asked for.
    for (const part of event.events) expect(epsilonOf(part, "1e-6")).toBeLessThan(0.95);
  });

  it("is a function of the description alone, and plain JSON", () => {
    const plan = planBoosting(classes);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    expect(planBoosting(classes)).toEqual(plan);
  });
});

/** The exact integers that a run opened, in order, and what left. */
interface Replay {
  readonly exact: bigint[];
  readonly outputs: bigint[];
  /** The noise of each. */
  readonly noises: Noise[];
}

/** Runs with real noise, or with the outputs of another run: what is then exact is a function of rows and earlier outputs. */
function replayed(
  plan: BoostingPlan,
  rows: TrainingRows,
  seed: number,
  earlier?: Replay,
): Replay & { model: string } {
  const bits = new SeededSource(seed);
  const replay: Replay = { exact: [], outputs: [], noises: [] };
  const draws = asDraws({
    noise(noise) {
      const sampler = noiseSampler(noise);
      return (exact) => {
        const output = earlier
          ? elementAt(earlier.outputs, replay.exact.length)
          : exact + sampler.sample(bits);
        replay.exact.push(exact);
        replay.outputs.push(output);
        replay.noises.push(noise);
        return output;
      };
    },
    selection: () => () => false,
    tree: () => () => {
      throw new Error("a training has no tree");
    },
  });
  return { ...replay, model: JSON.stringify(trainBoosting(plan, rows, draws)) };
}

type Unit = readonly { readonly age: number; readonly sector: number; readonly target: number }[];

function rowsOf(units: readonly Unit[]): TrainingRows {
  const rows = units.flat();
  const offsets = [0];
  for (const unit of units) offsets.push(elementAt(offsets, offsets.length - 1) + unit.length);
  return {
    features: [rows.map((row) => row.age), rows.map((row) => row.sector)],
    target: rows.map(({ target }) => target),
    offsets,
  };
}

const anyUnit = (target: fc.Arbitrary<number>): fc.Arbitrary<Unit> =>
  fc.array(
    fc.record({
      age: fc.constantFrom(0, 0.5, 1, 2.5, 4, -7, 99, Number.NaN),
      sector: fc.constantFrom(0, 1, 2, 3, Number.NaN),
      target,
    }),
    { maxLength: 4 },
  );

/** The squared ℓ2 distance of each release between two runs: first all counts, then every step. */
function moves(plan: BoostingPlan, one: Replay, other: Replay, steps: number) {
  const squared = one.exact.map((exact, at) => (exact - elementAt(other.exact, at)) ** 2n);
  const counts = plan.features.reduce((sum, column) => sum + cellCount(column), 0);
  const add = (list: readonly bigint[]): bigint => list.reduce((a, b) => a + b, 0n);
  // The bins of a column are the same in every round.
  const round = (squared.length - counts) / steps;
  return { counts: add(squared.slice(0, counts)), steps: squared.slice(counts), round, add };
}

describe("replayed on neighbours with the same outputs", () => {
  const cases = [
    [
      "classes",
      { ...classes, features: [{ ...age, cut: { by: "width", bins: 4 } }, sector] },
      fc.constantFrom(0, 1, 2, Number.NaN),
    ],
    [
      "a number, merged cells",
      { ...classes, target: wage, clip: 0.5, rows: 2 },
      fc.constantFrom(-2, 2, 0.3, 1e9, Number.NaN),
    ],
  ] as const;

  it.each(cases)("%s: no release moves further than it is priced", (_, description, target) => {
    fc.assert(
      fc.property(
        fc.array(anyUnit(target), { maxLength: 6 }),
        anyUnit(target),
        anyUnit(target),
        fc.nat(),
        (others, unit, another, seed) => {
          for (const [adjacency, neighbour] of [
            ["add-or-remove-one", others],
            ["replace-one", [another, ...others]],
          ] as const) {
            const plan = planBoosting({ ...description, adjacency, budget: { epsilon: 20, delta: 1e-3 } });
            const one = replayed(plan, rowsOf([unit, ...others]), seed);
            const other = replayed(plan, rowsOf(neighbour), seed, one);
            expect(other.exact.length).toBe(one.exact.length);
            // Every release draws the noise that is priced.
            const places = plan.features.reduce((sum, column) => sum + cellCount(column), 0);
            for (const [at, noise] of one.noises.entries())
              expect(noise).toEqual(at < places ? plan.countNoise : plan.stepNoise);
            // Nothing but the outputs reaches the model.
            expect(other.model).toBe(one.model);
            const sensitivity = boostingSensitivities(adjacency, plan.features.length);
            const { counts, steps, add } = moves(plan, one, other, 1);
            expect(counts <= sensitivity.counts.l2Squared).toBe(true);
            // Over all releases: of the vector of all steps the squares add up to at most steps · Δ₂².
            expect(
              add(steps) <= BigInt(plan.rounds * plan.features.length) * sensitivity.step.l2Squared,
            ).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("each single step too, where a row a unit is replaced by its opposite: and some reach it", () => {
    const plan = planBoosting({
      ...classes,
      adjacency: "replace-one",
      target: wage,
      features: [sector],
      rounds: 4,
      clip: 0.2,
    });
    const rows = (target: number): TrainingRows => ({ features: [[0, 1, 1]], target: [target, 1, -1] });
    const one = replayed(plan, rows(2), 5);
    const other = replayed(plan, rows(-2), 5, one);
    const { steps, round, add } = moves(plan, one, other, plan.rounds);
    const { step } = boostingSensitivities("replace-one", 1);
    const each = Array.from({ length: plan.rounds }, (_, at) =>
      add(steps.slice(at * round, (at + 1) * round)),
    );
    expect(each.every((square) => square <= step.l2Squared)).toBe(true);
    expect(each[0]).toBe(step.l2Squared);
  });
});

it("a plan whose noise was altered is not run", () => {
  const plan = planBoosting(classes);
  const rows = { features: [[1], [1]], target: [1] };
  const draws = (): never => {
    throw new Error("drawn");
  };
  const none = asDraws({ noise: draws, selection: draws, tree: draws });
  const altered = [
    { ...plan, stepNoise: { mechanism: "rounded-gaussian@1", sigma: "1" } as const },
    { ...plan, rounds: 4 },
    { ...plan, adjacency: "replace-one" as const },
  ];
  for (const one of altered) expect(() => trainBoosting(one, rows, none)).toThrow(/event of the plan/);
});
