import type { ReachedTarget } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { pilotAloneNote, targetNotes } from "./target-notes.ts";

const target = (changed: Partial<ReachedTarget>): ReachedTarget => ({
  halfWidth: 5,
  relative: null,
  released: {
    share: "1/20",
    requestId: "first",
    answers: [{ name: "n", values: 1, typical: 100, halfWidth: 5, reached: 4.9 }],
  },
  rows: null,
  reached: 4.9,
  epsilon: "3/4",
  capped: false,
  ...changed,
});

describe("the note on a target that is a share of released numbers", () => {
  it("says the share in percent and what it comes to", () => {
    expect(targetNotes(target({}))).toEqual([
      'the target is 5 % of what request "first" released: ± 5 for "n" (of 100); it is reached',
    ]);
  });

  it("says the price at which the question stops where that does not reach it", () => {
    expect(targetNotes(target({ capped: true, rows: 40 }))).toEqual([
      expect.stringMatching(
        / in a group of 40 rows; it is not reached, because .* its price to epsilon 0\.75$/,
      ),
    ]);
  });

  it("writes shares, half-widths and prices to four digits, one column after the other", () => {
    const answers = [
      { name: "n", values: 1, typical: 100, halfWidth: 12.34567, reached: 4.9 },
      { name: 'a "b"', values: 1, typical: 100, halfWidth: 0.0001234567, reached: 4.9 },
    ];
    const [note] = targetNotes(
      target({
        released: { share: "1/3", requestId: "first", answers },
        rows: 7,
        capped: true,
        epsilon: "2/3",
      }),
    );
    expect(note).toBe(
      'the target is 33.33 % of what request "first" released: ± 12.35 for "n" (of 100), ± 0.0001235 for "a \\"b\\"" (of 100) in a group of 7 rows; it is not reached, because the question limits its price to epsilon 0.6667',
    );
  });

  it("is none for other targets", () => {
    expect([targetNotes(null), targetNotes(target({ released: null }))]).toEqual([[], []]);
  });
});

it("the note on a pilot alone names the request to lean on, as SQL quotes it", () => {
  expect(pilotAloneNote("it's (pilot)")).toContain("target_release = 'it''s (pilot)' instead of");
});
