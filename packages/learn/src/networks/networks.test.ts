import { parseRational, price, toDouble } from "@lethe/core";
import { computeSealed, type Exact, type TrainingDraws, type UnitRows } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { openExact, SeededSource, trainingDrawsFrom } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import { designRows } from "../design/index.ts";
import { frozenDraws, moved } from "../gradients/testing/frozen-draws.ts";
import { readCheckpoint } from "../gradients/training/checkpoint.ts";
import { train } from "../gradients/training/train.ts";
import { openGradients } from "../kernels/open-gradients.ts";
import type { RowValues } from "../models/row-values.ts";
import {
  type NetworkDescription,
  type NetworkModel,
  type NetworkPlan,
  networkToJson,
  openNetwork,
  planNetwork,
  readNetworkModel,
  sealedRecords,
  startWeights,
  trainSealedNetwork,
} from "./index.ts";
import { age, member, oddPeople, people, sector, wage } from "./testing/people.ts";

const hidden = {
  version: 1,
  input: [4],
  layers: [{ layer: "linear", outputs: 3 }, { layer: "tanh" }, { layer: "linear", outputs: 1 }],
  loss: "binary-logistic",
} as const;

const base: NetworkDescription = {
  target: member,
  features: [age, sector],
  network: hidden,
  units: 400,
  sampler: "poisson",
  rate: "1/4",
  steps: 40,
  clip: 1,
  correlation: null,
  optimizer: { kind: "sgd", rate: 1, momentum: 0.5 },
  seed: 1,
  adjacency: "add-or-remove-one",
  budget: { epsilon: parseRational("1"), delta: parseRational("1e-5") },
};

const paid = { charge: "paid" } as const;

const high: NetworkDescription["budget"] = { epsilon: parseRational("1000"), delta: parseRational("1e-5") };
/** Plans by samples are searched for: each description once. */
const planned = new Map<string, NetworkPlan>();
function planOf(more: Partial<NetworkDescription>): NetworkPlan {
  const key = JSON.stringify(more);
  const plan = planned.get(key) ?? planNetwork({ ...base, ...more });
  planned.set(key, plan);
  return plan;
}

const run = (
  plan: NetworkPlan,
  records: readonly RowValues[],
  draws: TrainingDraws = trainingDrawsFrom(new SeededSource(5)),
): Promise<NetworkModel> => trainSealedNetwork(plan, sealedRecords(plan, records), draws, paid);

