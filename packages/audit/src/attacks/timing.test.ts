import { describe, expect, it } from "vitest";
import { clopperPearson } from "../estimate/clopper-pearson.ts";
import { canary } from "./services/expressions.ts";
import type { Laboratory, Opened, World } from "./services/service.ts";
import { uniforms } from "./services/uniforms.ts";
import { timing } from "./timing.ts";

const effort = { trials: 60, controls: 60, questions: 1, alpha: 1e-3 };

/** A laboratory whose clock moves on by what each answer takes; the second world of a pair takes `second`. */
function laboratory(first: number, second: number): Laboratory {
  let time = 0;
  const opened = (took: number): Opened => ({
    async ask() {
      time += took;
      return { kind: "rows", columns: ["n"], rows: [[40]] };
    },
    close: async () => undefined,
  });
  const opening = async (world: World): Promise<Opened> => opened(isSecond(world) ? second : first);
  return { exact: opening, lethe: opening, now: () => time } as unknown as Laboratory;
}

const isSecond = ({ tables }: World): boolean => tables[0]!.rows.some((row) => row.includes(canary.text));

async function rightGuesses(service: string, first: number, second: number): Promise<number> {
  const results = await timing.run(laboratory(first, second), effort, uniforms(1));
  return results.find((result) => result.service === service)!.value;
}

describe("the time of an answer", () => {
  it("tells who is in the data where it differs", async () => {
    expect(await rightGuesses("exact answers", 2, 5)).toBe(1);
    expect(await rightGuesses("Lethe", 2, 5)).toBe(1);
  });

  it("tells nothing where it is the same", async () => {
    expect(await rightGuesses("exact answers", 3, 3)).toBeLessThan(0.8);
    expect(await rightGuesses("Lethe, the same data twice", 2, 5)).toBeLessThan(0.8);
  });
});

describe("a threshold on times", () => {
  const { alpha } = effort;
  const answersOf = async (first: number, second: number, trials = 60) => {
    const results = await timing.run(laboratory(first, second), { ...effort, trials }, uniforms(1));
    return results.find(({ service }) => service === "Lethe")!;
  };
  it("is chosen on one half of the answers and judged on the other", async () => {
    const due = clopperPearson(30, 30, alpha);
    expect(await answersOf(2, 5)).toMatchObject({
      value: 1,
      trials: 30,
      interval: [due.lo, due.hi],
      blind: 0.5,
      ceiling: null,
      control: null,
    });
    expect((await answersOf(2, 5, 61)).trials).toBe(31);
    // No more than 200 are asked for.
    expect((await answersOf(2, 5, 500)).trials).toBe(100);
  });
  it("says that what took longer is the second", async () => {
    expect((await answersOf(5, 2, 500)).value).toBeLessThan(0.75);
  });
  it("is not learned from the first answers, for which files are opened", async () => {
    let asked = 0;
    let time = 0;
    const slowAtFirst = {
      async exact(world: World) {
        return {
          async ask() {
            asked += 1;
            time += asked <= 4 ? 1000 : isSecond(world) ? 5 : 2;
          },
          close: async () => undefined,
        };
      },
      lethe: laboratory(1, 1).lethe,
      now: () => time,
    } as unknown as Laboratory;
    const [, , exact] = await timing.run(slowAtFirst, effort, uniforms(1));
    expect(exact).toMatchObject({ service: "exact answers", value: 1 });
    expect(asked).toBe(64);
  });
  it("ends each service, and plays the same data twice with one world", async () => {
    const worlds: boolean[] = [];
    let open = 0;
    const opening = async (world: World) => {
      worlds.push(isSecond(world));
      open += 1;
      return {
        ask: async () => undefined,
        async close() {
          open -= 1;
        },
      };
    };
    const counting = { exact: opening, lethe: opening, now: () => 0 } as unknown as Laboratory;
    const done: number[] = [];
    await timing.run(counting, effort, uniforms(1), (at) => done.push(at));
    expect(worlds).toEqual([false, true, false, true, false, false]);
    expect([open, done]).toEqual([0, [1]]);
  });
});

describe("the coins of a sampler", () => {
  it("tell large noise from small where they are counted, and less of Lethe's", async () => {
    const [counting, ours] = await timing.run(laboratory(1, 1), { ...effort, trials: 200 }, uniforms(2));
    expect(counting).toMatchObject({ service: "counting coins", trials: 2_000 });
    // It takes as many coins as it is large, and one more; only noise of 0 that is drawn again blurs that.
    expect(counting!.value).toBeGreaterThan(0.95);
    expect(counting!.value).toBeLessThan(1);
    expect(ours).toMatchObject({ service: "Lethe's samplers", trials: 2_000 });
    expect(ours!.value).toBeLessThan(0.9);
    expect(ours!.value).toBeGreaterThan(0.45);
  });
});
