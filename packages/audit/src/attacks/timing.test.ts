import { describe, expect, it } from "vitest";
import { canary } from "./expressions.ts";
import type { Laboratory, Opened, World } from "./service.ts";
import { timing } from "./timing.ts";
import { uniforms } from "./uniforms.ts";

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