describe("the plan of a network", () => {
  it.each([
    ["poisson", {}],
    ["poisson", { adjacency: "replace-one" }],
    ["poisson", { clip: { adaptive: { start: 1, countNoise: 30 } } }],
    ["balls-in-bins", {}],
    ["full", { clip: { perLayer: [1, 0.5] } }],
    ["full", { adjacency: "replace-one" }],
    ["cyclic", { correlation: { kind: "tree" } }],
    ["cyclic", { correlation: { kind: "banded", bands: 4 } }],
  ] as const)("by %s %j costs what was asked, and not much less", (sampler, more) => {
    for (const epsilon of sampler === "full" || sampler === "cyclic" ? ["0.3", "2"] : ["1"]) {
      const budget = { epsilon: parseRational(epsilon), delta: parseRational("1e-5") };
      const { event } =
        epsilon === "1" ? planOf({ sampler, ...more }) : planNetwork({ ...base, ...more, sampler, budget });
      const loss = price(event, { measure: "approximate", delta: budget.delta });
      const spent = loss.measure === "approximate" ? toDouble(loss.epsilon, "up") : Number.NaN;
      expect(spent).toBeLessThanOrEqual(Number(epsilon));
      expect(spent).toBeGreaterThan(0.99 * Number(epsilon));
    }
  });

  it("has a price in zCDP where every step is Gaussian, and is refused for samples", () => {
    const budget = { rho: parseRational("0.1") };
    for (const [sampler, correlation] of [
      ["full", null],
      ["cyclic", { kind: "tree" }],
    ] as const) {
      const { event } = planNetwork({ ...base, sampler, correlation, budget });
      const loss = price(event, { measure: "zcdp" });
      const rho = loss.measure === "zcdp" ? toDouble(loss.rho, "up") : Number.NaN;
      expect(rho).toBeLessThanOrEqual(0.1);
      expect(rho).toBeGreaterThan(0.099);
    }
    expect(() => planNetwork({ ...base, budget })).toThrow(
      expect.objectContaining({ code: "query.unsupported", fix: expect.stringContaining("sampler: full") }),
    );
  });

  it("prices layers by one norm that none of them together can pass", () => {
    const { training, layerNorms } = planOf({ sampler: "full", clip: { perLayer: [3, 4] } });
    expect(layerNorms).toEqual([3, 4]);
    expect(training.clip.kind === "flat" && training.clip.norm).toBeGreaterThanOrEqual(5);
    expect(training.clip.kind === "flat" && training.clip.norm).toBeLessThan(5 + 1e-9);
  });

  it("refuses norms that the run would refuse", () => {
    for (const norms of [
      [1, 1e-12],
      [1e12, 1],
      [0, 1],
      [Number.NaN, 1],
    ])
      expect(() => planNetwork({ ...base, sampler: "full", clip: { perLayer: norms } }), `${norms}`).toThrow(
        expect.objectContaining({ code: "parameter.invalid" }),
      );
  });

  it("begins with public weights, which hang on the seed alone", () => {
    const plan = planOf({ sampler: "full" });
    expect(startWeights(plan)).toEqual(startWeights(planOf({ sampler: "full", units: 500 })));
    const other = startWeights(planOf({ sampler: "full", seed: 2 }));
    const differing = startWeights(plan).filter((w, i) => w !== other[i]);
    expect(differing.length).toBe(other.length);
    expect(other.every((w) => Math.abs(w) <= 1)).toBe(true);
  });
});

