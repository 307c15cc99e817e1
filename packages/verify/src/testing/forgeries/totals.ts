import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { groupingsAmiss } from "../../checks/groupings.ts";
import { totalsAmiss } from "../../checks/totals.ts";
import type { Release } from "../../format/release.ts";
import { samplePlan } from "../sample-release.ts";
import type { Telling } from "./forgery.ts";

const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  visits: { file: a.duckdb, unit: person, max_groups_contributed: 2, columns: {
    person: { type: text }, cost: { type: number, bounds: [0, 9] }, ward: { type: text }, kind: { type: text, categories: [a, b] } } }
`;
const planned = (text: string): Promise<Plan> =>
  samplePlan(text, policy, { epsilon: one, delta: parseRational("1e-6") });

const cube = "SELECT ward, kind, COUNT(*), SUM(cost) FROM visits GROUP BY CUBE (ward, kind)";
const forged =
  (change: (plan: Plan) => object, text = cube): (() => Promise<readonly string[]>) =>
  async () => {
    const plan = await planned(text);
    return [...groupingsAmiss({ ...plan, ...change(plan) } as Plan)];
  };
type Totals = NonNullable<Plan["totals"]>[number];
const total = (at: number, change: (of: Totals) => object): (() => Promise<readonly string[]>) =>
  forged(({ totals }) => ({
    totals: totals!.map((of, place) => (place === at ? { ...of, ...change(of) } : of)),
  }));

export const ofTotals: readonly Telling[] = [
  ["totals are measured that no grouping asks for", forged(() => ({ groupings: undefined }))],
  ["a grouping is not by the plan's keys", forged(() => ({ groupings: [["kind", "ward"]] }))],
  ["totals are made of groups that may be missing", forged(() => ({ totals: undefined }))],
  [
    "totals are measured within bounds that are learned, at no price of their own",
    forged(() => ({ learned: {} })),
  ],
  ["totals are made of what does not add up", forged(() => ({ trees: [{}] }))],
  [
    "totals are measured beside groups that are all released",
    forged(({ keys }) => ({ keys: { ...keys, program: { kind: "public", declared: [] } } })),
  ],
  [
    "totals are listed by groups that are not asked",
    forged(({ groupings }) => ({ groupings: groupings!.filter((set) => set.length < 2) })),
  ],
  ["totals are measured that no row is made of", forged(() => ({ groupings: [["ward", "kind"], ["ward"]] }))],
  ["a grouping that is not measured once", forged(({ totals }) => ({ totals: [...totals!, ...totals!] }))],
  [
    "groups of one grouping add up different numbers of groups",
    forged(({ totals }) => {
      const declared = [
        ["a", "a"],
        ["a", "b"],
        ["b", "a"],
      ];
      return {
        groupings: [["ward", "kind"], ["ward"]],
        totals: [{ ...totals![0]!, keys: ["ward", "kind"], declared }],
      };
    }),
  ],
  [
    "the total over all is not the one that there is",
    forged(
      ({ totals }) => ({ totals: totals!.map((of) => ({ ...of, declared: [[], []] })) }),
      "SELECT ward, COUNT(*) FROM visits GROUP BY ROLLUP (ward)",
    ),
  ],
  ["a declared key of totals has another length", total(1, () => ({ declared: [["a", "b"]] }))],
  ["a key of totals is declared twice", total(1, () => ({ declared: [["a"], ["a"]] }))],
  [
    "totals are not of what the groups are measured by",
    total(0, ({ measurements }) => ({ measurements: measurements.slice(1) })),
  ],
  [
    "the share of the loss that totals are said to take is not their noise's",
    total(0, () => ({ share: "1/100" })),
  ],
  [
    "the totals of n are not the sums of their groups and of what is left",
    async () => {
      const plan = await planned("SELECT ward, COUNT(*) AS n FROM visits GROUP BY ROLLUP (ward)");
      const count = (value: number) => ({ value, lower: value, upper: value });
      const release: Pick<Release, "rows" | "groupings"> = {
        rows: [
          ["a", count(5)],
          [{ other: true }, count(3)],
          [null, count(9)],
        ],
        groupings: [
          { grouping: 0, over: null },
          { grouping: 0, over: 1 },
          { grouping: 1, over: null },
        ],
      };
      return [...totalsAmiss({ ...release, certificate: { plan } } as Release)];
    },
  ],
];
