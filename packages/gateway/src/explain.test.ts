import { afterAll, beforeAll, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { explain } from "./resolved-question.ts";
import { openHouse, optionsOf, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visitsCsv } from "./testing/visits.ts";

const policyText = personPolicy("{ measure: approximate, epsilon: 10, delta: 1e-5 }");
const question = "SELECT city, COUNT(*) AS n, AVG(cost) FROM visits GROUP BY city";

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse(policyText, visitsCsv);
});
afterAll(() => house.close());

/** A house in which nothing may be touched. */
const untouchable = (): never => {
  throw new Error("was touched");
};

it("EXPLAIN PRIVACY is explained as the question is, from the policy alone", async () => {
  const options = optionsOf({});
  const { policy } = house.house;
  const plain = await explain(question, options, policy);
  const stated = await explain(`EXPLAIN PRIVACY ${question}`, options, policy);
  expect({ ...stated, text: question }).toEqual(plain);
});

it("and never answered: no charge, no row", async () => {
  const text = `EXPLAIN PRIVACY ${question}`;
  const before = await house.report();
  const engine = { dialect: "duckdb", storage: untouchable, run: untouchable, close: untouchable };
  await expect(
    answer(
      { text, principal: "owner", requestId: "never", options: optionsOf({}) },
      { ...house.house, engine: engine as never },
    ),
  ).rejects.toMatchObject({ code: "query.unsupported", fix: expect.stringContaining("call explain") });
  expect(await house.report()).toEqual(before);
  expect(before.charges).toEqual([]);
});

it("states the price under every measure that has a proof of the noise", async () => {
  const { policy } = house.house;
  const { prices, price } = await explain(
    "SELECT COUNT(*) FROM visits",
    optionsOf({ epsilon: "1/2" }),
    policy,
  );
  expect(prices).toEqual([
    { measure: "pure", delta: null, price: { measure: "pure", epsilon: "1/2" } },
    {
      measure: "approximate",
      delta: "1/100000",
      price: { measure: "approximate", epsilon: "1/2", delta: "0" },
    },
    { measure: "zcdp", delta: null, price: { measure: "zcdp", rho: expect.any(String), delta: "0" } },
  ]);
  expect(price).toEqual(prices[1]!.price);
  const gaussian = await explain(
    "SELECT COUNT(*) FROM visits",
    optionsOf({ mechanism: "gaussian", delta: "1e-7" }),
    policy,
  );
  const [pure, approximate, zcdp] = gaussian.prices;
  expect(pure!.price).toBeNull();
  // At the account's δ, a hundred times the question's, the same noise has a smaller ε.
  const epsilon = (approximate!.price as { epsilon: string }).epsilon.split("/").map(Number);
  expect(epsilon[0]! / epsilon[1]!).toBeLessThan(0.95);
  expect(zcdp!.price).not.toBeNull();
});

it("says at each node what a unit changes and what is paid", async () => {
  const { tree } = await explain(question, optionsOf({}), house.house.policy);
  const path = [tree];
  while (path.at(-1)!.children.length > 0) path.push(path.at(-1)!.children[0]!);
  expect(path.map(({ label, stability }) => [label, stability])).toEqual([
    ["answer", null],
    ["group", null],
    ["measure", null],
    ["limit contributions", { rows: 12, groups: 3 }],
    ["read visits", { rows: null, groups: null }],
  ]);
  expect(path.map(({ costs }) => costs?.measure ?? null)).toEqual([
    "approximate",
    "approximate",
    "approximate",
    null,
    null,
  ]);
  expect(tree.answers.map(({ name }) => name)).toEqual(["n", "avg"]);
  expect(path[2]!.measured.map(({ name }) => name)).toEqual([
    "SUM(cost − lowest), SUM(highest − cost) and rows without cost, together",
  ]);
});

it("says what would make it cheaper", async () => {
  const { alternatives, price } = await explain(question, optionsOf({}), house.house.policy);
  expect(alternatives.length).toBeGreaterThan(0);
  for (const alternative of alternatives) {
    expect(alternative.price.measure).toBe(price.measure);
    expect(alternative.saved).toBeGreaterThan(0);
    expect(alternative.how).not.toBe("");
  }
  expect((await house.report()).charges).toEqual([]);
});
