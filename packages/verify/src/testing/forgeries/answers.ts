import { answerFitsThePlan } from "../../checks/answer.ts";
import { computedFollows } from "../../checks/computed.ts";
import { rowsAreThePlans } from "../../checks/groups.ts";
import { intervalsFollow } from "../../checks/intervals.ts";
import { chancesFollow } from "../../checks/missing.ts";
import { notesFollow } from "../../checks/notes.ts";
import { asRead } from "../as-read.ts";
import {
  byCity,
  bySector,
  counted,
  declared,
  estimateOf,
  type Forgery,
  type Judge,
  ofUnits,
} from "./forgery.ts";

const ofNotes: Judge = (release) => notesFollow(asRead(release));

export const ofAnswers: readonly Forgery[] = [
  [
    "the columns are not those that the plan puts out",
    bySector,
    answerFitsThePlan,
    (d) => {
      d.columns[0]!.name = "x";
    },
  ],
  [
    "a row is not made of the plan's keys and estimates",
    bySector,
    answerFitsThePlan,
    (d) => void d.rows[0]!.pop(),
  ],
  [
    "there are 4 rows where the plan allows 3",
    bySector,
    answerFitsThePlan,
    (d) => void d.rows.push(d.rows[0]!),
  ],
  [
    "groups may be missing though all are answered",
    bySector,
    answerFitsThePlan,
    (d) => void d.missing.push({ units: 1, chance: 0.5 }),
  ],
  [
    "the plan groups by keys and has no rule for them",
    bySector,
    answerFitsThePlan,
    (d) => {
      d.certificate.plan.keys.program = { kind: "none" };
    },
  ],
  [
    "a declared key has another length",
    bySector,
    answerFitsThePlan,
    (d) => void declared(d)[0]!.push("more"),
  ],
  ["a key is declared twice", bySector, answerFitsThePlan, (d) => void declared(d).push(declared(d)[0]!)],
  [
    "a key in column sector is not among the declared ones",
    bySector,
    answerFitsThePlan,
    (d) => {
      d.rows[0]![0] = "mining";
    },
  ],
  [
    "an interval has one end only",
    bySector,
    answerFitsThePlan,
    (d) => {
      estimateOf(d).lower = null;
    },
  ],
  [
    "an interval is empty or belongs to no value",
    bySector,
    answerFitsThePlan,
    (d) => {
      estimateOf(d).lower = 1e9;
    },
  ],
  [
    "an interval of times is empty",
    bySector,
    answerFitsThePlan,
    (d) => {
      d.rows[0]![1] = { value: "2024-01-01", lower: "2024-01-02", upper: "2024-01-01" };
    },
  ],
  [
    "column low is not the lower end of another column's intervals",
    { text: "SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n) AS low FROM people" },
    answerFitsThePlan,
    (d) => {
      d.rows[0]![1] = 3;
    },
  ],
  [
    "rows do not say which grouping they are of",
    bySector,
    answerFitsThePlan,
    (d) => {
      d.groupings = [];
    },
  ],
  [
    "a row stands for groups that are all released",
    bySector,
    answerFitsThePlan,
    (d) => {
      d.rows[0]![0] = { other: true };
    },
  ],
  [
    "a row is not of the grouping that it is said to be of",
    { text: "SELECT sector, COUNT(*) AS n FROM people GROUP BY ROLLUP (sector)" },
    answerFitsThePlan,
    (d) => {
      d.groupings![0]!.grouping = 1;
    },
  ],
  [
    "the totals of n are not the sums of its groups",
    { text: "SELECT sector, COUNT(*) AS n FROM people GROUP BY ROLLUP (sector)" },
    answerFitsThePlan,
    (d) => {
      d.rows[3]![1] = { value: 5, lower: 1, upper: 9 };
    },
  ],
  [
    "a group is answered that is not due",
    counted,
    rowsAreThePlans,
    (d) => {
      d.rows[0]![0] = "mining";
    },
  ],
  [
    "a group is answered twice",
    counted,
    rowsAreThePlans,
    (d) => {
      d.rows[0] = d.rows[1]!;
    },
  ],
  ["a group that is due is not answered", counted, rowsAreThePlans, (d) => void d.rows.pop()],
  [
    "more groups are answered than OFFSET and LIMIT leave",
    counted,
    rowsAreThePlans,
    (d) => {
      d.certificate.plan.post.limit = 2;
    },
  ],
  ["the rows are not in the order that is asked", counted, rowsAreThePlans, (d) => void d.rows.reverse()],
  [
    "a row is answered that HAVING leaves out",
    { text: `${counted.text} HAVING COUNT(*) > 5` },
    rowsAreThePlans,
    (d) => {
      d.rows[0]![1] = { value: 2, lower: 0, upper: 4 };
    },
  ],
  [
    "a key of numbers that is no number",
    { text: "SELECT change, COUNT(*) FROM people GROUP BY change" },
    rowsAreThePlans,
    (d) => {
      d.certificate.plan.keys.program = { kind: "private", rule: { rule: "truncated-geometric" } } as never;
      d.rows[0]![0] = "many";
    },
  ],
  [
    "column more is not what follows from the released values",
    { text: "SELECT COUNT(*) AS n, COUNT(*) + 1 AS more FROM people" },
    computedFollows,
    (d) => {
      d.rows[0]![1] = { value: 3, lower: null, upper: null };
    },
  ],
  [
    "the intervals of n are not those of its noise",
    counted,
    intervalsFollow,
    (d) => {
      estimateOf(d).upper = 1e6;
    },
  ],
  [
    "noise beyond every number",
    counted,
    intervalsFollow,
    (d) => {
      d.certificate.plan.measurements[0]!.noise = {
        mechanism: "discrete-laplace@1",
        scale: `1${"0".repeat(330)}`,
      };
    },
  ],
  [
    "the sizes of groups that may be missing are not those that are always told",
    byCity,
    chancesFollow,
    (d) => void d.missing.pop(),
  ],
  [
    "goes missing with another chance than stated",
    byCity,
    chancesFollow,
    (d) => {
      d.missing[0]!.chance /= 2;
    },
  ],
  ["a note that follows from the plan is missing", ofUnits, ofNotes, (d) => void d.notes.pop()],
  [
    "a note says what does not follow from the plan",
    ofUnits,
    ofNotes,
    (d) => void d.notes.push("This answer is exact."),
  ],
  [
    "the notes are not those of the plan, each once and in their order",
    ofUnits,
    ofNotes,
    (d) => void d.notes.reverse(),
  ],
  [
    "the release is from a version that wrote its notes in other words, so they were not compared",
    ofUnits,
    (release) => notesFollow(asRead(release, 1)),
    (d) => void d.notes.reverse(),
  ],
];
