import { ratio } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { audit, auditModule } from "./audit.ts";
import type { AuditedFunction } from "./run-here.ts";

const noise = { mechanism: "discrete-laplace@1", scale: "1" } as const;
const one = { l1: 1n, l2Squared: 1n };
const neighbours: [number[], number[]][] = [
  [
    [4, 2],
    [4, 2, 9],
  ],
  [[], [0]],
];
const count: AuditedFunction<number[]> = (rows, dp) => dp.addNoise([BigInt(rows.length)], noise, one)[0];
const whatOf = async (audited: AuditedFunction<number[]>): Promise<string[]> =>
  (await audit(audited, neighbours, { limitMs: 300, mostCalls: 50 })).findings.map(({ what }) => what);

describe("a function that keeps its promise", () => {
  test("is not flagged, and its calls are counted and priced", async () => {
    const report = await audit(count, neighbours, { epsilon: ratio(1n) });
    expect(report).toMatchObject({ findings: [], runs: 16, calls: 16, moved: 16 });
  });
  test("may choose its path by what was released", async () => {
    const audited: AuditedFunction<number[]> = (rows, dp) => {
      const n = count(rows, dp) as bigint;
      return n > 3n ? [n, count(rows, dp)] : [n];
    };
    expect(await whatOf(audited)).toEqual([]);
  });
  test("may change its copy of the data, which is nobody else's", async () => {
    const audited: AuditedFunction<number[]> = (rows, dp) => {
      rows.sort((a, b) => b - a);
      const n = rows.splice(0).length;
      return dp.addNoise([BigInt(n + rows.length)], noise, one);
    };
    expect(await whatOf(audited)).toEqual([]);
    expect(neighbours[0]).toEqual([
      [4, 2],
      [4, 2, 9],
    ]);
  });
  test("may be asynchronous", async () => {
    expect(await whatOf(async (rows, dp) => [await Promise.resolve(count(rows, dp))])).toEqual([]);
  });
  test("may choose among candidates", async () => {
    const audited: AuditedFunction<number[]> = (rows, dp) =>
      dp.choose([BigInt(rows.length), BigInt(rows.filter((x) => x > 3).length), 0n], {
        mechanism: "exponential",
        epsilon: "1",
        sensitivity: 1n,
        monotone: true,
      });
    expect(await whatOf(audited)).toEqual([]);
  });
});

const quantile = {
  range: { lo: 0n, hi: 9n },
  q: "1/2",
  epsilon: "1",
  adjacency: "add-or-remove-one",
} as const;
/** Asks until something is above, or the conversation is spent; `of` is what each row is asked as. */
const firstAbove =
  (of: (row: number) => bigint): AuditedFunction<number[]> =>
  (rows, dp) => {
    const opened = dp.openSparseVector({ epsilon: "1", sensitivity: 1n, cap: 2n, numberShare: "1/2" });
    const total = BigInt(rows.length);
    const told: unknown[] = [];
    try {
      for (let at = 0; at < 40; at += 1)
        told.push(dp.askSparseVector(opened, { value: total + of(rows.length), threshold: BigInt(at % 3) }));
    } catch (error) {
      told.push((error as { code: string }).code);
    }
    return told;
  };

describe("what else a function may ask", () => {
  test("a quantile of its rows, and a sparse vector to its end", async () => {
    const median: AuditedFunction<number[]> = (rows, dp) => dp.quantile(rows.map(BigInt), quantile);
    expect(await whatOf(median)).toEqual([]);
    const report = await audit(
      firstAbove(() => 0n),
      neighbours,
      { epsilon: ratio(1n) },
    );
    expect(report.findings).toEqual([]);
    expect(report.calls).toBeGreaterThan(40);
  });
  test("but not with rows or values that move farther", async () => {
    const twice: AuditedFunction<number[]> = (rows, dp) =>
      dp.quantile(
        rows.flatMap((row) => [BigInt(row), BigInt(row)]),
        quantile,
      );
    expect(await whatOf(twice)).toContainEqual(expect.stringMatching(/rows that differ 2 > 1/));
    const replaced: AuditedFunction<number[]> = (rows, dp) =>
      dp.quantile(rows.map(BigInt), { ...quantile, adjacency: "replace-one" });
    expect(await whatOf(replaced)).toContainEqual(expect.stringMatching(/rows in place of/));
    expect(await whatOf(firstAbove((rows) => BigInt(rows)))).toContainEqual(
      expect.stringMatching(/sparse-vector answer.*one input moves 2 > 1/),
    );
  });
  test("a vector with Gaussian noise, by its ℓ2 distance", async () => {
    const counts =
      (l2Squared: bigint): AuditedFunction<number[]> =>
      (rows, dp) =>
        dp.addNoise(
          [0, 1, 2, 3].map((k) => BigInt(k * rows.length)),
          { mechanism: "rounded-gaussian@1", sigma: "9" },
          { l1: 6n, l2Squared },
        );
    expect(await whatOf(counts(14n))).toEqual([]);
    expect(await whatOf(counts(13n))).toContainEqual(expect.stringMatching(/ℓ2² 14 > 13/));
  });
  test("nor of a sparse vector that it did not open", async () => {
    expect(await whatOf((_rows, dp) => dp.askSparseVector(3, { value: 0n }).above)).toEqual([
      "throws",
      "throws",
    ]);
  });
});

