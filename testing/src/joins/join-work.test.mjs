import { describe, expect, it } from "vitest";
import { joinWork } from "./join-work.mjs";

const graphs = Number(process.env.JOIN_GRAPHS ?? 20);
const seed = Number(process.env.JOIN_SEED ?? 1);

describe("joined rows", () => {
  it("are never more for one private row than its plan says", async () => {
    const { found } = await joinWork(graphs, seed, 2);
    const wrong = found.filter(
      ({ stated, derived, most }) => !(most <= stated && stated === derived && stated <= 1000),
    );
    expect(wrong).toEqual([]);
    // The bound is reached now and then, and data multiply rows.
    expect(found.some(({ stated, most }) => most > 1 && most === stated)).toBe(true);
    expect(found.filter(({ most }) => most > 1).length).toBeGreaterThan(graphs / 3);
  });
});
