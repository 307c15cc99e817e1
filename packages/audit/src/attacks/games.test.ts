import { describe, expect, it, test } from "vitest";
import { naiveLaplaceGives } from "../known-bad/naive-laplace.ts";
import { playedGame, refused, rowsApart, rowsReply } from "../testing/played-game.ts";
import { averaging, differencing } from "./differencing.ts";
import { groupKey } from "./group-key.ts";
import type { GuessingGame } from "./guessing-game.ts";
import { linkage } from "./linkage.ts";
import { lowBits } from "./low-bits.ts";
import { membership } from "./membership.ts";
import { movedUnit } from "./moved-unit.ts";
import type { World } from "./services/service.ts";

const rowsOf = ({ tables }: World, at = 0) => tables[at]!.rows;
const counted = (values: readonly unknown[]): Map<unknown, number> => {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

describe.each<[GuessingGame, number, string, string]>([
  [differencing, 2, "people: 117, 0", "people: 117, 1"],
  [averaging, 2, "people: 117, 0", "people: 117, 1"],
  [lowBits, 2, "people: 117, 0", "people: 117, 1"],
  [groupKey, 2, "register: flu", "register: Ondine's curse"],
  [linkage, 5, "patients: 7, 1961, f, asthma", "patients: 7, 1961, f, cancer"],
  [movedUnit, 2, "clinic_a: 50", "clinic_b: 50"],
])("the worlds of $id", (game, count, first, second) => {
  it("are neighbours, each of each other", () => {
    const worlds = game.worlds(0);
    expect(worlds).toHaveLength(count);
    expect(rowsApart(worlds[0]!, worlds[1]!)).toEqual([[first], [second]]);
    for (const one of worlds)
      for (const other of worlds)
        if (one !== other) expect(rowsApart(one, other).map(({ length }) => length)).toEqual([1, 1]);
    expect(new Set(worlds.map(({ policy }) => policy)).size).toBe(1);
    expect(worlds[0]!.policy).toContain("adjacency: replace-one");
  });
});

describe.each<[GuessingGame, number]>([
  [differencing, 2],
  [averaging, 1],
  [groupKey, 1],
  [membership, 1],
  [movedUnit, 1],
  [lowBits, 1],
])("$id, refused", (game, times) => {
  it("tosses a fair coin", async () => {
    expect((await playedGame(game, () => refused, 0.49)).guess).toBe(0);
    expect((await playedGame(game, () => refused, 0.5)).guess).toBe(1);
    const { asked, told } = await playedGame(game, () => refused);
    expect(asked).toHaveLength(times);
    expect(told).toEqual([]);
  });
});

describe("differencing", () => {
  it("asks at half of its budget each for all that are sick and for all but one", async () => {
    const { asked } = await playedGame(differencing, () => rowsReply([1]));
    expect(asked).toEqual([
      { question: "SELECT COUNT(*) AS n FROM people WHERE sick = 1", shares: 2, account: 0 },
      { question: "SELECT COUNT(*) AS n FROM people WHERE sick = 1 AND id <> 117", shares: 2, account: 0 },
    ]);
  });
  it.each([
    [100, 100, 0],
    [101, 100, 1],
    [10.5, 10, 0],
    [10.6, 10, 1],
    [9, 10, 0],
  ])("takes %d less %d for a guess of %d, and tells the difference", async (all, but, guess) => {
    const played = await playedGame(differencing, (_, at) => rowsReply([at === 0 ? all : but]));
    expect(played.guess).toBe(guess);
    expect(played.told).toEqual([all - but]);
  });
  it("guesses where one of two is refused", async () => {
    for (const refusedAt of [0, 1]) {
      const answer = (_: string, at: number) => (at === refusedAt ? refused : rowsReply([5]));
      expect((await playedGame(differencing, answer, 0.75)).guess).toBe(1);
      expect((await playedGame(differencing, answer, 0.25)).guess).toBe(0);
    }
  });
  it("is played in a crowd of 200, of which about half are sick", () => {
    const [well] = differencing.worlds(0);
    expect(rowsOf(well!).map(([id]) => id)).toEqual(Array.from({ length: 200 }, (_, at) => at));
    const sick = rowsOf(well!).filter(([, secret]) => secret === 1).length;
    expect(sick).toBeGreaterThan(80);
    expect(sick).toBeLessThan(120);
  });
});

describe("averaging", () => {
  it("asks 200 times about one person, at an eighth of the budget, under account after account", async () => {
    const { asked } = await playedGame(averaging, () => rowsReply([0]));
    expect(asked).toHaveLength(200);
    expect(asked.map(({ account }) => account)).toEqual(asked.map((_, at) => at));
    expect(new Set(asked.map(({ question }) => question))).toEqual(
      new Set(["SELECT COUNT(*) AS n FROM people WHERE sick = 1 AND id = 117"]),
    );
    expect(new Set(asked.map(({ shares }) => shares))).toEqual(new Set([8]));
  });
  it("guesses by the mean of what is answered", async () => {
    const of = async (answers: readonly number[]) =>
      playedGame(averaging, (_, at) => (at < answers.length ? rowsReply([answers[at]!]) : refused));
    expect((await of([0, 1])).guess).toBe(0);
    expect((await of([0, 1.1])).guess).toBe(1);
    expect((await of([3, -1, -1])).guess).toBe(0);
    const { guess, asked } = await of([0.6]);
    expect([guess, asked.length]).toEqual([1, 2]);
  });
});

describe("group key", () => {
  const [common, rare] = groupKey
    .worlds(0)
    .map((world) => counted(rowsOf(world).map(([illness]) => illness)));
  it("is played in a register in which one count tells what is left out", () => {
    expect(Object.fromEntries(common!)).toEqual({ flu: 102, asthma: 101, measles: 101 });
    expect(Object.fromEntries(rare!)).toEqual({ flu: 101, asthma: 101, measles: 101, "Ondine's curse": 1 });
  });
  it.each<[string, readonly (readonly [string, number | string])[], number]>([
    [
      "the rare value itself",
      [
        ["flu", 102],
        ["Ondine's curse", 0],
      ],
      1,
    ],
    [
      "an exact count of the common one without it",
      [
        ["flu", 102],
        ["asthma", 101],
      ],
      0,
    ],
    [
      "where it was left out, one less of the common one",
      [
        ["asthma", 101],
        ["flu", 101],
      ],
      1,
    ],
    ["rounded counts without it", [["flu", 100]], 0],
    ["noisy counts without it", [["flu", 101.3]], 0],
    ["no count of the common one", [["asthma", 101]], 0],
    ["no number", [["flu", "many"]], 0],
  ])("reads %s", async (_, rows, guess) => {
    const { asked, guess: made } = await playedGame(groupKey, () => rowsReply(...rows));
    expect(made).toBe(guess);
    expect(asked.map(({ shares }) => shares)).toEqual([1]);
  });
});

describe("linkage", () => {
  const worlds = linkage.worlds(0);
  const people = worlds.map((world) => rowsOf(world));
  const isHer = ([town, born, sex]: readonly unknown[]) => town === 7 && born === 1961 && sex === "f";
  it("is played among 400 others, of whom none is like her and all are as the policy says", () => {
    expect(people[0]).toHaveLength(401);
    expect(people.map((rows) => rows.filter(isHer).length)).toEqual([1, 1, 1, 1, 1]);
    const spread = [0, 1, 2, 3].map((at) => new Set(people[0]!.map((row) => row[at])));
    expect(spread.map(({ size }) => size)).toEqual([20, 60, 2, 5]);
    expect(Math.min(...(spread[0] as Set<number>))).toBe(0);
    expect(Math.max(...(spread[0] as Set<number>))).toBe(19);
    expect([Math.min(...(spread[1] as Set<number>)), Math.max(...(spread[1] as Set<number>))]).toEqual([
      1940, 1999,
    ]);
    expect(worlds[0]!.policy).toContain("town: { type: integer, bounds: [0, 19] }");
    expect(worlds[0]!.policy).toContain("categories: [asthma, cancer, diabetes, flu, none]");
    // No value is so frequent that the crowd were no crowd.
    for (const at of [0, 1, 2, 3])
      expect(Math.max(...counted(people[0]!.map((row) => row[at])).values())).toBeLessThan(at < 2 ? 40 : 250);
  });
  it("asks for her, for all and for all others at a third each, and is right of exact answers", async () => {
    for (const [secret, rows] of people.entries()) {
      const { guess, asked } = await playedGame(linkage, (question) => {
        const among = question.includes("NOT") ? rows.filter((row) => !isHer(row)) : rows;
        const asked = question.includes("WHERE town") ? rows.filter(isHer) : among;
        return rowsReply(...[...counted(asked.map((row) => row[3]))].map(([name, n]) => [String(name), n]));
      });
      expect(guess).toBe(secret);
      expect(asked.map(({ shares }) => shares)).toEqual([3, 3, 3]);
    }
  });
  it.each([
    [
      "her own answer counts twice",
      [["flu", 1.5]],
      [
        ["cancer", 10],
        ["flu", 4],
      ],
      [
        ["cancer", 8],
        ["flu", 4],
      ],
      3,
    ],
    [
      "the difference counts once",
      [["flu", 1.5]],
      [
        ["cancer", 12],
        ["flu", 4],
      ],
      [
        ["cancer", 8],
        ["flu", 4],
      ],
      1,
    ],
    [
      "what others have is taken off",
      [],
      [
        ["cancer", 10],
        ["none", 9],
      ],
      [
        ["cancer", 10],
        ["none", 8],
      ],
      4,
    ],
  ] as const)("%s", async (_, her, all, others, guess) => {
    const replies = [her, all, others].map((rows) => rowsReply(...rows));
    expect((await playedGame(linkage, (__, at) => replies[at]!)).guess).toBe(guess);
  });
  it("chooses by lot among the likeliest", async () => {
    const replies = [rowsReply(["cancer", 1], ["none", 1]), refused, refused];
    const by = async (coin: number) => (await playedGame(linkage, (_, at) => replies[at]!, coin)).guess;
    expect([await by(0.1), await by(0.49), await by(0.5), await by(0.99)]).toEqual([1, 1, 4, 4]);
    const lost = await Promise.all(
      [0, 0.21, 0.41, 0.61, 0.99].map((coin) => playedGame(linkage, () => refused, coin)),
    );
    expect(lost.map(({ guess }) => guess)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("membership", () => {
  const alleles = (world: World, person: string): number[] =>
    rowsOf(world).flatMap(([who, marker]) => (who === person ? [Number(marker)] : []));
  it.each([0, 1, 5])("is played in a study of 20 with one or another in the last place, crowd %d", (seed) => {
    const [outside, inside] = membership.worlds(seed) as [World, World];
    const persons = [...counted(rowsOf(inside).map(([who]) => who))];
    expect(persons).toHaveLength(20);
    // Each of 400 markers is there by a coin: five standard deviations are 50.
    for (const [, count] of persons) expect(Math.abs(count - 200)).toBeLessThan(50);
    for (const [who] of persons) {
      const [a, b] = [alleles(outside, String(who)), alleles(inside, String(who))];
      if (who !== "p19") expect(a).toEqual(b);
      else {
        const both = a.filter((marker) => b.includes(marker)).length;
        expect(Math.abs(both - 100)).toBeLessThan(45);
      }
    }
    expect(Math.max(...alleles(inside, "p0"))).toBeLessThan(400);
    for (const world of [outside, inside])
      expect(new Set(persons.map(([who]) => alleles(world, String(who)).join())).size).toBe(20);
  });
  it("has a crowd of its own for each seed", () => {
    const targets = Array.from({ length: membership.crowds }, (_, seed) =>
      alleles(membership.worlds(seed)[1]!, "p19").join(),
    );
    expect(new Set(targets).size).toBe(8);
  });
  it("tells the target's presence by how its alleles go with the study's", async () => {
    let right = 0;
    for (let seed = 0; seed < 8; seed += 1)
      for (const [truth, world] of membership.worlds(seed).entries()) {
        const counts = counted(rowsOf(world).map(([, marker]) => marker));
        const reply = rowsReply(...[...counts].map(([marker, n]) => [Number(marker), n]));
        const { guess } = await playedGame(membership, () => reply, 0.25, seed);
        right += Number(guess === truth);
      }
    expect(right).toBeGreaterThanOrEqual(15);
  });
  it("says that it is there beyond an eighth of a share of a person at every marker", async () => {
    const target = alleles(membership.worlds(3)[1]!, "p19");
    const others = Array.from({ length: 400 }, (_, at) => at).filter((at) => !target.includes(at));
    const guess = async (...rows: readonly (readonly [number, number])[]) =>
      (await playedGame(membership, () => rowsReply(...rows), 0.25, 3)).guess;
    // A marker that all or none have adds a quarter, or takes one off; 400/160 are ten quarters.
    const had = target.slice(0, 11).map((at) => [at, 20] as const);
    expect(await guess(...had)).toBe(1);
    expect(await guess(...had.slice(1))).toBe(0);
    expect(await guess(...had, [others[0]!, 20])).toBe(0);
    expect(await guess(...had, [others[0]!, 20], [others[1]!, 0])).toBe(1);
    expect(await guess(...had, [target[11]!, 0])).toBe(0);
  });
});

describe("moved unit", () => {
  it("is played with two clinics of 40 and one more", () => {
    const sizes = movedUnit.worlds(0).map(({ tables }) => tables.map(({ rows }) => rows.length));
    expect(sizes).toEqual([
      [41, 40],
      [40, 41],
    ]);
    const ages = movedUnit.worlds(0).flatMap(({ tables }) => tables.flatMap(({ rows }) => rows.flat()));
    expect(Math.min(...(ages as number[]))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...(ages as number[]))).toBeLessThan(90);
    expect(new Set(ages).size).toBeGreaterThan(40);
  });
  it.each([
    [41, 0],
    [40.6, 0],
    [40.5, 1],
    [40, 1],
  ])("takes a count of %d of the first for a guess of %d", async (count, guess) => {
    const played = await playedGame(movedUnit, () => rowsReply([count]));
    expect(played).toMatchObject({ guess, told: [-count] });
    expect(played.asked).toEqual([{ question: "SELECT COUNT(*) AS n FROM clinic_a", shares: 1, account: 0 }]);
  });
});

test("low bits say which value alone could have given a double, and else which is nearer", async () => {
  const noise = Array.from({ length: 400 }, (_, at) => -Math.log(((at + 1) * 22_518_000_001_237) / 2 ** 53));
  const answers = noise.flatMap((each) => [each, 1 + each, -each, 1 - each]);
  const only = (value: number) =>
    answers.filter((answer) => naiveLaplaceGives(value, answer) && !naiveLaplaceGives(1 - value, answer));
  const open = [...answers, 0.1, 0.4, 0.6, 0.9].filter(
    (answer) => naiveLaplaceGives(0, answer) === naiveLaplaceGives(1, answer),
  );
  const guess = async (answer: number) => (await playedGame(lowBits, () => rowsReply([answer]))).guess;
  const wrongSide = [...only(0).filter((x) => x > 0.5), ...only(1).filter((x) => x < 0.5)];
  expect(wrongSide.length).toBeGreaterThan(10);
  for (const answer of only(0)) expect(await guess(answer)).toBe(0);
  for (const answer of only(1)) expect(await guess(answer)).toBe(1);
  expect(open.some((x) => x > 0.5) && open.some((x) => x <= 0.5)).toBe(true);
  for (const answer of open) expect(await guess(answer)).toBe(answer > 0.5 ? 1 : 0);
});
