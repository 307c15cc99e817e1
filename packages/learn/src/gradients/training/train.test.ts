import { type TrainingDraws, trainingDraws } from "@lethe/core/mechanisms";
import { parseRational, toDouble } from "@lethe/core/numeric";
import { secureEntropy } from "@lethe/core/samplers";
import { SeededSource, trainingDrawsFrom } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import { privatePlan } from "../plan/make-plan.ts";
import type { PlanRequest } from "../plan/plan-request.ts";
import type { PrivatePlan } from "../plan/private-plan.ts";
import { frozenDraws } from "../testing/frozen-draws.ts";
import { oddUnits, people } from "../testing/people.ts";
import { logisticGradient, referenceGradients, type Unit } from "../testing/reference-gradients.ts";
import { type Checkpoint, checkpointBytes, readCheckpoint } from "./checkpoint.ts";
import type { Optimizer } from "./optimizer.ts";
import { type TrainedStep, train } from "./train.ts";

const parameters = 3;
const base: PlanRequest = {
  model: { name: "logistic", parameters },
  loss: "logistic",
  adjacency: "add-or-remove-one",
  units: 300,
  sampler: "poisson",
  rate: "1/3",
  clip: 1,
  noise: 1,
  delta: 1e-5,
  steps: 12,
};
const sgd: Optimizer = { kind: "sgd", rate: 1, momentum: 0.5 };
const invalid = expect.objectContaining({ code: "parameter.invalid", fix: expect.stringMatching(/\S/) });
const units = people(300, parameters, 1);
const charge = "training 1";

interface Run {
  readonly steps: TrainedStep[];
  readonly kept: Checkpoint[];
}

async function run(
  plan: PrivatePlan,
  data: readonly Unit[],
  draws: TrainingDraws,
  start: Float64Array | Checkpoint = new Float64Array(parameters),
  optimizer: Optimizer = sgd,
): Promise<Run> {
  const [steps, kept]: [TrainedStep[], Checkpoint[]] = [[], []];
  const gradients = referenceGradients(data, parameters, plan.model.layers);
  for await (const step of train(plan, gradients, draws, {
    charge,
    start,
    optimizer,
    keep: (checkpoint) => kept.push(checkpoint) > 0,
  }))
    steps.push(step);
  return { steps, kept };
}

