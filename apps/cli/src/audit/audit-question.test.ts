import { mkdirSync, writeFileSync } from "node:fs";
import type { AnswersReport, Gateway, ReplayedHouse } from "@lethe/audit";
import { LetheError, parseRational } from "@lethe/core";
import type { Question } from "@lethe/gateway";
import type { Engine } from "@lethe/query";
import { beforeEach, expect, it, vi } from "vitest";
import { inFolder } from "../testing/command-line.ts";
import { auditQuestion } from "./audit-question.ts";

type Replay = (
  questions: readonly Question[],
  sides: readonly ReplayedHouse[],
  options: { readonly seed: number; readonly gateway: Gateway },
) => Promise<AnswersReport>;
const replayAnswers = vi.hoisted(() => vi.fn<Replay>());
const answerDrawing = vi.hoisted(() => vi.fn<() => Promise<object>>());
const openEngine = vi.hoisted(() => vi.fn<(place: { readonly base: string }) => Promise<Engine>>());
const remove = vi.hoisted(() => vi.fn());

vi.mock("@lethe/audit", async (original) => ({ ...(await original<object>()), replayAnswers }));
vi.mock("@lethe/gateway", async (original) => ({ ...(await original<object>()), answerDrawing }));
vi.mock("../open.ts", async (original) => ({ ...(await original<object>()), openEngine }));
vi.mock("./audited-ledgers.ts", () => ({
  clock: () => 0,
  auditedLedgers: () => Promise.resolve({ open: () => Promise.resolve("ledger"), remove }),
}));

const closed: string[] = [];
const unmoved: AnswersReport = { findings: [], ended: [], draws: 3, rows: 1, moved: false };
const measurement = { name: "COUNT(*)", l1: "1" };
const released = {
  certificate: { plan: { measurements: [measurement], trees: [{ name: "the median", l1: "8" }] } },
};
/** The engine that lies in a folder of this name. */
const engineOf = (base: string): Engine =>
  ({
    dialect: base.endsWith("other") ? "other" : "own",
    close: () => Promise.resolve(void closed.push(base)),
  }) as Engine;

