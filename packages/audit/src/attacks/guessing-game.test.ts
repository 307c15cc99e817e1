import { ratio } from "@lethe/core";
import { zero } from "@lethe/core/numeric";
import { describe, expect, test } from "vitest";
import { clopperPearson } from "../estimate/clopper-pearson.ts";
import { rowsReply } from "../testing/played-game.ts";
import { guessingCeiling } from "./ceiling.ts";
import { attackOf, type GuessingGame, type Session } from "./guessing-game.ts";
import { exactAnswers, noiseWithoutBudget } from "./services/naive.ts";
import { numberIn } from "./services/people.ts";
import type { Account, Asked, Laboratory, World } from "./services/service.ts";
import { uniforms } from "./services/uniforms.ts";

/** A world whose only value is its place and the seed of its crowd. */
const world = (place: number, seed: number): World => ({
  tables: [{ name: "t", columns: [], rows: [[place, seed]] }],
  policy: "",
});
const placeOf = ({ tables }: World): number => Number(tables[0]!.rows[0]![0]);

function laboratory() {
  const opened: { world: World; account: Account | null; asked: Asked[]; closed: boolean }[] = [];
  const open = async (at: World, account: Account | null) => {
    const one = { world: at, account, asked: [] as Asked[], closed: false };
    opened.push(one);
    return {
      async ask(_question: string, asked: Asked) {
        one.asked.push(asked);
        return rowsReply([placeOf(at)]);
      },
      async close() {
        one.closed = true;
      },
    };
  };
  const made = { exact: (at: World) => open(at, null), lethe: open } as unknown as Laboratory;
  return { laboratory: made, opened, lethe: () => opened.filter(({ account }) => account !== null) };
}

const effort = { trials: 12, controls: 30, questions: 1, alpha: 0.01 };
const truth = async ({ ask }: Session): Promise<number> => numberIn(await ask("?", 1))!;
const game = (change: Partial<GuessingGame> = {}): GuessingGame => ({
  id: "game",
  describes: "describes",
  source: "source",
  against: [
    { protection: exactAnswers, control: 0.9 },
    { protection: noiseWithoutBudget, control: null },
  ],
  epsilon: "3/2",
  delta: "1/10",
  accounts: 1,
  crowds: 1,
  worlds: (seed) => [0, 1, 2].map((place) => world(place, seed)),
  guess: truth,
  ...change,
});
const run = (of: GuessingGame, lab: Laboratory, progress?: (done: number) => void) =>
  attackOf(of).run(lab, effort, uniforms(1), progress);

describe("the results of a game", () => {
  test("count right guesses on each naive service and on Lethe, beside what its ε allows", async () => {
    const done: number[] = [];
    const [exact, noisy, lethe] = await run(game(), laboratory().laboratory, (at) => done.push(at));
    const rest = { attack: "game", measure: "right guesses", blind: 1 / 3, note: null };
    const all = clopperPearson(30, 30, 0.01);
    expect(exact).toEqual({
      ...rest,
      service: "exact answers",
      value: 1,
      interval: [all.lo, all.hi],
      trials: 30,
      ceiling: null,
      control: 0.9,
    });
    expect(noisy).toMatchObject({
      service: "noise without a budget",
      trials: 30,
      ceiling: null,
      control: null,
    });
    expect(noisy!.value).toBeLessThan(1);
    const few = clopperPearson(12, 12, 0.01);
    expect(lethe).toEqual({
      ...rest,
      service: "Lethe, ε = 3/2",
      value: 1,
      interval: [few.lo, few.hi],
      trials: 12,
      ceiling: guessingCeiling(ratio(3n, 2n), ratio(1n, 10n), 3),
      control: null,
    });
    expect(done).toEqual([1, 2]);
    expect(attackOf(game())).toMatchObject({ id: "game", describes: "describes", source: "source" });
  });
  test("are of worlds by lot, so that a guess that is always the same is right in its share", async () => {
    const always = game({ guess: async () => 1, delta: "0" });
    const many = { ...effort, controls: 600, trials: 600 };
    const results = await attackOf(always).run(laboratory().laboratory, many, uniforms(3));
    // 1/3 of 600; eight standard deviations are 92.
    for (const { value } of results) expect(Math.abs(600 * value - 200)).toBeLessThan(92);
    expect(results[2]!.ceiling).toBe(guessingCeiling(ratio(3n, 2n), zero, 3));
  });
  test("hold the scores of guesses between the first two worlds, where any are told", async () => {
    const telling = game({
      async guess(session) {
        const place = await truth(session);
        session.tell(10 * place);
        return place;
      },
    });
    const [exact] = await run(telling, laboratory().laboratory);
    const scores = exact!.scores!;
    expect(new Set(scores.map((each) => `${each.truth} ${each.score}`))).toEqual(new Set(["0 0", "1 10"]));
    expect(scores.length).toBeGreaterThan(5);
    expect(scores.length).toBeLessThan(30);
  });
});

