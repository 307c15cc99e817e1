import { SeededSource } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { Handle } from "./handle.ts";
import { callOf, type Mechanisms, methods } from "./mechanism-call.ts";
import { SparseConversations } from "./sparse-conversations.ts";
import { Astray, Recording, Replaying } from "./tape-of-calls.ts";

const noise = { mechanism: "discrete-laplace@1", scale: "1" } as const;
const one = { l1: 1n, l2Squared: 1n };
const choice = { mechanism: "exponential", epsilon: "1", sensitivity: 3n } as const;
const quantile = {
  range: { lo: 0n, hi: 9n },
  q: "1/2",
  epsilon: "1",
  adjacency: "add-or-remove-one",
} as const;
const sparse = { epsilon: "2", sensitivity: 5n, cap: 1n } as const;
const call = (method: keyof Mechanisms, ...args: readonly unknown[]) =>
  callOf(method, args, new SparseConversations());

describe("a call", () => {
  test("holds its inputs, and how far they may move", () => {
    expect(call("addNoise", [1n, 2n], noise, { l1: 4n, l2Squared: 9n })).toMatchObject({
      mechanism: "discrete-laplace@1",
      inputs: [1n, 2n],
      limits: { l1: 4n, l2Squared: 9n },
      event: { kind: "laplace", l1: "4" },
    });
    expect(call("choose", [1n, 2n], choice)).toMatchObject({
      inputs: [1n, 2n],
      limits: { max: 3n, range: 6n },
    });
    expect(call("choose", [1n], { ...choice, monotone: true }).limits).toEqual({ max: 3n, range: 3n });
    expect(call("quantile", [4n], quantile)).toMatchObject({
      mechanism: "quantile",
      inputs: [4n],
      limits: { rows: { most: 1n, adjacency: "add-or-remove-one" } },
    });
    expect(call("quantile", [4n], { ...quantile, rows: 3n }).limits.rows!.most).toBe(3n);
  });
  test.each<[string, keyof Mechanisms, readonly unknown[], readonly unknown[]]>([
    ["scale", "addNoise", [[1n], noise, one], [[1n], { ...noise, scale: "2" }, one]],
    ["sensitivity", "addNoise", [[1n], noise, one], [[1n], noise, { l1: 2n, l2Squared: 1n }]],
    ["number of values", "addNoise", [[1n], noise, one], [[1n, 1n], noise, one]],
    ["ε", "choose", [[1n, 2n], choice], [[1n, 2n], { ...choice, epsilon: "2" }]],
    ["sensitivity of scores", "choose", [[1n, 2n], choice], [[1n, 2n], { ...choice, sensitivity: 2n }]],
    ["monotone", "choose", [[1n, 2n], choice], [[1n, 2n], { ...choice, monotone: true }]],
    ["number of candidates", "choose", [[1n, 2n], choice], [[1n, 2n, 3n], choice]],
    ["quantile", "quantile", [[1n], quantile], [[1n], { ...quantile, q: "1/4" }]],
    ["cap", "openSparseVector", [sparse], [{ ...sparse, cap: 2n }]],
    ["share", "openSparseVector", [sparse], [{ ...sparse, numberShare: "1/2" }]],
  ])("of another %s has other parameters", (_, method, some, others) => {
    expect(call(method, ...some).parameters).not.toBe(call(method, ...others).parameters);
    expect(call(method, ...some).parameters).toBe(call(method, ...some).parameters);
  });
  test("says nothing of its inputs in its parameters, but their number", () => {
    expect(call("addNoise", [1n], noise, one).parameters).toBe(call("addNoise", [2n], noise, one).parameters);
    expect(call("choose", [1n, 2n], choice).parameters).toBe(call("choose", [3n, 4n], choice).parameters);
    expect(call("quantile", [1n], quantile).parameters).toBe(call("quantile", [1n, 2n], quantile).parameters);
  });
  test.each<[string, keyof Mechanisms, readonly unknown[]]>([
    ["an unknown chooser", "choose", [[1n], { ...choice, mechanism: "toString" }]],
    ["an unknown mechanism", "toString" as never, []],
    ["numbers in place of integers", "addNoise", [[1], noise, one]],
    ["scores that are no list", "choose", [{ length: 1 }, choice]],
    ["rows that are texts", "quantile", [["1"], quantile]],
    ["a sparse vector that nobody opened", "askSparseVector", [0, { value: 1n }]],
  ])("with %s is refused", (_, method, args) => {
    expect(() => call(method, ...args)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  });
});

describe("a sparse vector in a conversation", () => {
  const opened = (request = {}) => {
    const run = new SparseConversations();
    const { draw } = callOf("openSparseVector", [{ ...sparse, ...request }], run);
    const at = draw(new SeededSource(1)) as number;
    return { run, at, ask: (question: object) => callOf("askSparseVector", [at, question], run) };
  };
  test("is paid for at its opening, and its answers are free", () => {
    const { run, at, ask } = opened();
    expect(at).toBe(0);
    expect(callOf("openSparseVector", [sparse], run).draw(new SeededSource(1))).toBe(1);
    const call = ask({ value: 7n });
    expect(call).toMatchObject({ event: { kind: "constant" }, inputs: [7n], limits: { max: 5n } });
    expect(callOf("openSparseVector", [sparse], run)).toMatchObject({ inputs: [], limits: {} });
  });
  test("looks at the number too where one is told, and at the value where none is given", () => {
    const { ask } = opened({ numberShare: "1/2" });
    expect(ask({ value: 7n, number: 8n }).inputs).toEqual([7n, 8n]);
    expect(ask({ value: 7n }).inputs).toEqual([7n, 7n]);
    expect(opened().ask({ value: 7n, number: 8n }).inputs).toEqual([7n]);
  });
  test("has a threshold that is public, 0 unless stated", () => {
    const { ask } = opened();
    expect(ask({ value: 1n }).parameters).toBe(ask({ value: 2n, threshold: 0n }).parameters);
    expect(ask({ value: 1n, threshold: 1n }).parameters).not.toBe(ask({ value: 1n }).parameters);
  });
  test("ends with the last answer above that is paid for, drawn or frozen", () => {
    const { ask } = opened({ cap: 2n });
    ask({ value: 1n }).answered!({ above: false });
    ask({ value: 1n }).answered!({ above: true });
    ask({ value: 1n }).answered!({ above: true });
    expect(() => ask({ value: 1n })).toThrow(expect.objectContaining({ code: "mechanism.spent" }));
  });
  test.each([{ value: 1 }, { value: 1n, threshold: 2 }, { value: 1n, number: "3" }, {}])(
    "refuses %o",
    (question) => {
      expect(() => opened().ask(question)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
    },
  );
  test("draws far values as they are", () => {
    const { ask } = opened();
    const asked = (value: bigint) => ask({ value }).draw(new SeededSource(1));
    expect(asked(-1_000_000n)).toEqual({ above: false });
    expect(asked(1_000_000n)).toEqual({ above: true });
  });
});

describe("a recording", () => {
  test("keeps what was answered, and a place for what was refused", () => {
    const recording = new Recording(new SeededSource(1), 9);
    const output = recording.answer("addNoise", [[5n], noise, one]);
    expect(() => recording.answer("addNoise", [[5], noise, one])).toThrow();
    expect(recording.calls.map((each) => each.output)).toEqual([output]);
    expect(recording.steps.map((step) => step?.output ?? null)).toEqual([output, null]);
    expect(recording.calls[0]!.call.inputs).toEqual([5n]);
  });
  test("ends a run that calls too often", () => {
    const recording = new Recording(new SeededSource(1), 2);
    for (const _ of [1, 2]) recording.answer("addNoise", [[5n], noise, one]);
    expect(() => recording.answer("addNoise", [[5n], noise, one])).toThrow(Astray);
    expect(recording.calls).toHaveLength(2);
  });
});

describe("a replay", () => {
  function recorded() {
    const recording = new Recording(new SeededSource(1), 9);
    const outputs = [
      recording.answer("addNoise", [[5n], noise, one]),
      recording.answer("choose", [[1n, 2n], choice]),
    ];
    return { recording, outputs };
  }
  test("hands out what was recorded, and counts the calls that had other inputs", () => {
    const { recording, outputs } = recorded();
    const replaying = new Replaying(recording);
    expect(replaying.answer("addNoise", [[6n], noise, one])).toEqual(outputs[0]);
    expect(replaying.answer("choose", [[1n, 2n], choice])).toEqual(outputs[1]);
    replaying.finish();
    expect(replaying).toMatchObject({ differences: [], moved: 1 });
  });
  test("says by its place which call moved too far", () => {
    const replaying = new Replaying(recorded().recording);
    replaying.answer("addNoise", [[5n], noise, one]);
    replaying.answer("choose", [[1n, 6n], choice]);
    expect(replaying.differences).toEqual(["call 2 (exponential): the most that one input moves 4 > 3"]);
  });
  test.each<[string, (replaying: Replaying) => unknown, string]>([
    [
      "another mechanism",
      (it) => it.answer("choose", [[1n, 2n], choice]),
      "call 1 (discrete-laplace@1): exponential on the other",
    ],
    [
      "other parameters",
      (it) => it.answer("addNoise", [[5n], { ...noise, scale: "2" }, one]),
      "call 1 (discrete-laplace@1): other parameters or price",
    ],
    [
      "more",
      (it) => {
        it.answer("addNoise", [[5n], noise, one]);
        for (const _ of [1, 2]) it.answer("choose", [[1n, 2n], choice]);
      },
      "asks for 2 answers on one neighbour, for more on the other",
    ],
  ])("ends a run that asks for %s", (_, ask, what) => {
    const replaying = new Replaying(recorded().recording);
    expect(() => ask(replaying)).toThrow(Astray);
    expect(replaying.differences).toEqual([what]);
  });
  test("says what was left unasked", () => {
    const replaying = new Replaying(recorded().recording);
    replaying.answer("addNoise", [[5n], noise, one]);
    replaying.finish();
    expect(replaying.differences).toEqual(["asks for 2 answers on one, for 1 on the other"]);
  });
  test("refuses again what was refused, and says where one alone is", () => {
    const recording = new Recording(new SeededSource(1), 9);
    expect(() => recording.answer("addNoise", [[5], noise, one])).toThrow();
    const alike = new Replaying(recording);
    expect(() => alike.answer("addNoise", [[6], noise, one])).toThrow(/integers/);
    alike.finish();
    expect(alike.differences).toEqual([]);
    const other = new Replaying(recording);
    expect(() => other.answer("addNoise", [[5n], noise, one])).toThrow(Astray);
    expect(other.differences).toEqual(["call 1: refused on one neighbour and not on the other"]);
    const back = new Replaying(recorded().recording);
    expect(() => back.answer("addNoise", [[5], noise, one])).toThrow(/integers/);
    expect(back.differences).toEqual(["call 1 (discrete-laplace@1): refused on the other"]);
  });
  test("counts down a sparse vector by the answers that are frozen", () => {
    const recording = new Recording(new SeededSource(1), 99);
    const at = recording.answer("openSparseVector", [sparse]);
    recording.answer("askSparseVector", [at, { value: 1_000_000n }]);
    expect(() => recording.answer("askSparseVector", [at, { value: 0n }])).toThrow(
      /as often as was paid for/,
    );
    const replaying = new Replaying(recording);
    replaying.answer("openSparseVector", [sparse]);
    expect(replaying.answer("askSparseVector", [at, { value: 1_000_001n }])).toEqual({ above: true });
    expect(() => replaying.answer("askSparseVector", [at, { value: 0n }])).toThrow(
      /as often as was paid for/,
    );
    replaying.finish();
    expect(replaying.differences).toEqual([]);
  });
});

describe("a handle", () => {
  test("has every method, and copies what passes", () => {
    const [passed, kept] = [[5n], [[7n]]];
    const seen: unknown[] = [];
    const { mechanisms } = new Handle({
      answer(method, args) {
        seen.push([method, args]);
        (args[0] as bigint[]).push(9n);
        return kept;
      },
    });
    expect(Object.keys(mechanisms)).toEqual([...methods]);
    const output = mechanisms.addNoise(passed, noise, one);
    expect(passed).toEqual([5n]);
    output.push(1n);
    expect(kept).toEqual([[7n]]);
    expect(seen).toEqual([["addNoise", [[5n, 9n], noise, one]]]);
  });
  test("knows the errors that led its run astray, and answers nothing once it is over", () => {
    const errors = [new Astray("far"), new Error("near")];
    let at = -1;
    const handle = new Handle({
      answer() {
        at += 1;
        throw errors[at];
      },
    });
    for (const error of errors) expect(() => handle.mechanisms.addNoise([], noise, one)).toThrow(error);
    expect(errors.map((error) => handle.ledAstray(error))).toEqual([true, false]);
    handle.close();
    expect(() => handle.mechanisms.addNoise([], noise, one)).toThrow(/run that is over/);
    expect(at).toBe(1);
  });
});
