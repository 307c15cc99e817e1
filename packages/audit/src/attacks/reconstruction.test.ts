import { parseRational, type Rational } from "@lethe/core";
import { add, zero } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { clopperPearson } from "../estimate/clopper-pearson.ts";
import { refused, rowsReply } from "../testing/played-game.ts";
import { reconstruction, reconstructionCurve } from "./reconstruction.ts";
import type { Account, Asked, Laboratory, Reply, World } from "./services/service.ts";
import { uniforms } from "./services/uniforms.ts";

const effort = { trials: 64, controls: 65, questions: 1, alpha: 0.01 };
const half =
  /COUNT\(\*\) FILTER \(WHERE sick = 1 AND \(\(id \* (\d+) \+ (\d+)\) % 257\) % 2 = 0\) AS n(\d+)/g;

/** The exact counts of a question, by its own words. */
function counts(world: World, question: string): Reply {
  const people = world.tables[0]!.rows as readonly (readonly number[])[];
  const columns = [...question.matchAll(half)].map(
    (match) => match.slice(1).map(Number) as [number, number, number],
  );
  expect(columns.map(([, , place]) => place)).toEqual(columns.map((_, at) => at));
  return rowsReply(
    columns.map(
      ([a, b]) => people.filter(([id, sick]) => sick === 1 && ((id! * a + b) % 257) % 2 === 0).length,
    ),
  );
}

interface Opened {
  readonly world: World;
  readonly account: Account | null;
  readonly asked: { question: string; price: Rational }[];
  closed: boolean;
}

function laboratory(lethe: (world: World, question: string) => Reply) {
  const opened: Opened[] = [];
  const open = async (world: World, account: Account | null) => {
    const one: Opened = { world, account, asked: [], closed: false };
    opened.push(one);
    return {
      async ask(question: string, { epsilon }: Asked) {
        one.asked.push({ question, price: parseRational(epsilon) });
        return account === null ? counts(world, question) : lethe(world, question);
      },
      async close() {
        one.closed = true;
      },
    };
  };
  const made = { exact: (world: World) => open(world, null), lethe: open } as unknown as Laboratory;
  return { laboratory: made, opened, lethe: () => opened.filter(({ account }) => account !== null) };
}

const columnsOf = ({ asked }: Opened): number[] =>
  asked.map(({ question }) => [...question.matchAll(half)].length);
const paidBy = ({ asked }: Opened): Rational => asked.reduce((sum, { price }) => add(sum, price), zero);

describe("reconstruction", () => {
  const lab = laboratory(() => refused);
  const done: number[] = [];
  const results = reconstruction.run(lab.laboratory, effort, uniforms(1), (at) => done.push(at));
  test("finds everybody's bit in exact, rounded and suppressed counts, by either decoder", async () => {
    const all = clopperPearson(128, 128, 0.01);
    for (const result of (await results).slice(0, 2))
      expect(result).toMatchObject({
        attack: "reconstruction",
        measure: "right bits",
        value: 1,
        interval: [all.lo, all.hi],
        trials: 128,
        blind: 0.5,
        ceiling: null,
        control: 0.95,
        note: null,
      });
    expect((await results).map(({ service, control }) => [service, control])).toEqual([
      ["exact answers, least squares", 0.95],
      ["exact answers, least absolute errors", 0.95],
      ["rounded to 5, least squares", 0.95],
      ["rounded to 5, least absolute errors", 0.95],
      ["suppressed below 5, least squares", 0.95],
      ["suppressed below 5, least absolute errors", 0.95],
      ["noise without a budget, least squares", null],
      ["noise without a budget, least absolute errors", null],
      ["Lethe, ε = 1, least squares", null],
      ["Lethe, ε = 1, least absolute errors", null],
    ]);
    for (const { value } of (await results).slice(2, 6)) expect(value).toBeGreaterThan(0.95);
  });
  test("guesses that nobody is sick where nothing is answered", async () => {
    const secrets = lab.lethe().flatMap(({ world }) => world.tables[0]!.rows.map(([, sick]) => sick));
    const well = secrets.filter((sick) => sick === 0).length / secrets.length;
    for (const result of (await results).slice(8)) expect(result).toMatchObject({ value: well, trials: 64 });
    // 64 fair coins: six standard deviations to either side.
    expect(Math.abs(well - 0.5)).toBeLessThan(0.375);
    const { ceiling } = (await results)[8]!;
    expect(ceiling).toBeCloseTo(Math.E / (1 + Math.E), 12);
  });
  test("asks 512 questions, hardly two alike, of 64 people at a time for ε = 1", async () => {
    await results;
    expect(lab.opened).toHaveLength(3);
    for (const each of lab.opened) {
      expect(each.world.tables[0]!.rows).toHaveLength(64);
      expect(columnsOf(each)).toEqual(Array(16).fill(32));
      expect(paidBy(each)).toEqual(parseRational("1"));
      expect(each.closed).toBe(true);
      const questions = each.asked.flatMap(({ question }) =>
        [...question.matchAll(half)].map(([, a, b]) => `${a} ${b}`),
      );
      expect(new Set(questions).size).toBeGreaterThan(505);
    }
    for (const { account } of lab.lethe())
      expect(account).toEqual({ epsilon: "1", delta: "0", analysts: { attacker: "1" } });
  });
  test("asks of halves that are about half of the people each, and each in his own", async () => {
    await results;
    const everybody = {
      tables: [{ name: "", columns: [], rows: Array.from({ length: 64 }, (_, id) => [id, 1]) }],
      policy: "",
    };
    const sizes = lab.opened[0]!.asked.flatMap(({ question }) => {
      const reply = counts(everybody, question);
      return reply.kind === "rows" ? (reply.rows[0] as number[]) : [];
    });
    const mean = sizes.reduce((a, b) => a + b, 0) / sizes.length;
    expect(Math.abs(mean - 32)).toBeLessThan(2);
  });
  test("tells its progress by the results that there are", async () => {
    await results;
    expect(done).toEqual([2, 4, 6, 8]);
  });
});

test("a curve spends the whole budget on each number of questions, and cuts what others answer", async () => {
  const lab = laboratory(counts);
  const curve = await reconstructionCurve(
    lab.laboratory,
    { ...effort, trials: 64, controls: 64 },
    uniforms(2),
    [8, 40, 256],
  );
  expect(curve.map(({ questions }) => questions)).toEqual([8, 8, 8, 40, 40, 40, 256, 256, 256]);
  expect(
    curve
      .slice(0, 3)
      .map(({ result: { service, ceiling, control } }) => [service, ceiling !== null, control]),
  ).toEqual([
    ["exact answers", false, null],
    ["noise without a budget", false, null],
    ["Lethe, ε = 1", true, null],
  ]);
  expect(lab.lethe().map(columnsOf)).toEqual([[8], [32, 8], Array(8).fill(32)]);
  for (const each of lab.lethe()) expect(paidBy(each)).toEqual(parseRational("1"));
  const [few, some, all] = [0, 3, 6].map((at) => curve[at]!.result.value) as [number, number, number];
  expect([few < some, some <= all, all]).toEqual([true, true, 1]);
  // An exact Lethe gives away as much, of people of its own.
  expect(curve[8]!.result.value).toBe(1);
  expect(curve[2]!.result.value).toBeLessThan(0.9);
});
