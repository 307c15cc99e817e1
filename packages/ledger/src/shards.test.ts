import { createHash } from "node:crypto";
import { type Rational, ratio } from "@lethe/core";
import { additiveFilter } from "@lethe/core/accounting";
import { add, compare, multiply, one, zero } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import type { Ledger } from "./ledger.ts";
import { memoryLedger } from "./testing/memory-ledger.ts";
import { payInBlocks } from "./testing/pay-in-blocks.ts";
import { request } from "./testing/temporary-ledger.ts";

/*
 * The budget in blocks (docs/architecture/ledger-shards.md), in a world so small that its loss is enumerated: five people, three days, counts
 * under discrete Laplace noise. Every log-ratio of two outputs' chances is a whole multiple of the price of one unit of noise, so
 * the largest is an exact fraction.
 */

interface Row {
  readonly person: string;
  readonly day: number;
}
type Table = readonly Row[];
/** A count of a person's rows, at most `most` of each, in the given blocks; discrete Laplace noise of scale most/ε. */
interface Count {
  readonly blocks: readonly number[];
  readonly most: number;
  readonly epsilon: Rational;
}

const blockCount = 3;
const byDay = ({ day }: Row): number => day;
/** A public hash of who it is. It is the same whatever rows the person has. */
const byPerson = ({ person }: Row): number =>
  createHash("sha256").update(`blocks|${person}`).digest()[0]! % blockCount;

const names = Array.from({ length: 40 }, (_, at) => `p${at}`);
/** The first person of each block, and a second of block 0. */
const [ann, ben, cleo] = [0, 1, 2].map(
  (block) => names.find((person) => byPerson({ person, day: 0 }) === block)!,
) as [string, string, string];
const dan = names.filter((person) => byPerson({ person, day: 0 }) === 0)[1]!;
const days = [0, 1, 2];
const everyDay = (person: string): Table => days.map((day) => ({ person, day }));
const world: Table = [ann, ben, cleo].flatMap(everyDay);

type BlockOf = (row: Row) => number;

function counted(table: Table, blockOf: BlockOf, { blocks, most }: Count): number {
  const own = new Map<string, number>();
  for (const row of table)
    if (blocks.includes(blockOf(row))) own.set(row.person, (own.get(row.person) ?? 0) + 1);
  return [...own.values()].reduce((sum, rows) => sum + Math.min(rows, most), 0);
}

/** The largest log-ratio of the chances of any outputs, by enumerating every vector of outputs around both answers. */
function exactLoss(a: Table, b: Table, blockOf: BlockOf, questions: readonly Count[]): Rational {
  const choices = questions.map((question) => {
    const [x, y] = [counted(a, blockOf, question), counted(b, blockOf, question)];
    const outputs = Array.from({ length: 7 + Math.abs(x - y) }, (_, at) => Math.min(x, y) - 3 + at);
    const step = multiply(question.epsilon, ratio(1n, BigInt(question.most)));
    return outputs.map((z) => multiply(step, ratio(BigInt(Math.abs(z - y) - Math.abs(z - x)), 1n)));
  });
  const all = choices.reduce<readonly Rational[]>(
    (sums, next) => distinct(sums.flatMap((sum) => next.map((each) => add(sum, each)))),
    [zero],
  );
  return all.reduce((most, each) => (compare(each, most) > 0 ? each : most));
}

/** Sums that are reached in several ways count once. */
function distinct(values: readonly Rational[]): readonly Rational[] {
  return [...new Map(values.map((value) => [`${value.num}/${value.den}`, value])).values()];
}

/** Admits each question while every block that it reads covers it: a filter of the core for each block. */
function admitted(questions: readonly Count[], grant: Rational): readonly Count[] {
  const shards = Array.from({ length: blockCount }, () =>
    additiveFilter<"pure">({ measure: "pure", epsilon: grant }),
  );
  return questions.filter(({ blocks, epsilon }) => {
    const loss = { measure: "pure", epsilon } as const;
    if (!blocks.every((block) => shards[block]!.covers(loss))) return false;
    for (const block of blocks) shards[block]!.spend(loss);
    return true;
  });
}

const eachBlock = (most: number, epsilon = one): readonly Count[] =>
  days.map((block) => ({ blocks: [block], most, epsilon }));
const without = (person: string): Table => world.filter((row) => row.person !== person);
const largest = (tables: readonly Table[], blockOf: BlockOf, questions: readonly Count[]): Rational =>
  tables
    .flatMap((table) => [
      exactLoss(world, table, blockOf, questions),
      exactLoss(table, world, blockOf, questions),
    ])
    .reduce((most, each) => (compare(each, most) > 0 ? each : most));