describe("a training on sealed rows", () => {
  it.each([
    ["poisson", {}],
    ["balls-in-bins", {}],
    ["full", {}],
    ["cyclic", { correlation: { kind: "banded", bands: 3 } }],
    ["poisson", { clip: { adaptive: { start: 0.5, countNoise: 30 } } }],
  ] as const)("by %s %j is the training on the same rows in the open", async (sampler, more) => {
    const plan = planOf({ sampler, ...more });
    const records = [...people(300, 1), ...oddPeople];
    const sealed = await run(plan, records, trainingDrawsFrom(new SeededSource(9)));
    const { inputs, targets, offsets } = openExact(
      computeSealed(sealedRecords(plan, records), (open) =>
        designRows({ columns: plan.features, intercept: false }, plan.target, open),
      ),
    );
    const gradients = await openGradients({
      network: plan.network,
      rows: { inputs, labels: targets, offsets },
    });
    let weights = startWeights(plan);
    for await (const step of train(plan.training, gradients, trainingDrawsFrom(new SeededSource(9)), {
      ...paid,
      start: weights,
      optimizer: plan.optimizer,
      keep: () => true,
    }))
      weights = step.weights;
    expect(sealed.weights).toEqual([...weights]);
  });

  it("clips each layer to its own norm, where that is asked", async () => {
    const plan = planNetwork({ ...base, sampler: "full", clip: { perLayer: [0.01, 1] }, steps: 1 });
    const { draws, asked } = frozenDraws(3);
    await run(plan, people(1, 1), draws);
    const { exact } = elementAt(asked.released, 0);
    const norm = plan.training.clip.kind === "flat" ? plan.training.clip.norm : Number.NaN;
    const lengthOf = (part: Float64Array): number => (Math.hypot(...part) * norm) / 2 ** 20;
    expect(lengthOf(exact.subarray(0, 15))).toBeLessThanOrEqual(0.01);
    expect(lengthOf(exact.subarray(0, 15))).toBeGreaterThan(0.0099);
    expect(lengthOf(exact.subarray(15))).toBeGreaterThan(0.01);
  });

  it("finds what a crowd shows, at a high price: classes, numbers, three classes", async () => {
    const [known, others] = [people(2000, 1), people(500, 2)];
    const right = async (description: NetworkDescription, name: string): Promise<number> => {
      const predict = openNetwork(await run(planNetwork(description), known));
      return others.filter((row) => predict(row).prediction === row[name]).length / others.length;
    };
    const crowd = { ...base, sampler: "full", units: 2000, steps: 60, budget: high } as const;
    expect(await right(crowd, "member")).toBeGreaterThan(0.93);
    const three = {
      ...hidden,
      input: [2],
      layers: [{ layer: "linear", outputs: 3 }],
      loss: "softmax-cross-entropy",
    } as const;
    expect(
      await right({ ...crowd, target: sector, features: [age, wage], network: three }, "sector"),
    ).toBeGreaterThan(0.5);
    const line = { ...hidden, layers: [{ layer: "linear", outputs: 1 }], loss: "squared-error" } as const;
    const plan = planNetwork({ ...crowd, target: wage, network: line });
    const predict = openNetwork(await run(plan, known));
    const errors = others.map((row) => Math.abs(Number(predict(row).prediction) - Number(row.wage)));
    expect(errors.reduce((sum, e) => sum + e, 0) / errors.length).toBeLessThan(6);
  });

  it.each([0, 1, 5])("of %i odd records fails no more than any other", async (count) => {
    for (const target of [member, wage]) {
      const loss = target === member ? "binary-logistic" : "squared-error";
      const plan = planOf({ sampler: "full", target, network: { ...hidden, loss }, steps: 3 });
      const { weights } = await run(plan, oddPeople.slice(0, count));
      expect(weights.every(Number.isFinite)).toBe(true);
    }
  });

  it("moves no release by more than is priced, whoever comes, goes or is replaced, with many rows too", async () => {
    const unitOf = (row: RowValues): number => Number(row.id ?? -1) >> 2;
    for (const [adjacency, sampler, more] of [
      ["add-or-remove-one", "poisson", {}],
      ["replace-one", "full", {}],
      ["add-or-remove-one", "full", { clip: { perLayer: [0.3, 0.4] } }],
      ["add-or-remove-one", "poisson", { clip: { adaptive: { start: 0.2, countNoise: 30 } } }],
    ] as const) {
      const plan = planNetwork({ ...base, ...more, adjacency, sampler, steps: 6 });
      const most = Number(plan.training.sensitivity.l2Squared);
      const crowd = people(60, 3);
      const without = crowd.slice(0, -4);
      const strange = Array.from({ length: 40 }, (_, i) => ({
        ...elementAt(oddPeople, i % 5),
        id: 59,
        age: 90,
      }));
      const neighbours = adjacency === "replace-one" ? [[...without, ...strange]] : [without];
      for (const other of neighbours) {
        const first = frozenDraws(7);
        await trainSealedNetwork(plan, sealedRecords(plan, crowd, unitOf), first.draws, paid);
        const second = frozenDraws(7, first.asked);
        const there = await trainSealedNetwork(plan, sealedRecords(plan, other, unitOf), second.draws, paid);
        expect(there.weights.length).toBe(19);
        expect(second.asked.parts).toEqual(first.asked.parts);
        const moves = first.asked.released.map((release, i) =>
          moved(release, elementAt(second.asked.released, i)),
        );
        expect(moves.length).toBe(6);
        expect(Math.max(...moves)).toBeLessThanOrEqual(most);
        expect(Math.max(...moves)).toBeGreaterThan(0);
      }
    }
  });
});