describe("a training", () => {
  it("is the descent along noisy sums over the public expected batch, by hand", async () => {
    const plan = privatePlan({ ...base, clip: 0.5, steps: 5 });
    const { draws, asked } = frozenDraws(3);
    const { steps } = await run(plan, units, draws);
    const [weights, velocity] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    expect(asked.released.length).toBe(5);
    for (const [t, { output }] of asked.released.entries()) {
      for (let i = 0; i < parameters; i++) {
        velocity[i] = 0.5 * velocity[i]! + (output[i]! * 0.5) / 2 ** 20 / 100;
        weights[i]! -= velocity[i]!;
        expect(steps[t]!.weights[i]).toBeCloseTo(weights[i]!, 12);
      }
      expect(steps[t]!.step).toBe(t + 1);
    }
  });
  it("learns what a crowd agrees on, at little noise and none of a price too high to tell", async () => {
    const plan = privatePlan({ ...base, noise: 0.5, steps: 60 });
    const { steps } = await run(plan, units, trainingDrawsFrom(new SeededSource(8)));
    const { weights } = steps.at(-1)!;
    const correct = units
      .flat()
      .filter(
        ({ features, label }) => features.reduce((s, x, i) => s + x * weights[i]!, 0) > 0 === (label === 1),
      ).length;
    expect(correct / units.flat().length).toBeGreaterThan(0.85);
  });
  it("adds the noise of its plan, in units of the clip over the expected batch (false alarm < 1e-7)", async () => {
    const plan = privatePlan({
      ...base,
      model: { name: "wide", parameters: 20_000 },
      clip: 2,
      noise: 1.5,
      steps: 1,
    });
    const kept: Float64Array[] = [];
    const gradients = referenceGradients([], 20_000);
    const options = {
      ...{ charge, start: new Float64Array(20_000), keep: () => true },
      optimizer: { kind: "sgd", rate: 1 } as const,
    };
    for await (const { weights } of train(plan, gradients, trainingDrawsFrom(new SeededSource(2)), options))
      kept.push(weights);
    const square = kept[0]!.reduce((sum, x) => sum + x * x, 0) / 20_000;
    // A deviation of 1 % for the variance; a scale off by a tenth is 21 %.
    expect(Math.abs(square / ((1.5 * 2) / 100) ** 2 - 1)).toBeLessThan(0.055);
  });
  it.each<readonly [string, Partial<PlanRequest>]>([
    ["Poisson", {}],
    ["a cut batch", { sampler: "truncated-poisson", limit: 100 }],
    ["balls in bins", { sampler: "balls-in-bins" }],
    ["full", { sampler: "full", rate: 1 }],
    ["layers", { model: { name: "two", parameters, layers: [1, 2] }, clip: { perLayer: [1, 2] } }],
    ["adaptive", { clip: { adaptive: { start: 1 } } }],
    ["bands", { sampler: "cyclic", correlation: { kind: "banded", bands: 3 } }],
  ])(
    "runs from secure coins, and neither throws nor stops on broken or missing data: %s",
    async (_name, change) => {
      const plan = privatePlan({ ...base, ...change });
      for (const data of [[], oddUnits, [...units.slice(0, 50), ...oddUnits]]) {
        const { steps } = await run(plan, data, trainingDraws(secureEntropy()));
        expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
        for (const x of steps.at(-1)!.weights) expect(Number.isFinite(x)).toBe(true);
      }
    },
  );
  it("follows a quantile of the units' norms where the clip is adaptive", async () => {
    const norms = units.map((unit) => Math.hypot(...logisticGradient([0, 0, 0], unit))).sort((a, b) => a - b);
    const request = {
      ...base,
      noise: 0.7,
      steps: 80,
      clip: { adaptive: { start: 20, quantile: 0.5, pace: 0.3, countNoise: 3 } },
    };
    // Steps too small to move the weights: the median stays.
    const { steps } = await run(
      privatePlan(request),
      units,
      trainingDrawsFrom(new SeededSource(4)),
      undefined,
      { kind: "sgd", rate: 1e-9 },
    );
    const found = steps.slice(40).reduce((sum, { clip }) => sum + clip / 40, 0);
    expect(Math.abs(found / norms[150]! - 1)).toBeLessThan(0.15);
  });
  it("with Adam is Kingma & Ba's rule on the same gradients", async () => {
    const plan = privatePlan({ ...base, steps: 6 });
    const { draws, asked } = frozenDraws(5);
    const { steps } = await run(plan, units, draws, undefined, { kind: "adam", rate: 0.1 });
    let [w, m, v] = [0, 0, 0];
    for (const [t, { output }] of asked.released.entries()) {
      const g = output[0]! / 2 ** 20 / 100;
      [m, v] = [0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g];
      w -= (0.1 * (m / (1 - 0.9 ** (t + 1)))) / (Math.sqrt(v / (1 - 0.999 ** (t + 1))) + 1e-8);
      expect(steps[t]!.weights[0]).toBeCloseTo(w, 10);
    }
  });
});

const kinds: readonly (readonly [string, Partial<PlanRequest>, Optimizer])[] = [
  ["Poisson with momentum", {}, sgd],
  ["balls in bins with Adam", { sampler: "balls-in-bins" }, { kind: "adam", rate: 0.1 }],
  ["adaptive", { clip: { adaptive: { start: 1 } } }, { kind: "sgd", rate: 1 }],
  ["bands", { sampler: "cyclic", correlation: { kind: "banded", bands: 4 } }, sgd],
  [
    "buffers",
    { sampler: "cyclic", correlation: { kind: "blt", decays: [0.9, 0.5], outputs: [0.2, 0.2] } },
    sgd,
  ],
  ["tree", { sampler: "cyclic", correlation: { kind: "tree" } }, sgd],
];