describe("a budget of ε 1 in each of three blocks", () => {
  const neighbours = [...[ann, ben, cleo].map(without), [...world, ...everyDay(dan)]];

  it("is broken for a person by blocks of time: three questions of 1 cost the one who comes daily 3", () => {
    const questions = admitted([...eachBlock(1), ...eachBlock(1)], one);
    expect(questions.length).toBe(3);
    expect(largest(neighbours, byDay, questions)).toEqual(ratio(3n, 1n));
    // A person's row of one day is what each ledger protects.
    const oneRow = world.filter((row) => row.person !== ann || row.day !== 1);
    expect(largest([oneRow], byDay, questions)).toEqual(one);
  });

  it("holds for a person by blocks of people, whatever rows are added or removed with one", () => {
    const questions = admitted([...eachBlock(3), ...eachBlock(3)], one);
    expect(questions.length).toBe(3);
    expect(largest(neighbours, byPerson, questions)).toEqual(one);
    const all: Count = { blocks: days, most: 3, epsilon: ratio(1n, 2n) };
    const mixed = admitted([all, ...eachBlock(3, ratio(1n, 2n)), all], one);
    expect(mixed.length).toBe(4);
    expect(largest(neighbours, byPerson, mixed)).toEqual(one);
  });

  it("is passed where a question about several blocks pays in one of them", () => {
    const unpaid: Count = { blocks: days, most: 3, epsilon: one };
    const paidFor = admitted([{ ...unpaid, blocks: [0] }, ...eachBlock(3)], one);
    expect(paidFor.length).toBe(3);
    const run = [unpaid, ...paidFor.slice(1)];
    expect(largest(neighbours, byPerson, run)).toEqual(ratio(2n, 1n));
  });

  it("is 2 where one person is replaced by one of another block, and stays 1 where the other is of the same", () => {
    const questions = admitted(eachBlock(3), one);
    const replacedBy = (person: string): Table => [...without(ann), ...everyDay(person)];
    const other = names.find((person) => person !== ben && byPerson({ person, day: 0 }) === 1)!;
    expect(largest([replacedBy(other)], byPerson, questions)).toEqual(ratio(2n, 1n));
    expect(compare(largest([replacedBy(dan)], byPerson, questions), one)).toBeLessThanOrEqual(0);
  });
});

describe("a question that is paid for in several ledgers", () => {
  const shards = async (epsilon: Rational): Promise<readonly Ledger[]> =>
    Promise.all(
      days.map(async () => {
        const budget = { measure: "pure", epsilon, delta: zero, rho: null, analysts: {} } as const;
        return (await memoryLedger(budget)).ledger;
      }),
    );
  const spent = async (ledgers: readonly Ledger[]): Promise<readonly string[]> =>
    Promise.all(
      ledgers.map(async (ledger) => {
        const { loss } = (await ledger.report()).charges.reduce(
          (sum, charge) => ({ loss: add(sum.loss, (charge.loss as { epsilon: Rational }).epsilon) }),
          { loss: zero },
        );
        return `${loss.num}/${loss.den}`;
      }),
    );

  it("is overpaid and never underpaid, whichever ledger its process dies at, and asked again pays the rest alone", async () => {
    for (let died = 0; died <= days.length; died += 1)
      for (const isRecorded of [false, true]) {
        const ledgers = await shards(one);
        let calls = 0;
        const dying = ledgers.map(
          (ledger) =>
            ({
              async reserve(asked) {
                const dies = calls++ === died;
                if (dies && !isRecorded) throw new Error("died");
                const reservation = await ledger.reserve(asked);
                if (dies) throw new Error("died");
                return reservation;
              },
            }) as Ledger,
        );
        const asked = request("q", "0.5");
        const ran = await payInBlocks(dying, days, asked).then(
          ({ kind }) => kind === "paid",
          () => false,
        );
        expect(ran).toBe(died === days.length);
        const after = Math.min(days.length, died + (isRecorded ? 1 : 0));
        expect(await spent(ledgers)).toEqual(days.map((block) => (block < after ? "1/2" : "0/1")));
        expect(await payInBlocks(ledgers, days, asked)).toEqual({ kind: "paid" });
        expect(await spent(ledgers)).toEqual(["1/2", "1/2", "1/2"]);
      }
  });

  it("does not run where one ledger refuses, and leaves those before it charged", async () => {
    const ledgers = await shards(one);
    expect(await payInBlocks(ledgers, [1], request("a", "0.75"))).toEqual({ kind: "paid" });
    expect(await payInBlocks(ledgers, days, request("b", "0.5"))).toEqual({
      kind: "refused",
      block: 1,
      paid: [0],
    });
    expect(await spent(ledgers)).toEqual(["1/2", "3/4", "0/1"]);
  });

  it("never has two run that a ledger of both could not pay, however they interleave", async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const ledgers = await shards(one);
      const questions = Array.from({ length: 6 }, (_, at) => ({
        blocks: days.filter((block) => (seed * 7 + at * 3 + block * (1 + at)) % 2 === 0),
        cost: ["0.25", "0.5", "0.75"][(seed + at) % 3]!,
      }));
      const paid = await Promise.all(
        questions.map(({ blocks, cost }, at) => payInBlocks(ledgers, blocks, request(`q${at}`, cost))),
      );
      for (const block of days) {
        const run = questions.filter(
          (question, at) => paid[at]!.kind === "paid" && question.blocks.includes(block),
        );
        expect(run.reduce((sum, { cost }) => sum + Number(cost), 0)).toBeLessThanOrEqual(1);
      }
    }
  });
});