describe("a game on naive services", () => {
  test("opens its worlds once for each crowd, plays all crowds alike and closes them", async () => {
    const seeds: number[] = [];
    const lab = laboratory();
    const crowds = game({
      crowds: 4,
      against: [{ protection: exactAnswers, control: null }],
      async guess(session, seed) {
        seeds.push(seed);
        return truth(session);
      },
    });
    const [exact] = await run(crowds, lab.laboratory);
    expect(exact).toMatchObject({ value: 1, trials: 30 });
    const naive = lab.opened.filter(({ account }) => account === null);
    expect(naive.map((each) => each.world.tables[0]!.rows[0])).toEqual(
      [0, 1, 2, 3].flatMap((seed) => [0, 1, 2].map((place) => [place, seed])),
    );
    expect(lab.opened.every(({ closed }) => closed)).toBe(true);
    const played = [0, 1, 2, 3].map((seed) => seeds.slice(0, 30).filter((each) => each === seed).length);
    expect(played).toEqual([8, 8, 7, 7]);
    // Lethe is played with the first.
    expect(seeds.slice(30)).toEqual(Array(12).fill(0));
  });
});

describe("a game on Lethe", () => {
  test("has an account of its own for each guess, and a source that pays for all of them", async () => {
    const lab = laboratory();
    await run(game(), lab.laboratory);
    const opened = lab.lethe();
    expect(opened.map((each) => placeOf(each.world))).toEqual([0, 1, 2]);
    for (const { account } of opened)
      expect(account).toEqual({
        epsilon: "18",
        delta: "6/5",
        analysts: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`attacker-${at}-0`, "3/2"])),
      });
    const asked = opened.flatMap((each) => each.asked);
    expect(new Set(asked.map(({ as }) => as)).size).toBe(12);
    for (const each of asked) expect(each).toMatchObject({ epsilon: "3/2", delta: "1/10" });
    expect(opened.every(({ closed }) => closed)).toBe(true);
  });
  test("with several accounts has a source of its own for each guess, whose budget they share", async () => {
    const lab = laboratory();
    const several = game({
      accounts: 3,
      async guess({ ask }) {
        for (const at of [0, 1, 2, 3, 4]) await ask("?", 4, at);
        return numberIn(await ask("?", 2))!;
      },
    });
    const results = await run(several, lab.laboratory);
    expect(results.at(-1)).toMatchObject({ value: 1, trials: 12 });
    const opened = lab.lethe();
    expect(opened).toHaveLength(12);
    for (const { account, asked, closed } of opened) {
      const names = Object.keys(account!.analysts);
      expect(account).toMatchObject({ epsilon: "3/2", delta: "1/10" });
      expect(Object.values(account!.analysts)).toEqual(["3/2", "3/2", "3/2"]);
      expect(asked.map(({ as }) => names.indexOf(as))).toEqual([0, 1, 2, 0, 1, 0]);
      expect(asked.map(({ epsilon, delta }) => [epsilon, delta])).toEqual([
        ...Array(5).fill(["3/8", "1/40"]),
        ["3/4", "1/20"],
      ]);
      expect(closed).toBe(true);
    }
    expect(new Set(opened.map((each) => placeOf(each.world))).size).toBe(3);
  });
});
