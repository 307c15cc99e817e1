import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededWords } from "../../../../testing/src/contracts/mechanism-release-contract.ts";
import { seal } from "../exact/exact.ts";
import type { ExactGroup, KeyValue } from "../exact/exact-rows.ts";
import { drawsFrom } from "./draws.ts";
import { canonicalKey, compareKeys } from "./key-order.ts";
import { noiseSampler } from "./registry.ts";
import { releaseGroups } from "./release-groups.ts";
import type { KeyProgram, MeasurementProgram, ReleaseProgram } from "./release-program.ts";

const exactly = (column: number, coefficient = "1"): MeasurementProgram => ({
  terms: [{ column, coefficient }],
  noise: { mechanism: "constant@1" },
});
const noisy = (column: number): MeasurementProgram => ({
  terms: [{ column, coefficient: "1" }],
  noise: { mechanism: "discrete-laplace@1", scale: "3" },
});
const group = (key: readonly KeyValue[], units: bigint, ...sums: bigint[]): ExactGroup => ({
  key,
  units,
  sums,
});
const release = (groups: readonly ExactGroup[], program: ReleaseProgram, seed = 5) =>
  releaseGroups(seal({ groups }), program, drawsFrom(seededWords(seed))).map(({ key, values }) => ({
    key,
    values,
  }));
const program = (keys: KeyProgram, ...measurements: MeasurementProgram[]): ReleaseProgram => ({
  keys,
  measurements,
});
/** Keeps every group of at least 5 units, drops the others, up to probability 1e-400. */
const sharp: KeyProgram = {
  kind: "private",
  rule: { rule: "laplace-threshold", scale: "1/1000", threshold: "5" },
};

describe("without keys", () => {
  it("answers once, whatever the engine returned", () => {
    const one = program({ kind: "none" }, exactly(0), exactly(1, "-2"));
    expect(release([group([], 0n, 7n, 3n)], one)).toEqual([{ key: [], values: [7n, -6n] }]);
    expect(release([], one)).toEqual([{ key: [], values: [0n, 0n] }]);
    expect(release([group([], 0n, 7n), group([], 0n, 9n)], one)).toEqual([{ key: [], values: [7n, 0n] }]);
  });

  it("is total on rows that an engine should not return", () => {
    const broken = [{ key: [], units: null, sums: [1.5, Number.NaN] }] as unknown as ExactGroup[];
    expect(release(broken, program({ kind: "none" }, exactly(0), exactly(1), exactly(9)))).toEqual([
      { key: [], values: [0n, 0n, 0n] },
    ]);
    expect(release(broken, program(sharp, exactly(0)))).toEqual([]);
    const short = [group(["a"], 3n, 30n), { key: ["a"], units: 3n, sums: [1n, "9"] } as never];
    const keys: KeyProgram = { kind: "public", groups: [["a"]] };
    expect(release(short, program(keys, exactly(0), exactly(1)))).toEqual([
      { key: ["a"], values: [31n, 0n] },
    ]);
  });
});

