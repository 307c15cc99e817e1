import { elementAt } from "@lethe/core/numeric";
import type { OverColumn, OverRelation } from "@lethe/query";
import { type Cell, isEstimate, type Release } from "../../format/release.ts";
import { overFollows } from "../../over/over-checks.ts";
import { demandFew, stepsLeft } from "../../over/unmade.ts";
import { ascending, call, descending, key, literal, windowOf } from "../made-of.ts";
import { sample } from "../people.ts";
import { counted, type Draft, type Mutable, type Telling } from "./forgery.ts";

/** The shares of n, the largest first: sector, n, its share of all, its place, and its size in words. */
const shares: OverRelation = {
  kind: "ordered",
  of: {
    kind: "shown",
    of: {
      kind: "windowed",
      of: { kind: "answer" },
      windows: [
        { ...windowOf("sum", [key("n")]), name: "total" },
        {
          ...windowOf("row_number", []),
          name: "place",
          orderBy: [descending("n")],
          frame: { peers: false, from: null, to: 0 },
        },
      ],
    },
    columns: [
      { name: "sector", type: "text", expression: key("sector") },
      { name: "n", type: "number", expression: key("n") },
      { name: "share", type: "number", expression: call("/", key("n"), key("total")) },
      { name: "place", type: "number", expression: key("place") },
      {
        name: "size",
        type: "text",
        expression: {
          kind: "case",
          // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is never awaited
          branches: [{ when: call(">", key("n"), literal(0)), then: literal("many") }],
          otherwise: literal("few"),
        },
      },
    ],
  },
  orderBy: [descending("n")],
  limit: null,
  offset: 0,
};

const estimated = (cell: Cell | undefined): number => (isEstimate(cell) ? (cell.value ?? 0) : 0);
const valued = (value: number): Cell => ({ value, lower: null, upper: null });

/** A release of a SELECT over the counts of people by sector, as an honest service would make it. */
export async function overCounts(): Promise<{ readonly release: Release; readonly policy: string }> {
  const { release, policy } = await sample(counted);
  const { certificate, rows } = release;
  const total = rows.reduce((all, row) => all + estimated(row[1]), 0);
  const over = {
    columns: [
      { name: "sector", kind: "key" },
      { name: "n", kind: "aggregate" },
      { name: "share", kind: "computed" },
      { name: "place", kind: "computed" },
      { name: "size", kind: "label" },
    ],
    rows: [...rows]
      .sort((a, b) => estimated(b[1]) - estimated(a[1]))
      .map((row, at) => [
        ...structuredClone(row),
        valued(estimated(row[1]) / total),
        valued(at + 1),
        estimated(row[1]) > 0 ? "many" : "few",
      ]),
  } as const;
  return {
    release: {
      ...release,
      over,
      certificate: { ...certificate, plan: { ...certificate.plan, over: shares } },
    },
    policy,
  };
}

type Over = NonNullable<Draft["over"]>;
/** A cell that is being forged. */
type Forged = { value: number; lower: number | null; upper: number | null };

const cellIn = (over: Over, row: number, column: number): Forged =>
  over.rows[row]?.[column] as unknown as Forged;

/** A text that the check must say after this change of what is shown, and of the plan. */
const told = (says: string, change: (over: Over, draft: Draft) => void): Telling => [
  says,
  async () => {
    const draft = structuredClone((await overCounts()).release) as Draft;
    if (draft.over) change(draft.over, draft);
    return overFollows(draft as Release);
  },
];

/** The same after this change of the relation alone, of whose windows and columns there are two and five. */
const ofRelation = (says: string, change: (over: Mutable<OverRelation>) => Mutable<OverRelation>): Telling =>
  told(says, (_, { certificate: { plan } }) => {
    if (plan.over) plan.over = change(plan.over);
  });

const nearly = call(">", call("*", key("n"), literal(1 + 2 ** -45)), key("n"));
const within = (of: OverRelation, change: (of: OverRelation) => OverRelation): OverRelation =>
  "of" in of && of.kind !== "windowed" ? { ...of, of: within(of.of, change) } : change(of);
const mutable = (over: OverRelation): Mutable<OverRelation> => over as Mutable<OverRelation>;
const changed = (change: (windowed: OverRelation) => OverRelation) => (): Mutable<OverRelation> =>
  mutable(within(shares, change));

