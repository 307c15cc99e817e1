import { describe, expect, test } from "vitest";
import { refused, rowsReply } from "../testing/played-game.ts";
import type { AttackResult } from "./attack.ts";
import { errorOracle } from "./error-oracle.ts";
import { metadata } from "./metadata.ts";
import { canary } from "./services/expressions.ts";
import type { Account, Asked, Laboratory, Reply, Whole, World } from "./services/service.ts";
import { uniforms } from "./services/uniforms.ts";

const effort = { trials: 1, controls: 1, questions: 30, alpha: 0.01 };
const holdsCanary = ({ tables }: World): boolean => tables[0]!.rows.some((row) => row.includes(canary.text));

/** A laboratory whose services answer by what the world holds. Each service must be closed once. */
function laboratory({
  exact = () => rowsReply(["a", 1]),
  whole = () => answered(),
}: {
  readonly exact?: (isHer: boolean, at: number, question: string) => Reply;
  readonly whole?: (isHer: boolean, at: number, question: string, asked: Asked) => Whole;
}) {
  const accounts: Account[] = [];
  let open = 0;
  const service = (world: World) => {
    open += 1;
    let at = -1;
    return {
      async ask(question: string) {
        at += 1;
        return exact(holdsCanary(world), at, question);
      },
      async whole(question: string, asked: Asked) {
        at += 1;
        return whole(holdsCanary(world), at, question, asked);
      },
      async close() {
        open -= 1;
      },
    };
  };
  const made = {
    exact: async (world: World) => service(world),
    async lethe(world: World, account: Account) {
      accounts.push(account);
      return service(world);
    },
  } as unknown as Laboratory;
  return { laboratory: made, accounts, open: () => open };
}

const answered = (change: Partial<Whole> = {}): Whole => ({
  text: "{}",
  reply: rowsReply(["a", 1]),
  charged: "1/100",
  ...change,
});
const valuesOf = (results: readonly AttackResult[]) =>
  results.map(({ service, value, trials, ceiling, control }) => [service, value, trials, ceiling, control]);

describe("the error oracle", () => {
  const run = (of: Parameters<typeof laboratory>[0]) =>
    errorOracle.run(laboratory(of).laboratory, effort, uniforms(1));
  test("finds nothing where nothing differs but the noise", async () => {
    const lab = laboratory({ whole: (_, at) => answered({ reply: rowsReply(["a", at]) }) });
    const done: number[] = [];
    const results = await errorOracle.run(lab.laboratory, effort, uniforms(1), (at) => done.push(at));
    expect(valuesOf(results)).toEqual([
      ["exact answers", 0, 30, null, 1],
      ["Lethe", 0, 30, 0, null],
      ["Lethe", 0, 30, 0, null],
    ]);
    expect(results[1]!.note).toBe("status, code, message and charge compared; 30 of 30 are answered");
    expect(results.map(({ interval, blind }) => [interval, blind])).toEqual(Array(3).fill([[0, 0], 0]));
    expect(done).toEqual([1]);
    expect(lab.open()).toBe(0);
    expect(lab.accounts.map(({ epsilon, analysts }) => [epsilon, analysts])).toEqual(
      Array(2).fill(["30", { attacker: "30" }]),
    );
  });
  test("counts the questions of an exact service that end otherwise, and not their numbers", async () => {
    const failing = await run({
      exact: (isHer, at) => (isHer && at < 3 ? refused : rowsReply(["a", Number(isHer)])),
    });
    expect(failing[0]!.value).toBe(3);
    const worded = (message: string): Reply => ({ kind: "refused", code: "x", message });
    const words = await run({ exact: (isHer, at) => worded(isHer && at === 7 ? "one" : "other") });
    expect(words[0]!.value).toBe(1);
  });
  test.each<[string, (isHer: boolean) => Whole, number]>([
    ["a refusal", (isHer) => answered(isHer ? { reply: refused } : {}), 29],
    ["another code", (isHer) => answered({ reply: { ...refused, code: isHer ? "x" : "y" } as Reply }), 0],
    ["another charge", (isHer) => answered({ charged: isHer ? "1/50" : "1/100" }), 30],
    ["no charge", (isHer) => answered({ charged: isHer ? null : "1/100" }), 30],
    ["another number of rows", (isHer) => answered({ reply: isHer ? rowsReply() : rowsReply([1]) }), 30],
    [
      "other columns",
      (isHer) => answered({ reply: { kind: "rows", columns: [isHer ? "x" : "y"], rows: [[1]] } }),
      30,
    ],
  ])("finds Lethe out by %s on one question", async (_, of, answers) => {
    const results = await run({ whole: (isHer, at) => of(isHer && at === 5) });
    expect(results.map(({ value }) => value)).toEqual([0, 1, 0]);
    expect(results[1]!.note).toContain(`; ${answers} of 30 are answered`);
  });
  test("counts where the canary comes back that was not asked for", async () => {
    const results = await run({
      whole: (isHer) => answered(isHer ? { text: `so ${canary.text} it is` } : {}),
    });
    const named = (await asked()).filter((question) => question.includes(canary.text)).length;
    expect(named).toBeGreaterThan(0);
    expect(results[2]).toMatchObject({
      measure: "replies that contain the canary's text",
      value: 30 - named,
    });
    expect(results[1]!.value).toBe(0);
  });
  /** The questions that it asks. */
  async function asked(): Promise<readonly string[]> {
    const questions = new Set<string>();
    await run({
      exact(_, __, question) {
        questions.add(question);
        return refused;
      },
    });
    return [...questions];
  }
});

