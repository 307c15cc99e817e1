import { describe, expect, test } from "vitest";
import { judge } from "./judge.mjs";
import { stormBudget } from "./storm-budget.mjs";

/* The judge of a storm, on small stories: it lets a right one pass, and sees each kind of fault. */

const budget = stormBudget(400);
const day = Date.UTC(2026, 0, 15);
const charge = (sequence, more = {}) => ({
  sequence,
  at: day + sequence,
  principal: "dee",
  project: null,
  requestId: `q-${sequence}`,
  text: `SELECT ${sequence}`,
  loss: { measure: "pure", epsilon: { num: 1n, den: 4n } },
  state: "settled",
  ...more,
});
const call = (id, more = {}) => ({
  principal: "dee",
  project: null,
  text: `SELECT ${id}`,
  key: null,
  price: 1,
  start: 2 * id,
  end: 2 * id + 1,
  outcome: "answered",
  id: `q-${id}`,
  rows: `rows of ${id}`,
  ...more,
});
const obtained = (...ids) => new Map(ids.map((id) => [`q-${id}`, `rows of ${id}`]));
const none = { overspent: [], unpaid: [], lost: [], doubled: [], refused: [] };
const many = (count, more = {}) => Array.from({ length: count }, (_, at) => charge(at + 1, more));
const ids = (count) => Array.from({ length: count }, (_, at) => at + 1);
const found = (charges, calls, got = obtained(...ids(charges.length))) =>
  Object.entries(judge(budget, charges, calls, got))
    .filter(([, lines]) => lines.length > 0)
    .map(([kind]) => kind);

test("a story that keeps every promise", () => {
  expect(
    judge(budget, many(3), [call(1), call(2), call(2, { start: 9, end: 10 })], obtained(1, 2, 3)),
  ).toEqual(none);
});

describe("sees that", () => {
  const { account, analysts, project, dataSet } = budget;
  const late = (count, per) =>
    many(count, { principal: "dee" }).map((each, at) => ({ ...each, at: day + per * at * 86_400_000 }));
  test("a day's window of the account is exceeded, and one that begins anew is not", () => {
    const held = analysts.ben.day;
    expect(found(many(account.day - held), [])).toEqual([]);
    expect(found(many(account.day - held + 1), [])).toEqual(["overspent"]);
    expect(found(late(account.day - held + 1, 1), [])).toEqual([]);
  });
  test("an analyst's, a project's, a member's and a data set's cap is exceeded, over a life or a window", () => {
    const spread = (count, more) => late(count, 1).map((each) => ({ ...each, ...more }));
    const least = (caps, more) => [found(spread(caps, more), []), found(spread(caps + 1, more), [])];
    expect(least(analysts.ann.ever, { principal: "ann" })).toEqual([[], ["overspent"]]);
    expect(least(project.analysts.cyd.ever, { principal: "cyd", project: "work" })).toEqual([
      [],
      ["overspent"],
    ]);
    expect(found(many(project.day, { project: "work" }), [])).toEqual([]);
    expect(found(many(project.day + 1, { project: "work" }), [])).toEqual(["overspent"]);
    expect(found(many(analysts.cyd.day + 1, { principal: "cyd" }), [])).toEqual(["overspent"]);
    expect(dataSet.ever).toBeLessThan(account.ever);
  });
  test("a window that an answer of a later day has ended is exceeded from nothing on", () => {
    const { day: most } = analysts.cyd;
    const charges = many(2 * most, { principal: "cyd" }).map((each, at) => ({
      ...each,
      seen: at < most ? each.at : day + 86_400_000,
    }));
    expect(found(charges, [])).toEqual([]);
    const more = charge(2 * most + 1, { principal: "cyd", seen: day + 86_400_000 });
    expect(found([...charges, more], [])).toEqual(["overspent"]);
  });
  test("a clock that is set back begins no window anew", () => {
    const charges = many(analysts.cyd.day + 1, { principal: "cyd" }).map((each, at) => ({
      ...each,
      at: day - at * 86_400_000,
    }));
    expect(found(charges, [])).toEqual(["overspent"]);
  });
  test("an answer is not paid: by nobody, by another, for another question, or not to its end", () => {
    for (const charges of [
      [],
      many(1, { principal: "ann" }),
      many(1, { text: "SELECT 9" }),
      many(1, { project: "work" }),
    ])
      expect(found(charges, [call(1)])).toEqual(["unpaid"]);
    expect(found(many(1, { state: "reserved" }), [call(1)], new Map())).toEqual(["unpaid"]);
    expect(found(many(1), [call(1, { price: 2 })])).toEqual(["unpaid"]);
  });
  test("an answer is lost, or is another one afterwards", () => {
    expect(found(many(2), [call(1)], obtained(1))).toEqual(["lost"]);
    expect(found(many(1), [call(1, { rows: "others" })])).toEqual(["lost"]);
    expect(found(many(1), [call(1), call(1, { rows: "others", start: 8, end: 9 })])).toContain("lost");
  });
  test("a question or an id is charged twice, and a key of its own is no double", () => {
    expect(found([charge(1), charge(2, { requestId: "q-1" })], [])).toEqual(["doubled"]);
    expect(found([charge(1), charge(2, { text: "SELECT 1" })], [])).toEqual(["doubled"]);
    expect(
      found(
        [charge(1), charge(2, { text: "SELECT 1", requestId: "key-1" })],
        [],
        new Map([...obtained(1), ["key-1", ""]]),
      ),
    ).toEqual([]);
  });
  test("a refusal had room, unless a charge at the same time may stand before it", () => {
    const full = many(account.day - analysts.ben.day);
    const answers = full.map(({ sequence }) => call(sequence));
    const after = 10 * full.length;
    const refused = (more) => call(0, { text: "SELECT refused", outcome: "refused", ...more });
    expect(found(full, [...answers, refused({ start: after, end: after + 1 })])).toEqual([]);
    expect(found(full, [...answers, refused({ start: 0, end: 0.5 })])).toEqual(["refused"]);
    // The last charge was asked before the refusal came and answered after it: it may have come first.
    const last = answers.at(-1);
    const overlapping = [
      ...answers.slice(0, -1),
      { ...last, end: after },
      refused({ start: last.start + 0.2, end: last.start + 0.4 }),
    ];
    expect(found(full, overlapping)).toEqual([]);
    const apart = [
      ...answers.slice(0, -1),
      { ...last, start: last.start + 0.6, end: after },
      refused({ start: last.start + 0.2, end: last.start + 0.4 }),
    ];
    expect(found(full, apart)).toEqual(["refused"]);
  });
});