beforeEach(() => {
  vi.resetAllMocks();
  closed.length = 0;
  openEngine.mockImplementation(({ base }) => Promise.resolve(engineOf(base)));
  answerDrawing.mockResolvedValue(released);
  replayAnswers.mockImplementation(async ([question], [house], { gateway }) => {
    await gateway(question!, house as never).catch(() => null);
    return unmoved;
  });
});

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people: { file: people.csv, unit: row, columns: { wage: { type: number, bounds: [0, 9] } } }
budget: { measure: pure, epsilon: 0.5 }
`;
const count = "SELECT COUNT(*) FROM people";
const flags = { policy: "lethe.yaml", neighbour: "other/lethe.yaml", seed: "5", param: [] };
function audited(more: object = {}, sql = count, text = policy): ReturnType<typeof auditQuestion> {
  return inFolder({ "lethe.yaml": text }, async () => {
    mkdirSync("other");
    writeFileSync("other/lethe.yaml", text);
    return auditQuestion({ ...flags, ...more }, sql);
  });
}
const epsilonOf = async (more: object, sql?: string, text?: string): Promise<unknown> => {
  await audited(more, sql, text);
  return replayAnswers.mock.calls.at(-1)![0][0]!.options.epsilon;
};

it("a question is asked from each database to the other, each time with draws of its own, and nothing stays open", async () => {
  await audited();
  const sides = replayAnswers.mock.calls.map(([, houses]) => houses.map(({ engine }) => engine.dialect));
  expect(sides).toEqual([
    ["own", "other"],
    ["other", "own"],
  ]);
  expect(replayAnswers.mock.calls.map(([, , { seed }]) => seed)).toEqual([5, 6]);
  const [[question]] = replayAnswers.mock.calls[0]!;
  expect(question).toMatchObject({ text: count, principal: "owner", requestId: "audited" });
  expect(closed).toHaveLength(2);
  expect(remove).toHaveBeenCalledTimes(1);
});

it("its price is the one that is said, else the text's, else the policy's, else 1 or the whole budget", async () => {
  const half = parseRational("1/2");
  expect(await epsilonOf({ epsilon: "0.25" })).toEqual(parseRational("1/4"));
  expect(await epsilonOf({})).toEqual(half);
  expect(await epsilonOf({}, count, policy.replace("0.5", "9"))).toEqual(parseRational("1"));
  const stated = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.125) COUNT(*) FROM people";
  expect(await epsilonOf({}, stated)).toBeNull();
  expect(await epsilonOf({}, count, `${policy}defaults: { epsilon: 0.1 }\n`)).toBeNull();
  await audited({ delta: "1e-9", param: ["1=4"] }, `${count} WHERE wage > $1`);
  expect(replayAnswers.mock.calls.at(-1)![0][0]!.options).toMatchObject({
    delta: parseRational("1e-9"),
    parameters: [4],
  });
});

it("the row says what was claimed and drawn, and whether any number differs at all", async () => {
  expect(await audited()).toEqual({
    audit: "answers",
    subject: "the question",
    of: "user",
    finding: null,
    claim:
      "what leaves is a function of the mechanisms' outputs; COUNT(*): ℓ1 ≤ 1 in steps of its grid; the median: ℓ1 ≤ 8 in steps of its grid",
    measured: "differences: 0; no exact number differs between the two",
    interval: null,
    ceiling: 0,
    how: "asked from text to certificate and ledger on both databases, each way, with 6 draws frozen",
  });
  replayAnswers.mockResolvedValueOnce({ ...unmoved, moved: true, findings: ["a", "b"] });
  replayAnswers.mockResolvedValueOnce({ ...unmoved, findings: ["b"], draws: 4 });
  expect(await audited()).toMatchObject({
    finding: "a; b",
    claim: "what leaves is a function of the mechanisms' outputs",
    measured: "differences: 2",
    how: expect.stringContaining("with 7 draws frozen"),
  });
});

it("a refusal ends it, unless it was a difference; that of a budget says what an audit may spend", async () => {
  const refusal = new LetheError("query.type", "it is a text", { fix: "cast it" });
  answerDrawing.mockRejectedValue(refusal);
  await expect(audited()).rejects.toBe(refusal);
  expect(replayAnswers).toHaveBeenCalledTimes(1);
  expect(closed).toHaveLength(2);
  expect(remove).toHaveBeenCalledTimes(1);

  replayAnswers.mockImplementation(async ([question], [house], { gateway }) => {
    await gateway(question!, house as never).catch(() => null);
    return { ...unmoved, findings: ["one is refused"] };
  });
  expect(await audited()).toMatchObject({ finding: "one is refused" });

  replayAnswers.mockImplementation(async ([question], [house], { gateway }) => {
    await gateway(question!, house as never).catch(() => null);
    return unmoved;
  });
  const dear = new LetheError("ledger.budget", "too dear", { fix: "grant more", fields: { epsilon: "9" } });
  answerDrawing.mockRejectedValue(dear);
  await expect(audited()).rejects.toMatchObject({
    code: "ledger.budget",
    message: "too dear",
    fix: expect.stringContaining("name a lower price with --epsilon"),
    fields: { epsilon: "9" },
  });
});

it("a question without a neighbour, and a seed that is none, are refused before anything is opened", async () => {
  await expect(audited({ neighbour: undefined })).rejects.toMatchObject({
    code: "cli.usage",
    message: "a question is audited on two databases",
  });
  await expect(audited({ seed: "0" })).rejects.toMatchObject({ code: "parameter.invalid" });
  await expect(audited({ neighbour: "lethe.yaml" })).rejects.toMatchObject({ code: "cli.usage" });
  expect(openEngine).not.toHaveBeenCalled();
});

it("what was opened is closed where the neighbour cannot be", async () => {
  const gone = new LetheError("engine.source", "gone", { fix: "x" });
  openEngine.mockImplementation(({ base }) =>
    base.endsWith("other") ? Promise.reject(gone) : Promise.resolve(engineOf(base)),
  );
  await expect(audited()).rejects.toBe(gone);
  expect(closed).toHaveLength(1);
  expect(remove).toHaveBeenCalledTimes(1);
});
