import { describe, expect, it } from "vitest";
import { seededRandom } from "../crash/seeded-random.mjs";
import { accountLaw } from "./account-law.mjs";
import { linearization } from "./linearization.mjs";

const account = { cap: "1/1", shares: {}, failureCap: 2 };
const begin = accountLaw.begin(account);
const check = (history) => linearization(history, accountLaw, begin);

const ask = (id, cost) => ({ op: "reserve", id, principal: "owner", question: id, costs: [cost] });
const charged = (cost, sequence, resumed = false) => ({ cost, sequence, resumed });
const refused = { refused: "ledger.budget" };

describe("linearization", () => {
  const a = { call: ask("a", "1/1"), told: charged("1/1", 1) };
  const b = { call: ask("b", "1/1"), told: refused };
  const cases = [
    ["in order", [a, 0, 1], [b, 2, 3], true],
    ["refused before anything was spent", [a, 2, 3], [b, 0, 1], false],
    ["refused while the budget was being spent", [a, 0, 3], [b, 1, 2], true],
    ["begun first, decided last", [a, 2, 4], [b, 0, 3], true],
    ["both got the last of it", [a, 0, 3], [{ ...b, told: charged("1/1", 2) }, 1, 2], false],
    ["both got the same place", [a, 0, 3], [{ ...b, told: charged("1/1", 1) }, 1, 2], false],
    ["both were refused", [{ ...a, told: refused }, 0, 3], [b, 1, 2], false],
    ["refused because of a call that never came back", [{ ...a, told: null }, 0, null], [b, 1, 2], true],
    ["refused before the call that never came back", [{ ...a, told: null }, 3, null], [b, 1, 2], false],
    [
      "granted although a call never came back",
      [{ ...a, told: null }, 0, null],
      [{ ...b, told: charged("1/1", 1) }, 1, 2],
      true,
    ],
  ];
  it.each(cases)("%s", (_, first, second, holds) => {
    const history = [first, second].map(([operation, from, to]) => ({ ...operation, begin: from, end: to }));
    expect(check(history).holds).toBe(holds);
  });

  it("says what could not follow", () => {
    const history = [
      { ...a, begin: 0, end: 1 },
      { ...b, told: charged("1/1", 2), begin: 2, end: 3 },
    ];
    expect(check(history).stuck).toEqual({
      after: 1,
      of: 2,
      next: [{ call: b.call, told: charged("1/1", 2), lawful: refused }],
    });
  });

  it("gives no answer rather than a guess", () => {
    const history = [{ ...a, begin: 0, end: 1 }];
    expect(() => linearization(history, accountLaw, begin, { most: 0 })).toThrow("undecided");
  });

  it("finds an order exactly when trying every order finds one", () => {
    const random = seededRandom(11);
    const outcomes = { true: 0, false: 0 };
    for (let round = 0; round < 600; round += 1) {
      const history = randomHistory(random);
      const expected = anyOrder(history);
      const found = check(history);
      expect(found.holds).toBe(expected);
      if (found.holds) expect(lawfulInOrder(found.order.map((place) => history[place]))).toBe(true);
      outcomes[expected] += 1;
    }
    expect(Math.min(outcomes.true, outcomes.false)).toBeGreaterThan(150);
  });
});

const calls = [
  ask("a", "1/2"),
  ask("a", "1/2"),
  ask("b", "3/5"),
  ask("c", "2/5"),
  { op: "settle", id: "a", principal: "owner", release: "r" },
  { op: "settle", id: "a", principal: "owner", release: "s" },
  { op: "fail", id: "a", principal: "owner" },
  { op: "account" },
  { op: "settled", id: "a", principal: "owner" },
  { op: "grant", amount: "1/2" },
];

/** Five calls, told as in some order of which some are then disturbed: an answer of another, or a call moved in time. */
function randomHistory(random) {
  const pick = (items) => items[Math.floor(random() * items.length)];
  let state = accountLaw.answer(begin, calls[0]).after;
  const history = [{ call: calls[0], told: charged("1/2", 1), begin: 0, end: 1 }];
  for (let moment = 10; moment < 50; moment += 10) {
    const call = pick(calls);
    const { after, told } = accountLaw.answer(state, call);
    state = after;
    const from = Math.max(1.5, moment - 25 * random());
    history.push(
      random() < 0.15
        ? { call, told: null, begin: from, end: null }
        : { call, told, begin: from, end: moment + 25 * random() },
    );
  }
  if (random() < 0.7) {
    const [one, other] = [pick(history.slice(1)), pick(history.slice(1))];
    if (one.told && other.told) [one.told, other.told] = [other.told, one.told];
  }
  return history;
}

function anyOrder(history, order = []) {
  const left = history.filter((operation) => !order.includes(operation));
  if (left.every(({ told }) => told === null) && lawfulInOrder(order)) return true;
  return left
    .filter(({ begin: from }) => left.every(({ told, end }) => told === null || end >= from))
    .some((operation) => anyOrder(history, [...order, operation]));
}

function lawfulInOrder(order) {
  let state = begin;
  return order.every(({ call, told }) => {
    const lawful = accountLaw.answer(state, call);
    state = lawful.after;
    return told === null || JSON.stringify(sorted(told)) === JSON.stringify(sorted(lawful.told));
  });
}

function sorted(told) {
  return Object.entries(told).sort(([a], [b]) => (a < b ? -1 : 1));
}