describe("a checkpoint", () => {
  it.each(kinds)("goes on as if there had been no pause: %s", async (_name, change, optimizer) => {
    const plan = privatePlan({ ...base, ...change });
    // One source of coins, handed on: what is compared is the state alone.
    const whole = await run(plan, units, trainingDrawsFrom(new SeededSource(6)), undefined, optimizer);
    const source = new SeededSource(6);
    let start: Float64Array | Checkpoint = new Float64Array(parameters);
    const steps: TrainedStep[] = [];
    const stops = [1, 2, 3, 7, 11, 12];
    for (const stop of stops) {
      const gradients = referenceGradients(units, parameters, plan.model.layers);
      let last: Checkpoint | null = null;
      const options = {
        ...{ charge, start, optimizer },
        keep(checkpoint: Checkpoint): boolean {
          last = readCheckpoint(checkpointBytes(checkpoint));
          return true;
        },
      };
      for await (const step of train(plan, gradients, trainingDrawsFrom(source), options)) {
        steps.push(step);
        if (step.step === stop) break;
      }
      start = last ?? start;
    }
    expect(steps).toEqual(whole.steps);
    expect((await run(plan, units, trainingDrawsFrom(source), start)).steps).toEqual([]);
  });
  it("is kept, and a step shown, only as often as is asked, and at the end", async () => {
    const plan = privatePlan(base);
    const kept: number[] = [];
    const options = {
      ...{ charge, start: new Float64Array(parameters), optimizer: sgd, every: 5 },
      keep: ({ step }: Checkpoint) => kept.push(step) > 0,
    };
    const shown: TrainedStep[] = [];
    const draws = trainingDrawsFrom(new SeededSource(6));
    for await (const step of train(plan, referenceGradients(units, parameters), draws, options))
      shown.push(step);
    expect(kept).toEqual([5, 10, 12]);
    const whole = await run(plan, units, trainingDrawsFrom(new SeededSource(6)));
    expect(shown).toEqual(whole.steps.filter(({ step }) => kept.includes(step)));
  });
  it("is the same bytes again, and is refused when cut off or changed", async () => {
    const plan = privatePlan({ ...base, sampler: "balls-in-bins", steps: 3 });
    const { kept } = await run(plan, units, trainingDrawsFrom(new SeededSource(6)));
    const bytes = checkpointBytes(kept[1]!);
    expect(readCheckpoint(bytes)).toEqual(kept[1]);
    expect(checkpointBytes(readCheckpoint(bytes))).toEqual(bytes);
    for (const length of [0, 10, 100, bytes.length - 1])
      expect(() => readCheckpoint(bytes.subarray(0, length))).toThrow(invalid);
    const changed = bytes.slice();
    changed[bytes.length - 9]! ^= 1;
    expect(() => readCheckpoint(changed)).toThrow(invalid);
  });
  it("holds no coin and no key: whoever goes on twice draws twice", async () => {
    const plan = privatePlan(base);
    const { kept } = await run(plan, units, trainingDrawsFrom(new SeededSource(6)));
    const again = (seed: number) => run(plan, units, trainingDrawsFrom(new SeededSource(seed)), kept[3]);
    expect((await again(1)).steps[0]).not.toEqual((await again(2)).steps[0]);
  });
});

/** A training that stops at a write, before or after it is durable, and goes on from what is. Everything that was shown, and every draw. */
async function crashed(plan: PrivatePlan, at: number, isDurable: boolean) {
  const gradients = referenceGradients(units, parameters);
  let durable: Checkpoint | null = null;
  const shown: TrainedStep[] = [];
  let writes = 0;
  const keep = (checkpoint: Checkpoint): boolean => {
    writes += 1;
    if (writes !== at) {
      durable = checkpoint;
      return true;
    }
    if (isDurable) durable = checkpoint;
    throw new Error("power failed");
  };
  const attempt = async (seed: number): Promise<void> => {
    const start = durable ?? new Float64Array(parameters);
    const coins = trainingDrawsFrom(new SeededSource(seed));
    for await (const step of train(plan, gradients, coins, { charge, start, optimizer: sgd, keep }))
      shown.push(step);
  };
  await expect(attempt(1)).rejects.toThrow("power failed");
  await attempt(2);
  return { shown, writes };
}