describe("findings", () => {
  test.each<[string, AuditedFunction<number[]>, RegExp]>([
    [
      "a sensitivity declared too small",
      (rows, dp) => dp.addNoise([BigInt(rows.reduce((a, b) => a + b, 0))], noise, one),
      /ℓ1 9 > 1/,
    ],
    [
      "scores that move against each other",
      (rows, dp) =>
        dp.choose([BigInt(rows.length), -BigInt(rows.length)], {
          mechanism: "permute-and-flip",
          epsilon: "1",
          sensitivity: 1n,
          monotone: true,
        }),
      /difference of inputs moves 2 > 1/,
    ],
    [
      "a path that follows the data",
      (rows, dp) => (rows.length > 2 ? [count(rows, dp), count(rows, dp)] : [count(rows, dp)]),
      /asks for 1 answers on one/,
    ],
    [
      "noise that follows the data",
      (rows, dp) => dp.addNoise([0n], { ...noise, scale: String(rows.length + 1) }, one),
      /other parameters or price/,
    ],
    [
      "as many noisy values as there are rows",
      (rows, dp) => dp.addNoise(rows.map(BigInt), noise, one),
      /other parameters or price/,
    ],
    ["data beside the noise", (rows, dp) => [count(rows, dp), rows.length], /returns something else/],
    [
      "an error that follows the data",
      (rows, dp) => (rows.length > 2 ? JSON.parse("{") : count(rows, dp)),
      /throws/,
    ],
    ["always an error", () => JSON.parse("{"), /^throws$/],
    ["a promise that is never kept", () => new Promise(() => undefined), /does not end/],
    [
      "calls without an end",
      (rows, dp) => {
        for (;;) count(rows, dp);
      },
      /does not end/,
    ],
    [
      "state of its own",
      (
        (n) => () =>
          (n += 1)
      )(0),
      /not a function of its data and coins/,
    ],
    ["coins of its own", () => Math.random(), /not a function of its data and coins/],
    ["the clock", () => Date.now(), /not a function of its data and coins/],
    [
      "a promise that is never kept after an answer",
      async (rows, dp) => {
        count(rows, dp);
        await new Promise(() => undefined);
      },
      /^does not end$/,
    ],
    ["a promise that is broken", async (rows, dp) => JSON.parse(`{${count(rows, dp)}`), /^throws$/],
    [
      "an error of a mechanism that follows the data, and is caught",
      (rows, dp) => {
        try {
          dp.addNoise(rows.length > 2 ? ([0.5] as never) : [0n], noise, one);
        } catch {
          // Nobody is told.
        }
        return 0;
      },
      /refused on the other|refused on one/,
    ],
    [
      "an error of too many calls that is caught",
      (rows, dp) => {
        try {
          for (;;) count(rows, dp);
        } catch {
          return 0;
        }
      },
      /more on the other/,
    ],
    [
      "the error of another path that is caught",
      (rows, dp) => {
        try {
          if (rows.length > 2)
            dp.choose([0n, 1n], { mechanism: "exponential", epsilon: "1", sensitivity: 1n });
          else count(rows, dp);
        } catch {
          return 0;
        }
        return 0;
      },
      /on the other/,
    ],
  ])("%s", async (_name, audited, what) => {
    expect(await whatOf(audited)).toContainEqual(expect.stringMatching(what));
  });
  test("more than it claims to cost", async () => {
    const twice: AuditedFunction<number[]> = (rows, dp) => [count(rows, dp), count(rows, dp)];
    expect((await audit(twice, neighbours, { epsilon: ratio(1n) })).findings).toEqual([
      { pair: null, what: "costs ε = 2, claims 1" },
    ]);
  });
});

