import { ratio } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { attacks } from "../attacks/registry.ts";
import { clopperPearson } from "../estimate/clopper-pearson.ts";
import { naiveLaplace } from "../known-bad/naive-laplace.ts";
import { knownBad } from "../known-bad/registry.ts";
import { subject } from "../subject.ts";
import { coreSubjects } from "../subjects/registry.ts";
import { trainings } from "../trainings/registry.ts";
import { pureClaim } from "../verify/claim.ts";
import { attackAudit } from "./attack-audit.ts";
import { isWrong } from "./audit-row.ts";
import { estimateAudit } from "./estimate-audit.ts";
import { attackAlarm, estimateAlarm, impossibleAlarm, runsOf, trainingAlarm } from "./false-alarms.ts";
import { countOf, impossibleAudit, impossibleControl, isTooMany } from "./impossible-audit.ts";
import { people, worldOf } from "./invented-people.ts";
import { manyCanaries } from "./one-run-audit.ts";
import { replayAudit } from "./replay-audit.ts";
import { replayRow } from "./replay-row.ts";

const request = { seed: 2, samples: 300, draws: 60, falseAlarm: 1e-6 };

describe("estimates", () => {
  const make = (id: string) =>
    estimateAudit
      .steps(request)
      .find((step) => step.subject === id)!
      .make();
  test("of a mechanism are made once, of as many outputs as are asked for", async () => {
    const row = await make("discrete-laplace");
    expect(row).toMatchObject({ audit: "estimate", of: "lethe", finding: null, claim: "ε = 1", ceiling: 1 });
    expect(row.how).toBe(
      `300 outputs of each neighbour, Clopper–Pearson at ${estimateAlarm(request).toPrecision(2)}`,
    );
    expect(row.measured).toBe(`ε ≥ ${row.interval![0].toFixed(3)}, where 1.000 is claimed`);
    expect(row.interval![1]).toBe(Number.POSITIVE_INFINITY);
    expect(row.interval![0]).toBeLessThan(1);
  });
  test("of a control are made in rounds, of enough outputs whatever is asked for", async () => {
    const row = await make("double-epsilon");
    expect(row.finding).toMatch(/^loses more than it claims: /);
    expect(row.how).toMatch(/^in round 1 of 5, 6,000 outputs of each neighbour, /);
    expect(row).toMatchObject({ of: "control", subject: "double-epsilon" });
    expect(row.interval![0]).toBeGreaterThan(1);
  });
  test("are made of every mechanism, and of each control that samples show", () => {
    expect(estimateAudit.steps(request).map((step) => step.subject)).toEqual([
      ...coreSubjects.map(({ id }) => id),
      ...knownBad.filter(({ caughtBy }) => caughtBy.includes("estimate")).map(({ id }) => id),
    ]);
  });
});

describe("impossible outputs", () => {
  test("are too many where their mass explains so many with too small a chance", () => {
    const of = (impossible: number, drawn: number, allowed: number, falseAlarm = 0.01) =>
      isTooMany({ impossible, drawn }, allowed, falseAlarm);
    expect([of(0, 10, 0), of(1, 10, 0), of(10, 10, 1)]).toEqual([false, true, false]);
    // All of three at a half: an eighth.
    expect([of(3, 3, 0.5, 0.126), of(3, 3, 0.5, 0.124)]).toEqual([true, false]);
    expect(of(0, 10, 0.5, 1)).toBe(false);
  });
  test("of a subject that cannot tell them are no row", () => {
    const mute = subject<number>({
      id: "mute",
      describes: "",
      claim: pureClaim(ratio(1n)),
      neighbours: [[0, 1]],
      run: () => [],
    });
    expect(() => countOf(mute, request)).toThrow("mute cannot tell");
  });
  test("of a mechanism are told with what δ pays for", async () => {
    const steps = impossibleAudit.steps(request);
    const pure = await steps.find((step) => step.subject === "histogram")!.make();
    expect(pure).toMatchObject({
      of: "lethe",
      finding: null,
      measured: "0 of 60",
      interval: [0, 0],
      ceiling: 0,
    });
    expect(pure.how).not.toContain("paid");
    const paid = await steps.find((step) => step.subject === "keys-truncated-geometric")!.make();
    expect(paid).toMatchObject({ of: "lethe", finding: null });
    // Both ways of three pairs, of which one alone shows a key that the other has not: 1/20 of a sixth.
    expect(paid.ceiling).toBeCloseTo(1 / 20 / 6, 9);
    expect(paid.how).toMatch(/; a share of 0\.00833 is covered by δ$/);
  });
  test("are half of what the control gives, and a finding", async () => {
    const row = await impossibleControl({ seed: 3 }).make();
    expect(row).toMatchObject({
      audit: "impossible",
      subject: naiveLaplace.id,
      of: "control",
      finding: "gives outputs that its neighbour cannot give",
      ceiling: 0,
    });
    expect(row.measured).toMatch(/^[23]\d{3} of 4,000$/);
    expect(row.interval![0]).toBe(row.interval![1]);
    expect(row.interval![0]).toBeGreaterThan(0.5);
    expect(isWrong(row)).toBe(false);
  });
});