describe("a crash at every durable write", () => {
  it.each([true, false])(
    "shows no step twice, and draws none again that was shown (the write lasted: %s)",
    async (isDurable) => {
      const plan = privatePlan({ ...base, steps: 4 });
      for (let at = 1; at <= 4; at++) {
        const { shown, writes } = await crashed(plan, at, isDurable);
        const steps = shown.map(({ step }) => step);
        // A step whose write lasted but was not answered is not shown: it is in the checkpoint, and the next step shows it.
        expect(steps).toEqual([1, 2, 3, 4].filter((step) => !isDurable || step !== at));
        expect(writes).toBe(isDurable ? 4 : 5);
      }
    },
  );
});

/** A place where one checkpoint is kept, which the next replaces if it follows from it. */
function shelf() {
  let last: Checkpoint | null = null;
  return {
    last: (): Checkpoint => last ?? expect.fail("nothing is kept"),
    keep(checkpoint: Checkpoint, after: number): boolean {
      if ((last?.step ?? 0) !== after) return false;
      last = checkpoint;
      return true;
    },
  };
}

describe("of runs of one training at once", () => {
  const plan = privatePlan(base);
  const gradients = referenceGradients(units, parameters);
  const begin = (
    seed: number,
    every: number,
    keep: (checkpoint: Checkpoint, after: number) => boolean,
    start: Checkpoint | Float64Array = new Float64Array(parameters),
  ) =>
    train(plan, gradients, trainingDrawsFrom(new SeededSource(seed)), {
      ...{ charge, start, optimizer: sgd, every, keep },
    });

  it("one alone goes on from a checkpoint, also where they keep at other steps", async () => {
    for (const [one, other] of [
      [5, 5],
      [5, 3],
      [2, 7],
    ] as const) {
      const { keep, last } = shelf();
      const first = begin(1, one, keep);
      const from = (await first.next()).value?.step ?? expect.fail("nothing is shown");
      // The second goes on from what the first kept, is shown, and leaves the first behind.
      const second = begin(2, other, keep, last());
      let shown = Math.min(12, (Math.floor(from / other) + 1) * other);
      expect((await second.next()).value?.step).toBe(shown);
      await expect(first.next()).rejects.toMatchObject({ code: "mechanism.spent" });
      expect((await first.next()).done).toBe(true);
      // As it leaves behind who begins anew.
      await expect(begin(3, one, keep).next()).rejects.toMatchObject({ code: "mechanism.spent" });
      for await (const { step } of second) shown = step;
      expect([shown, last().step]).toEqual([12, 12]);
    }
  });
  it("none is shown where keeping does not say that it was done", async () => {
    for (const answer of [false, undefined, 1]) {
      const silent = begin(4, 1, () => answer as unknown as boolean);
      await expect(silent.next()).rejects.toMatchObject({ code: "mechanism.spent" });
    }
  });
});

/** The number of words that the first steps of two runs have in common: what a sampler that repeats its key hands out again. */
async function repeats(
  resume: (start: Checkpoint) => TrainingDraws,
  first: TrainingDraws,
  plan: PrivatePlan,
): Promise<number> {
  const seen: string[] = [];
  const watch = (draws: TrainingDraws): TrainingDraws => ({
    ...draws,
    poisson(rate, limit) {
      const draw = draws.poisson(rate, limit);
      return (count) => {
        const batch = draw(count);
        seen.push(batch.join());
        return batch;
      };
    },
  });
  const { kept } = await run(plan, units, watch(first));
  await run(plan, units, watch(resume(kept[3]!)), kept[3]);
  return seen.length - new Set(seen).size;
}