export const ofOver: readonly Telling[] = [
  told("what is selected over the answer follows from its rows", () => {}),
  ["nothing is selected over the answer", async () => overFollows((await sample(counted)).release)],
  told("the SELECT over the answer makes more than a release shows", (_, draft) => {
    Reflect.deleteProperty(draft, "over");
  }),
  told("the columns over the answer are not those that the SELECT puts out", (over) => {
    elementAt(over.columns, 2).kind = "aggregate";
  }),
  told("the columns over the answer are not those that the SELECT puts out", (over) => {
    elementAt(over.columns, 2).name = "part";
  }),
  told("a cell over the answer has not the form that its column has", (over) => {
    elementAt(over.rows, 0)[2] = 0.5;
  }),
  told("a cell over the answer has not the form that its column has", (over) => {
    elementAt(over.rows, 0)[4] = { value: 1, lower: null, upper: null };
  }),
  told("a cell over the answer has not the form that its column has", (over) => {
    elementAt(over.rows, 0).pop();
  }),
  told("an interval over the answer has one end only, or is empty", (over) => {
    cellIn(over, 0, 2).lower = 0;
  }),
  told("an interval over the answer has one end only, or is empty", (over) => {
    Object.assign(cellIn(over, 0, 2), { lower: 1, upper: 0 });
  }),
  told("the SELECT over the answer makes 3 rows, not 2", (over) => {
    over.rows.pop();
  }),
  told("column share over the answer is not what the SELECT makes of its rows", (over) => {
    cellIn(over, 0, 2).value *= 1.01;
  }),
  told("column sector over the answer is not what the SELECT makes of its rows", (over) => {
    over.rows.reverse();
  }),
  told("column size over the answer is not what the SELECT makes of its rows", (over) => {
    elementAt(over.rows, 0)[4] = "few";
  }),
  told("column n over the answer is not what the SELECT makes of its rows", (over) => {
    const cell = cellIn(over, 0, 1);
    cell.lower = cell.value;
  }),
  ofRelation("the SELECT over the answer makes 1 rows, not 3", () =>
    mutable({ kind: "ordered", of: shares, orderBy: [], limit: 1, offset: 0 }),
  ),
  ofRelation("the columns over the answer are not those that the SELECT puts out", () =>
    mutable({ kind: "windowed", of: shares, windows: [windowOf("rank", [])] }),
  ),
  ofRelation(
    "which rows there are over the answer rests on values that rounding may have decided",
    changed((of) => ({ kind: "filtered", of, where: nearly })),
  ),
  ofRelation(
    "columns over the answer hold values that rounding may have decided",
    changed((of) =>
      of.kind !== "windowed"
        ? of
        : {
            ...of,
            windows: of.windows.map((window) =>
              window.name === "place" ? { ...window, orderBy: [{ ...ascending("n"), by: nearly }] } : window,
            ),
          },
    ),
  ),
  [
    "a window function is called with a number that is no integer from 1 on",
    async () => {
      const { release } = await overCounts();
      const { certificate, rows } = release;
      const windows = [windowOf("ntile", [literal(0)])];
      const over: OverRelation = { kind: "windowed", of: { kind: "answer" }, windows };
      return overFollows({
        ...release,
        over: {
          columns: [...release.columns, { name: "w", kind: "computed" }],
          rows: rows.map((row) => [...row, valued(1)]),
        },
        certificate: { ...certificate, plan: { ...certificate.plan, over } },
      });
    },
  ],
  [
    "the SELECT over the answer makes more than 1000000 rows on its way",
    () => messageOf(() => demandFew(1e7)),
  ],
  ["the SELECT over the answer takes more steps than are made here", () => messageOf(() => stepsLeft()(1e9))],
];

function messageOf(tell: () => void): readonly string[] {
  try {
    tell();
  } catch (error) {
    if (error instanceof Error) return [error.message];
  }
  return [];
}

const answer: OverRelation = { kind: "answer" };
const relationOf =
  (over: OverRelation) =>
  (draft: Draft): void => {
    draft.certificate.plan.over = mutable(over);
  };
const none = key("names nothing");
const windowed = (window: Parameters<typeof windowOf>): ReturnType<typeof relationOf> =>
  relationOf({ kind: "windowed", of: answer, windows: [windowOf(...window)] });
