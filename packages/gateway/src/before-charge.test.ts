import { type Policy, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { PlannedRequest } from "./answer-planned.ts";
import { tellBeforeCharge } from "./before-charge.ts";
import type { DrawingHouse } from "./house.ts";
import { planResolved, readQuestion } from "./resolved-question.ts";
import { optionsOf } from "./testing/open-house.ts";

/** A policy that expects so many rows: an interval wider than that says nothing. */
const policyOf = (rows: number): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: visit, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-3 }
tables:
  visits:
    file: visits.csv
    unit: row
    expected_rows: ${rows}
    columns:
      city: { type: text }
      ward: { type: text, categories: [north, south], default: south }
`);

interface Told {
  readonly epsilon?: string;
  readonly rows?: number;
  readonly accept?: boolean;
  readonly target?: object;
  readonly silent?: boolean;
}

/** Returns what is said before the charge for a question. */
async function told(text: string, asked: Told = {}): Promise<readonly string[]> {
  const { epsilon = "1", rows = 1000, accept, target = null, silent = false } = asked;
  const policy = policyOf(rows);
  const options = {
    ...optionsOf({ epsilon: text.includes("epsilon") ? null : epsilon, delta: "1e-6" }),
    ...(accept === undefined ? {} : { acceptUninformative: accept }),
  };
  const resolved = await readQuestion(text, options, policy);
  const { plan } = planResolved(resolved);
  const question = { text, principal: "owner", requestId: "r", options };
  const request = { question, resolved, plan, target, requestHash: "" } as unknown as PlannedRequest;
  const heard: string[] = [];
  const house = {
    policy,
    ...(silent ? {} : { notice: (words: string) => void heard.push(words) }),
  } as unknown as DrawingHouse;
  tellBeforeCharge(request, house);
  return heard;
}

const count = "SELECT COUNT(*) FROM visits";
const byCity = "SELECT city, COUNT(*) FROM visits GROUP BY city";
const refusal = {
  code: "query.uninformative",
  message: expect.stringContaining("every interval would be as wide as the range of possible answers"),
  fix: expect.stringMatching(
    /^pay more epsilon: .*; to pay all the same: --yes, acceptUninformative: true, or OPTIONS \(accept_uninformative = true\)$/,
  ),
};
/** Laplace noise of scale 1,000 about at most ten rows. */
const hopeless = { epsilon: "1/1000", rows: 10 };

describe("before a charge", () => {
  it("the asker hears that groups are chosen by chance, where they are", async () => {
    expect(await told(byCity)).toEqual([
      expect.stringMatching(/^city is a key that the policy does not list, so a group is released by chance/),
    ]);
    expect(await told("SELECT ward, COUNT(*) FROM visits GROUP BY ward")).toEqual([]);
    expect(await told(count)).toEqual([]);
    expect(await told(byCity, { silent: true })).toEqual([]);
  });

  it("an answer that would say next to nothing is refused", async () => {
    await expect(told(count, hopeless)).rejects.toMatchObject(refusal);
    await expect(told(count, { ...hopeless, accept: false })).rejects.toMatchObject(refusal);
  });

  it("such an answer is sold to those who accept it, beside the text or in it", async () => {
    expect(await told(count, { ...hopeless, accept: true })).toEqual([]);
    const inText =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 0.001, accept_uninformative = true) COUNT(*) FROM visits";
    expect(await told(inText, hopeless)).toEqual([]);
    const chosen = await told(byCity, { ...hopeless, accept: true });
    expect(chosen).toHaveLength(1);
  });

  it("nothing is told, and nothing refused, where a target error was stated", async () => {
    expect(await told(count, { ...hopeless, target: { halfWidth: 5 } })).toEqual([]);
    expect(await told(byCity, { target: { halfWidth: 5 } })).toEqual([]);
  });
});