describe("metadata", () => {
  const release = (change: object = {}) => ({
    rows: [["a", { value: 1, lower: 0, upper: 2 }]],
    notes: ["n"],
    certificate: {
      at: "2020",
      rowsHash: "x",
      plan: { l1: "1" },
      ledger: { hash: "h", publicKey: "k", sequence: 1 },
    },
    signature: "s",
    ...change,
  });
  const run = async (of: (isHer: boolean) => Partial<Whole>) => {
    const lab = laboratory({ whole: (isHer) => answered({ text: JSON.stringify(release()), ...of(isHer) }) });
    const results = await metadata.run(lab.laboratory, effort, uniforms(1));
    expect(lab.open()).toBe(0);
    return results;
  };
  const text = (change: object): Partial<Whole> => ({ text: JSON.stringify(release(change)) });
  test("finds nothing in noisy numbers, hashes, keys, signatures and the clock's time", async () => {
    const results = await run((isHer) =>
      isHer
        ? text({
            rows: [["a", { value: 7, lower: 5, upper: 9 }]],
            certificate: {
              at: "2021",
              rowsHash: "y",
              plan: { l1: "1" },
              ledger: { hash: "i", publicKey: "l", sequence: 1 },
            },
            signature: "t",
          })
        : {},
    );
    expect(valuesOf(results)).toEqual([
      ["exact answers", 0, 8, null, 1],
      ["Lethe", 0, 8, 0, null],
    ]);
    expect(results.map(({ interval, blind }) => [interval, blind])).toEqual(Array(2).fill([[0, 0], 0]));
  });
  test.each<[string, Partial<Whole>]>([
    ["a label", text({ rows: [["b", { value: 1, lower: 0, upper: 2 }]] })],
    ["a number that is none", text({ rows: [["a", { value: null, lower: 0, upper: 2 }]] })],
    ["a row more", text({ rows: [...release().rows, ...release().rows] })],
    ["a note", text({ notes: [] })],
    ["a number outside the rows", text({ missing: 1 })],
    ["the plan", text({ certificate: { ...release().certificate, plan: { l1: "2" } } })],
    ["its place in the ledger", text({ certificate: { ...release().certificate, ledger: { sequence: 2 } } })],
    ["a signature that is missing", text({ signature: null })],
    ["the charge", { charged: "2" }],
  ])("finds %s that differs in every release", async (_, change) => {
    expect((await run((isHer) => (isHer ? change : {}))).map(({ value }) => value)).toEqual([0, 8]);
  });
  test("sees the shape of exact answers, and not their numbers", async () => {
    const exact = (isHer: boolean, at: number): Reply => {
      if (at === 2 && isHer) return refused;
      if (at === 3) return rowsReply([isHer ? "b" : "a", 1]);
      if (at === 4) return { kind: "rows", columns: [isHer ? "x" : "y"], rows: [] };
      return rowsReply(["a", isHer ? 1 : 2]);
    };
    const lab = laboratory({ exact, whole: () => answered({ text: JSON.stringify(release()) }) });
    const results = await metadata.run(lab.laboratory, effort, uniforms(1));
    expect(results.map(({ value }) => value)).toEqual([3, 0]);
  });
  test("asks each question under a name of its own", async () => {
    const names: unknown[] = [];
    const whole = (_: boolean, __: number, ___: string, asked: Asked): Whole => {
      names.push(asked.requestId);
      return answered({ text: JSON.stringify(release()) });
    };
    await metadata.run(laboratory({ whole }).laboratory, effort, uniforms(1));
    expect(new Set(names).size).toBe(8);
    expect(names.slice(0, 8)).toEqual(names.slice(8));
  });
});
