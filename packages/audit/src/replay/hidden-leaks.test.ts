import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { audit, auditModule } from "./audit.ts";
import type { Mechanisms } from "./mechanism-call.ts";
import type { AuditedFunction } from "./run-here.ts";

const noise = { mechanism: "discrete-laplace@1", scale: "1" } as const;
const one = { l1: 1n, l2Squared: 1n };
const neighbours: readonly [number[], number[]][] = [
  [
    [4, 2],
    [4, 2, 9],
  ],
];
const released = (rows: readonly number[], dp: Mechanisms): bigint[] =>
  dp.addNoise([BigInt(rows.length), 7n], noise, one);
const whatOf = async (audited: AuditedFunction<number[]>): Promise<string[]> =>
  (await audit(audited, neighbours, { limitMs: 300, rounds: 2 })).findings.map(({ what }) => what);

class Sealed {
  readonly #rows: number;
  constructor(rows: number) {
    this.#rows = rows;
  }
  rows(): number {
    return this.#rows;
  }
}

const opaque = "returns what is not plain data, so nobody can see all of it";
const beside = "returns something else on the same outputs: data leave by another way than the mechanisms";

describe("rows that are returned in something", () => {
  test.each<[string, (rows: number) => unknown]>([
    ["a date", (rows) => new Date(rows)],
    ["bytes", (rows) => new Uint8Array([rows]).buffer],
    ["a view of another kind", (rows) => (rows > 2 ? new Int8Array(1) : new Uint8Array(1))],
    ["a map of sets", (rows) => new Map([[1, new Set([rows])]])],
    ["an object without a prototype", (rows) => Object.assign(Object.create(null), { rows })],
  ])("are seen in %s", async (_name, of) => {
    expect(await whatOf((rows, dp) => [released(rows, dp), of(rows.length)])).toEqual([beside]);
  });
  test.each<[string, (rows: number) => unknown]>([
    ["an error", (rows) => new Error(`${rows}`)],
    ["a pattern", (rows) => new RegExp(`${rows}`)],
    ["bytes that threads share", (rows) => new SharedArrayBuffer(rows)],
    ["a function", (rows) => () => rows],
    ["a symbol", (rows) => Symbol(rows)],
    ["a boxed number", (rows) => Object(rows)],
    ["a promise within", (rows) => ({ rows: Promise.resolve(rows) })],
    ["an iterator", (rows) => [rows].values()],
    ["an object with a private field", (rows) => new Sealed(rows)],
    ["a member of an array", (rows) => Object.assign([1], { rows })],
    ["a member of a map", (rows) => Object.assign(new Map(), { rows })],
    ["a member that is not listed", (rows) => Object.defineProperty({}, "rows", { value: rows })],
    ["a member by a symbol", (rows) => ({ [Symbol.for("rows")]: rows })],
    ["a member that is inherited", (rows) => Object.create({ rows })],
    ["a member of a bare ancestor", (rows) => Object.create(Object.assign(Object.create(null), { rows }))],
    [
      "a map of a class of its own",
      (rows) =>
        new (class extends Map<number, number> {
          readonly #rows = rows;
          rows() {
            return this.#rows;
          }
        })(),
    ],
    [
      "an object that says it is a list",
      (rows) => Object.setPrototypeOf({ rows }, { [Symbol.toStringTag]: "Array", *[Symbol.iterator]() {} }),
    ],
    [
      "a member that is computed",
      (rows) => Object.defineProperty({}, "rows", { get: () => rows, enumerable: true }),
    ],
    ["a hole of an array", (rows) => new Array(rows)],
  ])("are refused in %s", async (_name, of) => {
    expect(await whatOf((rows, dp) => [released(rows, dp), of(rows.length)])).toEqual([opaque]);
  });
  test.each(["[1, { a: [2] }]", "new Map([[1, new Set([new Date(5)])]])", "new Float64Array([1, 2]).buffer"])(
    "are told apart in %s of another realm",
    async (source) => {
      const of = (rows: number): unknown => runInNewContext(source.replace("1", String(rows)));
      expect(await whatOf((rows, dp) => [released(rows, dp), of(1)])).toEqual([]);
      expect(await whatOf((rows, dp) => [released(rows, dp), of(rows.length)])).toEqual([beside]);
    },
  );
  test("are refused where only one data set has such a thing", async () => {
    const sometimes: AuditedFunction<number[]> = (rows, dp) => [
      released(rows, dp),
      rows.length > 2 ? new Sealed(3) : 0,
    ];
    expect(await whatOf(sometimes)).toContain("returns plain data on one neighbour and not on the other");
  });
});