describe("a run that goes on", () => {
  const plan = privatePlan(base);
  it("draws batches that no earlier step had", async () => {
    const secure = (): TrainingDraws => trainingDraws(secureEntropy());
    expect(await repeats(secure, secure(), plan)).toBe(0);
  });
  it("is found where its sampler repeats its key", async () => {
    const keyed = (): TrainingDraws => trainingDrawsFrom(new SeededSource(77));
    expect(await repeats(keyed, keyed(), plan)).toBeGreaterThan(4);
  });
});

describe("what is not the plan's is refused before a row is read", () => {
  const never = (): never => {
    throw new Error("a row was read");
  };
  const unread = (count: number, length = parameters) => ({ parameters: length, units: count, sum: never });
  const start = new Float64Array(parameters);
  const draws = trainingDrawsFrom(new SeededSource(1));
  const plan = privatePlan(base);
  const begin = (each: PrivatePlan, gradients: ReturnType<typeof unread>, options: object) =>
    train(each, gradients, draws, { charge, start, optimizer: sgd, keep: () => true, ...options }).next();
  it.each<readonly [string, () => Promise<unknown>]>([
    ["gradients of another model", () => begin(plan, unread(300, 4), {})],
    ["weights of another length", () => begin(plan, unread(300), { start: new Float64Array(4) })],
    ["no optimizer", () => begin(plan, unread(300), { optimizer: undefined })],
    ["a rate of 0", () => begin(plan, unread(300), { optimizer: { kind: "sgd", rate: 0 } })],
    ["a momentum of 1", () => begin(plan, unread(300), { optimizer: { kind: "sgd", rate: 1, momentum: 1 } })],
    ["to keep no step", () => begin(plan, unread(300), { every: 0 })],
    ["an unknown optimizer", () => begin(plan, unread(300), { optimizer: { kind: "newton", rate: 1 } })],
    [
      "more units than cut batches are priced for",
      () => begin(privatePlan({ ...base, sampler: "truncated-poisson", limit: 200 }), unread(301), {}),
    ],
    [
      "another number of units under replace-one",
      () => begin(privatePlan({ ...base, adjacency: "replace-one" }), unread(299), {}),
    ],
    [
      "layers that are not clipped one by one",
      () =>
        begin(
          privatePlan({
            ...base,
            model: { name: "two", parameters, layers: [1, 2] },
            clip: { perLayer: [1, 1] },
          }),
          unread(300),
          {},
        ),
    ],
  ])("%s", async (_name, act) => {
    await expect(act()).rejects.toThrow(invalid);
  });
  it("a checkpoint of another plan, or of other units", async () => {
    const balls = privatePlan({ ...base, sampler: "balls-in-bins" });
    const { kept } = await run(balls, units, trainingDrawsFrom(new SeededSource(6)));
    await expect(begin(plan, unread(300), { start: kept[0] })).rejects.toThrow(invalid);
    await expect(begin(balls, unread(299), { start: kept[0] })).rejects.toThrow(invalid);
  });
  it("a checkpoint of another charge, or of a step that is none of the plan", async () => {
    const { kept } = await run(plan, units, trainingDrawsFrom(new SeededSource(6)));
    const checkpoint = kept[3] ?? expect.fail("nothing is kept");
    await expect(begin(plan, unread(300), { start: checkpoint, charge: "training 2" })).rejects.toThrow(
      invalid,
    );
    await expect(begin(plan, unread(300), { charge: "" })).rejects.toThrow(invalid);
    for (const step of [-1, 0, 0.5, 13, Number.NaN])
      await expect(begin(plan, unread(300), { start: { ...checkpoint, step } })).rejects.toThrow(invalid);
  });
  it("but not another number of units where that number is private", async () => {
    for (const count of [0, 10, 299])
      expect(
        (await run(plan, units.slice(0, count), trainingDrawsFrom(new SeededSource(1)))).steps.length,
      ).toBe(12);
    expect(toDouble(parseRational(plan.divisor), "down")).toBe(100);
  });
});