describe("a module's function, in a thread of its own", () => {
  const moduleOf = (body: string) => ({
    url: `data:text/javascript,${encodeURIComponent(`export const f = ${body};`)}`,
    name: "f",
  });
  const options = { rounds: 1, limitMs: 2000 };
  const call =
    'dp.addNoise([BigInt(rows.length)], { mechanism: "discrete-laplace@1", scale: "1" }, { l1: 1n, l2Squared: 1n })';
  test.each([
    ["is not flagged where it is right", `(rows, dp) => ${call}`, []],
    ["may be asynchronous", `async (rows, dp) => ${call}`, []],
    [
      "leaks",
      `(rows, dp) => [${call}, rows.length]`,
      ["returns something else on the same outputs: data leave by another way than the mechanisms"],
    ],
    ["throws", "() => { throw new Error('secret') }", ["throws"]],
    ["is not there", "undefined", ["is no function that its file exports"]],
    [
      "tells the hour",
      `(rows, dp) => [${call}, new Date().getHours()]`,
      [
        "not a function of its data and coins: returns something else on the same outputs: data leave by another way than the mechanisms",
        "returns something else on the same outputs: data leave by another way than the mechanisms",
      ],
    ],
    [
      "may reckon with dates that it has",
      `(rows, dp) => [${call}, new Date(0).getUTCFullYear(), Date.UTC(1, 2)]`,
      [],
    ],
    [
      "waits for what never comes",
      `async (rows, dp) => { ${call}; await new Promise(() => {}); }`,
      ["does not end"],
    ],
    ["kills its thread", "() => process.exit(0)", ["does not end"]],
  ])("%s", async (_name, body, what) => {
    const { findings } = await auditModule(moduleOf(body), neighbours.slice(0, 1), options);
    expect(findings.map((each) => each.what)).toEqual(what);
  });
  test("a loop that asks for nothing is ended", async () => {
    const { findings } = await auditModule(moduleOf("() => { for (;;); }"), neighbours.slice(0, 1), {
      rounds: 1,
      limitMs: 300,
    });
    expect(findings).toEqual([{ pair: 0, what: "does not end" }]);
  });
});

describe("a report", () => {
  test("counts runs, calls and those that moved, and holds the event of the last run", async () => {
    const twice: AuditedFunction<number[]> = (rows, dp) => [count(rows, dp), dp.addNoise([0n], noise, one)];
    const report = await audit(twice, neighbours, { rounds: 3 });
    // Two pairs, both ways, three rounds; of two calls one has the same inputs.
    expect(report).toMatchObject({ findings: [], runs: 12, calls: 24, moved: 12 });
    expect(report.event).toMatchObject({
      kind: "compose",
      events: [{ kind: "laplace" }, { kind: "laplace" }],
    });
  });
  test("stops at a pair that returns nothing to compare, and goes on with the next", async () => {
    const some: AuditedFunction<number[]> = (rows, dp) => {
      if (rows.includes(4)) throw new Error("four");
      return count(rows, dp);
    };
    const report = await audit(some, neighbours, { rounds: 3 });
    expect(report).toMatchObject({ findings: [{ pair: 0, what: "throws" }], runs: 7, calls: 6 });
    expect((await audit(() => JSON.parse("{"), neighbours)).event).toBe(null);
  });
  test("names each finding of a pair once, and of each pair", async () => {
    const leaky: AuditedFunction<number[]> = (rows, dp) => [count(rows, dp), rows.length];
    const { findings } = await audit(leaky, neighbours);
    expect(findings.map(({ pair }) => pair)).toEqual([0, 1]);
  });
  test("is of coins that its seed, its round and its pair draw", async () => {
    const drawn: string[] = [];
    const listening: AuditedFunction<number[]> = (_rows, dp) => {
      drawn.push(dp.addNoise(Array<bigint>(20).fill(0n), { ...noise, scale: "9" }, one).join());
      return 0;
    };
    const coins = async (options: object) => {
      drawn.length = 0;
      await audit(listening, neighbours, options);
      return new Set(drawn);
    };
    const first = await coins({ rounds: 2 });
    // Two rounds of two pairs; both ways are on the same coins, and what is replayed is.
    expect(first.size).toBe(4);
    expect(await coins({ rounds: 2, seed: 1 })).toEqual(first);
    const others = await coins({ rounds: 2, seed: 2 });
    expect([...others].filter((each) => first.has(each))).toEqual([]);
  });
});

describe("a claimed price", () => {
  const priced = async (audited: AuditedFunction<number[]>, epsilon: bigint) =>
    (await audit(audited, neighbours, { epsilon: ratio(epsilon) })).findings;
  test("of nothing is held by what asks for nothing", async () => {
    expect(await priced(() => 1, 0n)).toEqual([]);
    expect(await priced(count, 1n)).toEqual([]);
    expect(await priced(count, 0n)).toEqual([{ pair: null, what: "costs ε = 1, claims 0" }]);
  });
  test("cannot be held by Gaussian noise, which has none that is pure", async () => {
    const gaussian: AuditedFunction<number[]> = (rows, dp) =>
      dp.addNoise([BigInt(rows.length)], { mechanism: "rounded-gaussian@1", sigma: "9" }, one);
    expect(await priced(gaussian, 5n)).toEqual([{ pair: null, what: "its calls have no pure price" }]);
  });
});