describe("what passes between a function and the recording", () => {
  test("outputs that are changed in place are so for their own run alone", async () => {
    const inPlace: AuditedFunction<number[]> = (rows, dp) => {
      const out = released(rows, dp);
      out[1]! += out[0]!;
      return out.reverse();
    };
    expect(await whatOf(inPlace)).toEqual([]);
    const written: AuditedFunction<number[]> = (rows, dp) => {
      const out = released(rows, dp);
      if (out.length === 2) out.push(BigInt(rows.length));
      return out;
    };
    expect(await whatOf(written)).toEqual([beside]);
  });
  test("a scale is read once", async () => {
    let read = 0;
    const shifty = Object.defineProperty({ ...noise }, "scale", {
      get() {
        read += 1;
        return "1";
      },
      enumerable: true,
    });
    expect(await whatOf((_rows, dp) => dp.addNoise([0n], shifty, one))).toEqual([]);
    expect(read).toBe(12); // 2 rounds, 2 directions, 3 runs each
  });
  test("a handle answers in its own run alone", async () => {
    let kept: Mechanisms | null = null;
    const keeps: AuditedFunction<number[]> = (rows, dp) => {
      kept ??= dp;
      return released(rows, kept);
    };
    expect(await whatOf(keeps)).toContainEqual(
      expect.stringMatching(/^not a function of its data and coins/),
    );
    expect(() => released([1], kept!)).toThrow(/over/);
  });
  test("data that were not handed in, or are remembered, are not seen to leave, but neither to move", async () => {
    let kept: number | undefined;
    const remembers: AuditedFunction<number[]> = (rows, dp) => {
      kept ??= rows.length;
      return [dp.addNoise([BigInt(kept)], noise, one), kept];
    };
    expect(await audit(remembers, neighbours, { rounds: 1 })).toMatchObject({
      findings: [],
      calls: 2,
      moved: 0,
    });
  });
  test("an error that may not be looked at is one that is thrown", async () => {
    const untouchable = new Proxy(
      {},
      {
        getPrototypeOf() {
          throw new Error("touched");
        },
      },
    );
    expect(
      await whatOf(() => {
        throw untouchable;
      }),
    ).toEqual(["throws"]);
  });
});

describe("a module that", () => {
  const call =
    'dp.addNoise([BigInt(rows.length)], { mechanism: "discrete-laplace@1", scale: "1" }, { l1: 1n, l2Squared: 1n })';
  test.each([
    [
      "hides rows in a private field",
      `class Sealed { #rows; constructor(rows) { this.#rows = rows; } }
       export const f = (rows, dp) => [${call}, new Sealed(rows.length)];`,
      [opaque],
    ],
    ["returns a function", `export const f = (rows, dp) => [${call}, () => rows.length];`, [opaque]],
    [
      "returns a date",
      `export const f = (rows, dp) => [${call}, new Date(rows.length).getTime()];`,
      [beside],
    ],
    [
      "says another result itself",
      `import { parentPort } from "node:worker_threads";
       export const f = (rows, dp) => {
         parentPort.postMessage({ returned: 1 });
         return [${call}, rows.length];
       };`,
      [beside],
    ],
    [
      "looks for the recording",
      `import { workerData } from "node:worker_threads";
       export const f = (rows, dp) => [${call}, Object.keys(workerData)];`,
      [],
    ],
    [
      "keeps its first answer",
      `let kept; export const f = (rows, dp) => [${call}, (kept ??= rows.length)];`,
      [beside],
    ],
    [
      "writes to its environment",
      `export const f = (rows, dp) => [${call}, (process.env.ROWS ??= rows.length)];`,
      [beside],
    ],
    [
      "changes what all share",
      `JSON.stringify = () => "x"; Array.prototype.map = () => [];
       export const f = (rows, dp) => [${call}, rows.length];`,
      [beside],
    ],
    [
      "loops after it returned",
      `export const f = (rows, dp) => { setTimeout(() => { for (;;); }); return ${call}; };`,
      [],
    ],
  ])("%s", async (_name, body, what) => {
    const at = { url: `data:text/javascript,${encodeURIComponent(body)}`, name: "f" };
    const { findings } = await auditModule(at, neighbours, { rounds: 1, limitMs: 3000 });
    expect(findings.map((each) => each.what)).toEqual(what);
  });
});