describe("public keys", () => {
  const declared: KeyValue[][] = [["b"], ["a"], [null], [1n], [1], ["1"], [true]];
  const keys: KeyProgram = { kind: "public", groups: declared };

  it("are all answered, in the declared order, and no other is", () => {
    const rows = [
      group([1n], 1n, 10n),
      group(["zz"], 9n, 99n),
      group([null], 2n, 20n),
      group(["a"], 3n, 30n),
    ];
    expect(release(rows, program(keys, exactly(0)))).toEqual(
      declared.map((key) => ({
        key,
        values: [({ "": 20n, "1n": 10n, a: 30n } as Record<string, bigint>)[name(key)] ?? 0n],
      })),
    );
    function name([value]: readonly KeyValue[]): string {
      return value === null
        ? ""
        : typeof value === "bigint"
          ? `${value}n`
          : typeof value === "string"
            ? value
            : "other";
    }
  });

  it("answer a key that an engine returned twice alike in either order, which a single row may decide", () => {
    const rows = [group(["a"], 3n, 30n), group(["a"], 3n, 40n)];
    for (const order of [rows, [...rows].reverse()]) {
      const [answer] = release(order, program({ kind: "public", groups: [["a"]] }, exactly(0)));
      expect(answer!.values).toEqual([70n]);
    }
  });

  it("draw the same words whichever groups are present", () => {
    const absent = release([], program(keys, noisy(0)));
    const present = release([group([1], 5n, 100n)], program(keys, noisy(0)));
    expect(present.map(({ values }, i) => values[0]! - absent[i]!.values[0]!)).toEqual(
      declared.map((key) => (key[0] === 1 ? 100n : 0n)),
    );
  });

  it("must be distinct", () => {
    expect(() => release([], program({ kind: "public", groups: [["a"], ["a"]] }, exactly(0)))).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});

describe("private keys", () => {
  it("pass the rule, and come in the order of their values", () => {
    const rows = [
      group(["b"], 5n, 1n),
      group(["a"], 4n, 2n),
      group([10n], 6n, 3n),
      group([9n], 7n, 4n),
      group([null], 8n, 5n),
      group(["a\u0000"], 9n, 6n),
    ];
    const expected = [
      { key: [null], values: [5n] },
      { key: [9n], values: [4n] },
      { key: [10n], values: [3n] },
      { key: ["a\u0000"], values: [6n] },
      { key: ["b"], values: [1n] },
    ];
    expect(release(rows, program(sharp, exactly(0)))).toEqual(expected);
    expect(release([...rows].reverse(), program(sharp, exactly(0)))).toEqual(expected);
  });

  it("give the same release for any order of the engine's rows", () => {
    const keys: KeyProgram = {
      kind: "private",
      rule: { rule: "truncated-geometric", epsilon: "1", delta: "1/100" },
    };
    const rows = Array.from({ length: 12 }, (_, i) => group([`k${i}`], BigInt(i), BigInt(i * i)));
    const reference = release(rows, program(keys, noisy(0)));
    expect(reference.length).toBeGreaterThan(2);
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(release(shuffled, program(keys, noisy(0)))).toEqual(reference);
      }),
      { numRuns: 20 },
    );
  });

  it("are chosen before, and independently of, the measurements' noise", () => {
    const keys: KeyProgram = {
      kind: "private",
      rule: { rule: "truncated-geometric", epsilon: "1", delta: "1/100" },
    };
    const rows = Array.from({ length: 9 }, (_, i) => group([BigInt(i)], BigInt(i), 0n));
    for (let seed = 1; seed < 40; seed += 1) {
      const alone = release(rows, program(keys), seed).map(({ key }) => key);
      const measured = release(rows, program(keys, noisy(0), noisy(0)), seed).map(({ key }) => key);
      expect(measured).toEqual(alone);
    }
  });
});

describe("noise", () => {
  it("is drawn anew for every measurement of every group, in order", () => {
    const keys: KeyProgram = { kind: "public", groups: [["a"], ["b"]] };
    const released = release([group(["b"], 1n, 50n)], program(keys, noisy(0), noisy(0)), 3);
    const coins = seededWords(3);
    const sampler = noiseSampler(noisy(0).noise);
    expect(released.map(({ values }) => values)).toEqual([
      [sampler.sample(coins), sampler.sample(coins)],
      [50n + sampler.sample(coins), 50n + sampler.sample(coins)],
    ]);
  });
});

