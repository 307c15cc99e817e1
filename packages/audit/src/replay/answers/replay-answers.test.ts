import { LetheError, parseRational } from "@lethe/core";
import { type ExactGroup, seal } from "@lethe/core/mechanisms";
import type { Question } from "@lethe/gateway";
import type { AlikeLedgers } from "@lethe/ledger";
import { type Engine, readPolicy } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clock, newLedgers } from "../../../../../testing/src/replay/new-ledgers.ts";
import { badGateways } from "../../known-bad/bad-gateways.ts";
import { type AnswersReport, replayAnswers } from "./replay-answers.ts";
import type { Gateway, ReplayedHouse } from "./run-script.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-3 }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      town: { type: text, categories: [ur, uruk] }
      street: { type: text }
`);

let ledgers: AlikeLedgers;
beforeAll(async () => {
  ledgers = await newLedgers(policy);
});
afterAll(() => ledgers.remove());

/** A database that answers every statement with these groups. */
function houseOf(groups: readonly ExactGroup[], run?: Engine["run"]): ReplayedHouse {
  return {
    policy,
    clock,
    openLedger: () => ledgers.open(),
    engine: {
      dialect: "duckdb",
      storage: async (table) => ({ relation: [table], layout: "raw" }),
      run: run ?? (async () => seal({ groups })),
      rows: () => Promise.reject(new Error("no rows are read here")),
      published: () => Promise.reject(new Error("no public rows are read here")),
      close: async () => undefined,
    },
  };
}

const group = (name: string, rows: bigint): ExactGroup => ({ key: [name], units: rows, sums: [rows] });
const byTown = "SELECT town, COUNT(*) FROM people GROUP BY town";
const byStreet = "SELECT street, COUNT(*) FROM people GROUP BY street";

function questionOf(text: string, requestId = "r"): Question {
  const options = {
    epsilon: parseRational("1"),
    delta: text === byStreet ? parseRational("1e-4") : null,
    confidence: 0.95,
  };
  return { text, principal: "owner", requestId, options };
}

function replayed(
  text: string,
  sides: readonly (readonly ExactGroup[])[],
  gateway?: Gateway,
): Promise<AnswersReport> {
  const [first, ...others] = sides.map((groups) => houseOf(groups));
  return replayAnswers([questionOf(text)], [first!, ...others], gateway ? { gateway } : {});
}

const pair = [[group("ur", 3n)], [group("ur", 3n), group("uruk", 1n)]];

describe("the gateway", () => {
  test("lets nothing leave beside the noise, whatever the engine's order", async () => {
    const turned = [...pair[1]!].reverse();
    const report = await replayed(byTown, [pair[0]!, pair[1]!, turned]);
    expect(report).toMatchObject({ findings: [], ended: ["answered"], rows: 3, moved: true });
    // A draw for each town and for NULL.
    expect(report.draws).toBe(3);
  });

  test("on data that answer alike, shows nothing of how far an answer moves", async () => {
    expect(await replayed(byTown, [pair[0]!, pair[0]!])).toMatchObject({ findings: [], moved: false });
  });

  test("of groups that only one neighbour has none is kept, and the others are", async () => {
    const [few, more] = [[group("a", 4n), group("b", 1n)], [group("a", 4n)]];
    for (const sides of [
      [few, more],
      [more, few],
    ]) {
      const { findings, rows } = await replayed(byStreet, sides);
      expect(findings).toEqual([]);
      expect(rows).toBeLessThanOrEqual(1);
    }
  });

  test("answers asked for again and refusals are compared too", async () => {
    const questions = [
      questionOf(byTown),
      questionOf(byTown),
      questionOf(byStreet),
      questionOf("SELECT 1", "s"),
    ];
    const { findings, ended } = await replayAnswers(questions, [houseOf(pair[0]!), houseOf(pair[1]!)]);
    expect(findings).toEqual([]);
    expect(ended).toEqual(["answered", "answered", "ledger.request", expect.stringMatching(/^query\./)]);
  });
});

describe("a database", () => {
  test("whose rows move farther than is paid for", async () => {
    const { findings } = await replayed(byTown, [[group("ur", 3n)], [group("ur", 5n)]]);
    expect(findings).toContainEqual(expect.stringMatching(/^neighbour 1: .*ℓ1 2 > 1/));
    expect(findings).toContainEqual(
      expect.stringMatching(/^neighbour 1: measurement 0 is given inputs ℓ1 2/),
    );
  });

  test("with more groups of a unit than selection is charged for", async () => {
    const more = [group("a", 3n), group("b", 1n), group("c", 1n)];
    const { findings } = await replayed(byStreet, [[group("a", 3n)], more]);
    expect(findings).toContainEqual(expect.stringMatching(/2 groups change, 1 were charged/));
  });

  test("is named among several, and what several show is told of each", async () => {
    const sides = [[group("ur", 3n)], [group("ur", 4n)], [group("ur", 5n)], [group("ur", 1n)]];
    const { findings } = await replayed(byTown, sides);
    expect(new Set(findings.map((what) => what.slice(0, "neighbour 1".length)))).toEqual(
      new Set(["neighbour 2", "neighbour 3"]),
    );
    expect(new Set(findings).size).toBe(findings.length);
  });

  test("whose rows move in two groups, by each distance", async () => {
    const { findings } = await replayed(byTown, [[group("ur", 3n)], [group("ur", 4n), group("uruk", 1n)]]);
    expect(findings).toContain("neighbour 1: measurement 0 is given inputs ℓ1 2 apart, 1 are paid for");
    expect(findings).toContain("neighbour 1: measurement 0 is given inputs ℓ2² 2 apart, 1 are paid for");
  });

  test("that fails on one, and on both", async () => {
    const failing = houseOf([], () => {
      throw new LetheError("engine.failed", "no", { fix: "no" });
    });
    const one = await replayAnswers([questionOf(byTown)], [houseOf(pair[0]!), failing]);
    expect(one.findings).toContain("neighbour 1: one is answered, and the other refused");
    const both = await replayAnswers([questionOf(byTown)], [failing, failing]);
    expect(both.findings).toContain("the first database could not answer");
  });

  test("that answers otherwise each time", async () => {
    let calls = 0n;
    const restless = houseOf([], async () => {
      calls += 1n;
      return seal({ groups: [group("ur", calls)] });
    });
    const { findings } = await replayAnswers([questionOf(byTown)], [restless]);
    expect(findings).toEqual(["not a function of its data and draws: the same rows gave other numbers"]);
    const unasked = await replayAnswers([questionOf(byTown)], [restless], { itself: false });
    expect(unasked).toMatchObject({ findings: [], moved: false });
  });
});

describe("a gateway with a fault", () => {
  test.each(badGateways)("$id: $fault", async ({ finds, gateway }) => {
    const { findings } = await replayed(byTown, pair, gateway);
    expect(findings).toContainEqual(expect.stringMatching(finds));
    expect(findings.every((what) => /^neighbour 1: |no certified plan/.test(what))).toBe(true);
  });
});