describe("the false alarm of a run", () => {
  test("is shared: a hundredth to each end of an attack's interval, and equal parts of the rest", () => {
    const whole = { falseAlarm: 1 };
    expect(attackAlarm(whole)).toBe(0.01);
    const each = 0.7 / (coreSubjects.length + 1);
    expect(estimateAlarm(whole)).toBeCloseTo(each, 14);
    expect(impossibleAlarm(whole)).toBeCloseTo(each / 2 / coreSubjects.length, 14);
    const [right, wrong] = [true, false].map(
      (isRight) => trainings.find(({ source }) => (source === null) === isRight)!,
    );
    expect([runsOf(right!), runsOf(wrong!)]).toEqual([1, 2]);
    expect(trainingAlarm(right!, whole)).toBeCloseTo(each / 2 / trainings.length, 14);
    expect(trainingAlarm(wrong!, whole)).toBeCloseTo(each / 4 / trainings.length, 14);
  });
});

describe("a replay's row", () => {
  const report = { findings: [], runs: 3, calls: 5, moved: 2, event: null };
  test("says how much was replayed, and each thing that was found once", () => {
    expect(replayRow("mine", "user", report)).toEqual({
      audit: "replay",
      subject: "mine",
      of: "user",
      finding: null,
      claim:
        "what leaves is a function of the mechanisms' outputs, and their inputs move no farther than declared",
      measured: "differences: 0",
      interval: null,
      ceiling: 0,
      how: "3 runs with 5 calls, each replayed on itself and its neighbour, where 2 had other inputs",
    });
    const findings = [
      { pair: 0, what: "throws" },
      { pair: 1, what: "throws" },
      { pair: null, what: "costs more" },
    ];
    expect(replayRow("mine", "user", { ...report, findings })).toMatchObject({
      finding: "throws; costs more",
      measured: "differences: 3",
    });
  });
  test("is made of every control that has a program, and of no other", () => {
    const subjects = replayAudit.steps(request).map((step) => step.subject);
    expect(subjects).toEqual(
      knownBad.filter(({ caughtBy }) => caughtBy.includes("replay")).map(({ id }) => id),
    );
    expect(subjects.length).toBeGreaterThan(2);
  });
});

test("canaries are counted in words", () => {
  expect(manyCanaries({ ...trainings[0]!, canaries: 4_000, describes: "two steps" })).toBe(
    "one run with 4,000 canaries (two steps)",
  );
});

describe("the audit by attacks", () => {
  const effort = { trials: 1, controls: 1, questions: 1, alpha: 0.1 };
  test("has a step for each attack, which is told the seed's coins and its progress", async () => {
    const steps = attackAudit.steps({} as never, effort, 5);
    expect(steps.map((step) => step.subject)).toEqual(attacks.map(({ id }) => id));
  });
  test("draws a curve with as many people as the effort has trials", async () => {
    const worlds: number[] = [];
    const service = async (world: { tables: readonly { rows: readonly unknown[] }[] }) => {
      worlds.push(world.tables[0]!.rows.length);
      return { ask: async () => ({ kind: "refused" }), close: async () => undefined };
    };
    const points = await attackAudit.curve(
      { exact: service, lethe: service } as never,
      { ...effort, trials: 65 },
      1,
      [8],
    );
    expect(worlds).toEqual([64, 64, 64]);
    expect(points.map(({ questions }) => questions)).toEqual([8, 8, 8]);
    const { interval, trials, value } = points[2]!.result;
    const due = clopperPearson(Math.round(value * 128), 128, 0.1);
    expect([trials, interval]).toEqual([128, [due.lo, due.hi]]);
  });
});

describe("invented people", () => {
  test("are forty with three rows each, none of which is of a farm", () => {
    const names = people.map(([name]) => name);
    expect(people).toHaveLength(120);
    expect(new Set(names).size).toBe(40);
    for (const name of new Set(names)) expect(names.filter((each) => each === name)).toHaveLength(3);
    expect(new Set(people.map(([, sector]) => sector))).toEqual(new Set(["mill", "port"]));
    const { policy } = worldOf("person", people);
    for (const [, , , age] of people) expect(Number(age) >= 0 && Number(age) <= 100).toBe(true);
    expect(policy).toContain("categories: [mill, port, farm]");
  });
  test("are limited in their rows where they have several, and not where each row is a person", () => {
    expect(worldOf("person", people).policy).toContain(
      "unit: person, max_groups_contributed: 2, max_rows_contributed_per_group: 2,",
    );
    expect(worldOf("row", people).policy).not.toContain("max_");
    expect(worldOf("row", people).tables[0]!.rows).toBe(people);
  });
});