describe("a broken program", () => {
  it.each([
    ["an unknown noise", program({ kind: "none" }, { terms: [], noise: { mechanism: "none" } } as never)],
    [
      "a scale of 0",
      program({ kind: "none" }, { terms: [], noise: { mechanism: "discrete-laplace@1", scale: "0" } }),
    ],
    ["a column that is no index", program({ kind: "none" }, exactly(-1))],
    ["a column between two", program({ kind: "none" }, exactly(0.5))],
    ["a coefficient with two signs", program({ kind: "none" }, exactly(0, "--1"))],
    ["a coefficient below 0 that is no integer", program({ kind: "none" }, exactly(0, "-1/2"))],
    ["a coefficient that is no integer", program({ kind: "none" }, exactly(0, "1/2"))],
    ["unknown keys", program({ kind: "some" } as never)],
    ["an unknown rule", program({ kind: "private", rule: { rule: "best" } } as never)],
  ])("fails before the data is opened: %s", (_name, broken) => {
    for (const rows of [[], [group([], 3n, 1n)]]) {
      expect(() => release(rows, broken)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
    }
  });
});

describe("keys", () => {
  const value: fc.Arbitrary<KeyValue> = fc.oneof(
    fc.constantFrom<KeyValue>(
      null,
      true,
      false,
      0,
      -0,
      1,
      1n,
      "1",
      "null",
      "",
      "\ud800",
      "a,b",
      '"',
      Number.NaN,
      0n,
    ),
    fc.string(),
    fc.bigInt(),
    fc.double(),
  );
  const key = fc.array(value, { maxLength: 3 });

  it("have the same canonical text exactly when they are the same", () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const same = a.length === b.length && a.every((x, i) => x === b[i] || Object.is(x, b[i]));
        expect(canonicalKey(a) === canonicalKey(b)).toBe(same);
      }),
      { numRuns: 2000 },
    );
  });

  it("are totally ordered", () => {
    fc.assert(
      fc.property(key, key, key, (a, b, c) => {
        expect(Math.sign(compareKeys(a, b))).toBe(-Math.sign(compareKeys(b, a)) + 0);
        if (canonicalKey(a) !== canonicalKey(b)) expect(compareKeys(a, b)).not.toBe(0);
        if (compareKeys(a, b) <= 0 && compareKeys(b, c) <= 0)
          expect(compareKeys(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("trees of cells", () => {
  const tree = {
    branching: 2,
    height: 2,
    noise: { mechanism: "discrete-laplace@1", scale: "1/1000" },
  } as const;
  const cells = (...groups: ExactGroup[]) => [seal({ groups })];
  const trees = (keys: KeyProgram, rows: readonly ExactGroup[], ...counted: ExactGroup[]) =>
    releaseGroups(
      seal({ groups: rows }),
      { keys, measurements: [], trees: [tree] },
      drawsFrom(seededWords(3)),
      cells(...counted),
    ).map(({ key, trees: [levels] }) => [key, ...levels!.map((level) => [...level])]);

  it("count every node of every answered group, empty ones too, and nothing else", () => {
    const keys: KeyProgram = { kind: "public", groups: [["a"], ["b"]] };
    const counted = [
      group(["a", 0n], 0n, 5n),
      group(["a", 3n], 0n, 2n),
      group(["a", 3n], 0n, 1n),
      group(["a", 4n], 0n, 99n),
      group(["a", null], 0n, 99n),
      group(["zz", 1n], 0n, 99n),
    ];
    expect(trees(keys, [], ...counted)).toEqual([
      [["a"], [5, 3], [5, 0, 0, 3]],
      [["b"], [0, 0], [0, 0, 0, 0]],
    ]);
    expect(trees({ kind: "none" }, [], group([1n], 0n, 4n))).toEqual([[[], [4, 0], [0, 4, 0, 0]]]);
  });

  it("are opened for groups that were selected alone", () => {
    const rows = [group(["a"], 9n), group(["b"], 1n)];
    expect(trees(sharp, rows, group(["a", 0n], 0n, 1n), group(["b", 0n], 0n, 1n))).toEqual([
      [["a"], [1, 0], [1, 0, 0, 0]],
    ]);
  });

  it("draw for every node, whatever is counted", () => {
    const noise = { mechanism: "discrete-laplace@1", scale: "50" } as const;
    const drawn = (...counted: ExactGroup[]): number[] =>
      releaseGroups(
        seal({ groups: [] }),
        { keys: { kind: "none" }, measurements: [], trees: [{ ...tree, noise }] },
        drawsFrom(seededWords(8)),
        cells(...counted),
      )[0]!.trees[0]!.flatMap((level) => [...level]);
    const [none, some] = [drawn(), drawn(group([2n], 0n, 1000n))];
    expect(some.map((count, at) => count - none[at]!)).toEqual([0, 1000, 0, 0, 1000, 0]);
    expect(none.filter((count) => count !== 0).length).toBeGreaterThan(3);
  });

  it("need the exact rows of each of them", () => {
    const asked = { keys: { kind: "none" } as const, measurements: [], trees: [tree] };
    expect(() => releaseGroups(seal({ groups: [] }), asked, drawsFrom(seededWords(1)))).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});
