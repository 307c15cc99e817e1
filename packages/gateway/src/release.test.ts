import { describe, expect, it } from "vitest";
import {
  holdsEstimates,
  isEstimate,
  isGroupedAway,
  isOther,
  isTimeEstimate,
  type Release,
  type ReleasedCell,
} from "./release.ts";

const cells = {
  text: "north",
  number: 3,
  truth: true,
  null: null,
  other: { other: true },
  estimate: { value: 1, lower: 0, upper: 2 },
  unknown: { value: null, lower: null, upper: null },
  time: { value: "2024-01-01", lower: "2023-12-31", upper: "2024-01-02" },
} as const satisfies Readonly<Record<string, ReleasedCell>>;

const those = (is: (cell: ReleasedCell) => boolean): readonly string[] =>
  Object.entries(cells).flatMap(([name, cell]) => (is(cell) ? [name] : []));

describe("a cell of a release", () => {
  it("is of one kind: an estimate, a time's estimate, the mark of the rest, or a plain value", () => {
    expect(those(isEstimate)).toEqual(["estimate", "unknown"]);
    expect(those(isTimeEstimate)).toEqual(["time"]);
    expect(those(isOther)).toEqual(["other"]);
  });

  it("holds an estimate in columns of aggregates and of what is computed", () => {
    const kinds = ["key", "aggregate", "computed", "label"] as const;
    expect(kinds.filter((kind) => holdsEstimates({ kind }))).toEqual(["aggregate", "computed"]);
  });
});

describe("a key's NULL", () => {
  const plan = {
    outputs: [
      { name: "ward", kind: "key", key: 1 },
      { name: "n", kind: "aggregate", aggregate: 0 },
      { name: "city", kind: "key", key: 0 },
    ],
    groupings: [[0, 1], [1], []],
  };
  const release = (groupings?: Release["groupings"]): Pick<Release, "groupings" | "certificate"> =>
    ({ certificate: { plan }, ...(groupings ? { groupings } : {}) }) as unknown as Release;

  it("stands for all values in rows of a grouping without that key, and there alone", () => {
    const several = release([
      { grouping: 0, over: null },
      { grouping: 1, over: null },
      { grouping: 2, over: null },
    ]);
    const away = [0, 1, 2].map((row) => [0, 1, 2].map((column) => isGroupedAway(several, row, column)));
    expect(away).toEqual([
      [false, false, false],
      [false, false, true],
      [true, false, true],
    ]);
  });

  it("is a value of the key where there is one grouping, and in rows and columns that are not there", () => {
    expect(isGroupedAway(release(), 0, 0)).toBe(false);
    const several = release([{ grouping: 2, over: null }]);
    expect([isGroupedAway(several, 1, 0), isGroupedAway(several, 0, 3)]).toEqual([false, false]);
  });
});
