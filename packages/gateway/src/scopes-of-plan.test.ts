import { parseRational } from "@lethe/core";
import type { ScopeBalance } from "@lethe/ledger";
import { readPolicy } from "@lethe/query";
import { verifyRelease } from "@lethe/verify";
import { expect, it, onTestFinished } from "vitest";
import { answer, answerOrRepeat } from "./answer.ts";
import { runProcedure } from "./procedure/run-procedure.ts";
import { dataSetsOf, scopesOfTables } from "./scopes-of-plan.ts";
import { openHouse, optionsOf, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visitsCsv } from "./testing/visits.ts";
import { answerWorkload } from "./workload/answer-workload.ts";

const budget =
  "{ measure: pure, epsilon: 10, analysts: { ana: 5, bob: 5 }, projects: { churn: { epsilon: 2, analysts: { ana: 1 } } }, datasets: { hospital: { tables: [visits], epsilon: 3 } } }";

async function opened(): Promise<TestHouse> {
  const house = await openHouse(personPolicy(budget), visitsCsv);
  onTestFinished(() => house.close());
  return house;
}

const text = "SELECT COUNT(*) FROM visits";
const question = (requestId: string, epsilon: string, project?: string) => ({
  text,
  principal: "ana",
  requestId,
  options: { ...optionsOf({ epsilon }), ...(project === undefined ? {} : { project }) },
});

const spent = ({ periods }: ScopeBalance): unknown => periods[0]?.spent;
const pure = (epsilon: string): unknown => ({ measure: "pure", epsilon: parseRational(epsilon) });

it("charges the project that is stated, and the data sets that the plan reads", async () => {
  const { house } = await opened();
  const { ledger } = house;
  await answer(question("a", "1/2", "churn"), house);
  await answer(question("b", "1/4"), house);
  expect(spent(await ledger.balance(["project", "churn"], "owner"))).toEqual(pure("1/2"));
  expect(spent(await ledger.balance(["member", "ana", "churn"], "owner"))).toEqual(pure("1/2"));
  expect(spent(await ledger.balance(["dataset", "hospital"], "owner"))).toEqual(pure("3/4"));
  expect(spent(await ledger.balance(["analyst", "ana"], "owner"))).toEqual(pure("3/4"));
});

it("refuses what a project or a data set does not cover, and who may not ask in a project", async () => {
  const { house } = await opened();
  const asked = (requestId: string, epsilon: string, project?: string, principal = "ana") =>
    answer({ ...question(requestId, epsilon, project), principal }, house);
  await expect(asked("a", "5/4", "churn")).rejects.toMatchObject({ code: "ledger.budget" });
  await expect(asked("b", "7/2")).rejects.toMatchObject({ code: "ledger.budget" });
  await expect(asked("c", "1/8", "unheard of")).rejects.toMatchObject({ code: "ledger.principal" });
  await expect(asked("d", "1/8", "churn", "bob")).rejects.toMatchObject({ code: "ledger.principal" });
  expect(spent(await house.ledger.balance(["account"], "owner"))).toEqual(pure("0"));
  await asked("a", "1", "churn");
  // The same id for another project is another question.
  await expect(asked("a", "1")).rejects.toMatchObject({ code: "ledger.request" });
});

it("pays in each project, and shows an answer again in its own", async () => {
  const { house } = await opened();
  const asked = (project?: string) =>
    answerOrRepeat({ ...question("any", "1/4", project), repeats: "earlier" }, house);
  const first = await asked("churn");
  expect((await asked("churn")).release).toEqual(first.release);
  const alone = await asked();
  expect(alone.repeat).toBeNull();
  expect(alone.release.certificate.requestId).not.toBe(first.release.certificate.requestId);
  expect(spent(await house.ledger.balance(["project", "churn"], "owner"))).toEqual(pure("1/4"));
  expect(spent(await house.ledger.balance(["account"], "owner"))).toEqual(pure("1/2"));
});

it("charges workloads and procedures to them too", async () => {
  const { house } = await opened();
  const workload = {
    title: "two counts",
    texts: [text, "SELECT SUM(cost) FROM visits"],
    principal: "ana",
    requestId: "w",
    options: { ...optionsOf({ epsilon: "1/2" }), project: "churn" },
  };
  await answerWorkload(workload, house);
  const event = { kind: "laplace", version: 1, scale: "4", l1: "1" } as const;
  const procedure = { kind: "test", title: "t", plan: { event }, tables: ["visits"], run: async () => ({}) };
  const request = { principal: "ana", requestId: "p", price: { measure: "pure", epsilon: "1/4" } as const };
  await runProcedure(procedure, { ...request, project: "churn" }, house);
  await runProcedure({ ...procedure, tables: [] }, { ...request, requestId: "q" }, house);
  const { ledger } = house;
  expect(spent(await ledger.balance(["project", "churn"], "owner"))).toEqual(pure("3/4"));
  expect(spent(await ledger.balance(["dataset", "hospital"], "owner"))).toEqual(pure("3/4"));
  expect(spent(await ledger.balance(["account"], "owner"))).toEqual(pure("1"));
});

it("finds a data set by any of its tables, once, and leaves no trace of none", () => {
  const policy = readPolicy(personPolicy(budget));
  expect(dataSetsOf(policy, ["visits", "visits", "wards"])).toEqual(["hospital"]);
  expect(scopesOfTables(["wards"], undefined, policy)).toEqual({});
  expect(scopesOfTables(["visits"], "churn", policy)).toEqual({ project: "churn", dataSets: ["hospital"] });
});

async function accountCheck(house: TestHouse, principal: string, budgetText: string): Promise<unknown> {
  const release = await answer({ ...question("seen", "1/4"), principal }, house.house);
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText: personPolicy(budgetText),
    publicKeyPem: house.house.ledger.publicKey,
  });
  expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  const check = checks.find(({ name }) => name === "account");
  return { account: Object.keys(release.certificate.account), outcome: check?.outcome };
}

it.each([
  ["analysts see the cap alone", "ana", budget, ["granted"], "not-made"],
  ["the owner sees all", "owner", budget, null, "passed"],
  [
    "the policy shows the account",
    "ana",
    "{ measure: pure, epsilon: 10, show_account: true }",
    null,
    "passed",
  ],
  [
    "windows alone bound it, for the owner too",
    "owner",
    "{ measure: pure, lifetime: none, windows: [{ per: day, epsilon: 1 }] }",
    ["lifetime", "windows"],
    "not-made",
  ],
])("certifies of the account what may be seen: %s", async (_, principal, stated, keys, outcome) => {
  const house = await openHouse(personPolicy(stated), visitsCsv);
  onTestFinished(() => house.close());
  const whole = ["granted", "spent", "left", "membershipAdvantage", "truePositives", "mu"];
  expect(await accountCheck(house, principal, stated)).toEqual({ account: keys ?? whole, outcome });
});