const groupedBy = (over: Partial<Extract<OverRelation, { readonly kind: "grouped" }>>) =>
  relationOf({ kind: "grouped", of: answer, by: [], values: [], ...over });
const counting = (value: object): ReturnType<typeof relationOf> =>
  groupedBy({
    values: [
      { name: "c", value: { function: "count", expression: null, distinct: false, where: null, ...value } },
    ],
  });
const deep = (depth: number): OverRelation =>
  depth === 1 ? answer : { kind: "distinct", of: deep(depth - 1) };
const shownAs = (name: string): OverColumn => ({ name, type: "number", expression: key("n") });
const renamed: OverRelation = { kind: "shown", of: answer, columns: [shownAs("m")] };
const unread = "of columns of the rows that it is made of";

/** The most relations within each other that a reader takes. */
export const deepest: (draft: Draft) => void = relationOf(deep(100));

/** Changes of a release that a reader must refuse, with the words that it says then. */
export const forgedOver: readonly (readonly [says: string, change: (draft: Draft) => void])[] = [
  [
    "there where the plan selects over the answer, and nowhere else",
    (draft) => void Reflect.deleteProperty(draft, "over"),
  ],
  [
    "there where the plan selects over the answer, and nowhere else",
    (draft) => void Reflect.deleteProperty(draft.certificate.plan, "over"),
  ],
  ["nested in fewer than 100 relations", relationOf(deep(101))],
  [
    "rows of a value for each column",
    relationOf({ kind: "values", columns: [{ name: "a", type: "number" }], rows: [[1, 2]] }),
  ],
  [unread, relationOf({ kind: "filtered", of: answer, where: none })],
  [unread, relationOf({ kind: "filtered", of: answer, where: { kind: "aggregate", aggregate: "COUNT(*)" } })],
  [unread, relationOf({ kind: "filtered", of: answer, where: { kind: "other", key: "sector" } })],
  [unread, relationOf({ kind: "filtered", of: answer, where: { kind: "grouped-away", key: "sector" } })],
  [
    unread,
    relationOf({ kind: "shown", of: answer, columns: [{ name: "a", type: "text", expression: none }] }),
  ],
  [unread, groupedBy({ by: ["names nothing"] })],
  [unread, counting({ expression: none })],
  [unread, counting({ where: none })],
  [unread, windowed(["sum", [none]])],
  [unread, windowed(["rank", [], { partitionBy: [none] }])],
  [unread, windowed(["rank", [], { orderBy: [ascending("names nothing")] }])],
  [unread, windowed(["count", [], { where: none }])],
  [
    unread,
    relationOf({ kind: "ordered", of: answer, orderBy: [ascending("nothing")], limit: null, offset: 0 }),
  ],
  [unread, relationOf({ kind: "joined", type: "inner", left: answer, right: renamed, on: none })],
  [
    "of columns with different names",
    relationOf({ kind: "joined", type: "inner", left: answer, right: answer, on: null }),
  ],
  [
    "of columns with different names",
    relationOf({ kind: "shown", of: answer, columns: [shownAs("a"), shownAs("a")] }),
  ],
  ["of columns with different names", groupedBy({ by: ["n", "n"] })],
  ["of columns with different names", windowed(["rank", [], { name: "n" }])],
  ["of an expression, or COUNT(*)", counting({ function: "sum" })],
  ["of an expression, or COUNT(*)", counting({ distinct: true })],
  ["as many as the function has", windowed(["rank", [key("n")]])],
  ["as many as the function has", windowed(["lag", [key("n")]])],
  ["as many as the function has", windowed(["nth_value", [key("n")]])],
  ["as many as the function has", windowed(["sum", []])],
  [
    "of places, or from or to the row itself and its peers",
    windowed(["sum", [key("n")], { frame: { peers: true, from: -1, to: 0 } }]),
  ],
  [
    "relations of equally many columns, one at least",
    relationOf({ kind: "union", parts: [answer, renamed] }),
  ],
  ["relations of equally many columns, one at least", relationOf({ kind: "union", parts: [] })],
  [
    "an object of kind, of alone",
    (draft) => {
      draft.certificate.plan.over = { kind: "distinct", of: { kind: "answer" }, all: true } as never;
    },
  ],
  [
    "an object of columns, rows alone",
    (draft) => {
      draft.over = { ...draft.over, notes: [] } as never;
    },
  ],
];