describe("a training that is kept", () => {
  /** Checkpoints in memory; the process dies at the write of this number, before it or just after. */
  const dying = (dies: number, after: boolean, held: { step: number; bytes: Uint8Array | null }) => {
    let writes = 0;
    return {
      last: () => held.bytes,
      keepAfter(step: number, bytes: Uint8Array): boolean {
        const now = ++writes === dies;
        if (now && !after) throw new Error("died");
        expect(step).toBe(held.step);
        Object.assign(held, { step: readCheckpoint(bytes).step, bytes });
        if (now) throw new Error("died");
        return true;
      },
    };
  };

  it.each([
    ["poisson", 40],
    ["balls-in-bins", 10],
  ] as const)(
    "by %s goes on from what was kept, wherever it dies: no kept step is drawn again",
    async (sampler, writes) => {
      const plan = planNetwork({ ...base, sampler });
      const rows: Exact<UnitRows> = sealedRecords(plan, people(100, 1));
      for (let dies = 1; dies <= writes; dies++)
        for (const after of [false, true]) {
          const held = { step: 0, bytes: null };
          const first = frozenDraws(dies);
          await expect(
            trainSealedNetwork(plan, rows, first.draws, {
              ...paid,
              checkpoints: dying(dies, after, held),
            }),
          ).rejects.toThrow("died");
          const kept = held.step;
          const second = frozenDraws(1000 + dies);
          const model = await trainSealedNetwork(plan, rows, second.draws, {
            ...paid,
            checkpoints: dying(0, false, held),
          });
          expect(second.asked.released.length).toBe(plan.training.steps - kept);
          expect(model.weights.length).toBe(plan.training.model.parameters);
        }
    },
  );

  it("after its last step is not trained again", async () => {
    const plan = planOf({ sampler: "poisson" });
    const rows = sealedRecords(plan, people(100, 1));
    const held = { step: 0, bytes: null };
    const model = await trainSealedNetwork(plan, rows, frozenDraws(1).draws, {
      ...paid,
      checkpoints: dying(0, false, held),
    });
    const again = frozenDraws(2);
    expect(
      await trainSealedNetwork(plan, rows, again.draws, { ...paid, checkpoints: dying(0, false, held) }),
    ).toEqual(model);
    expect(again.asked.released).toEqual([]);
  });

  it("under another plan is refused, and a training whose secrets cannot be kept is not kept", async () => {
    const plan = planOf({ sampler: "poisson" });
    const held = { step: 0, bytes: null };
    await trainSealedNetwork(plan, sealedRecords(plan, people(20, 1)), frozenDraws(1).draws, {
      ...paid,
      checkpoints: dying(0, false, held),
    });
    const other = planOf({ sampler: "full", steps: 41 });
    await expect(
      trainSealedNetwork(other, sealedRecords(other, people(20, 1)), frozenDraws(1).draws, {
        ...paid,
        checkpoints: dying(0, false, held),
      }),
    ).rejects.toMatchObject({ code: "parameter.invalid" });
    const cyclic = planOf({ sampler: "cyclic", correlation: { kind: "tree" } });
    const never = dying(1, false, { step: 0, bytes: null });
    await trainSealedNetwork(cyclic, sealedRecords(cyclic, people(20, 1)), frozenDraws(1).draws, {
      ...paid,
      checkpoints: never,
    });
  });
});

it("a model as JSON is read back, and refused where it does not fit", async () => {
  const model = await run(planOf({ sampler: "poisson" }), people(50, 1));
  expect(readNetworkModel(networkToJson(model))).toEqual(model);
  for (const wrong of [
    { ...model, weights: model.weights.slice(1) },
    { ...model, features: [age] },
    { ...model, target: sector },
    { ...model, more: 1 },
  ])
    expect(() => readNetworkModel(JSON.stringify(wrong))).toThrow(
      expect.objectContaining({ code: "model.invalid" }),
    );
  expect(() => readNetworkModel("{")).toThrow(expect.objectContaining({ code: "model.unreadable" }));
});
