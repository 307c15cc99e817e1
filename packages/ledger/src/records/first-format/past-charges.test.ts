import { lossToJson, parseRational, type Rational } from "@lethe/core";
import { expect, it } from "vitest";
import { pureLoss } from "../../testing/temporary-ledger.ts";
import type { Entry } from "./entry.ts";
import { noCharges, rememberCharge, renamed } from "./past-charges.ts";

const chargesOf = (all: Readonly<Record<string, string>>): Map<string, Rational> =>
  new Map(Object.entries(all).map(([name, spent]) => [name, parseRational(spent)]));
const reserve = (principal: string, epsilon: string): Entry => ({
  kind: "reserve",
  payload: {
    requestId: "a",
    requestHash: "0".repeat(64),
    principal,
    loss: lossToJson(pureLoss(epsilon)),
    event: { kind: "constant", version: 1 },
    text: "",
  },
});
const apply = (...names: readonly (readonly [string, string])[]): Entry =>
  ({ kind: "apply", payload: { renamed: names.map(([from, to]) => ({ from, to })) } }) as unknown as Entry;

it("each principal's charges are added up, and nothing else counts", () => {
  const past = chargesOf({});
  rememberCharge(past, reserve("ana", "1/2"));
  rememberCharge(past, reserve("bob", "1/8"));
  rememberCharge(past, reserve("ana", "1/3"));
  rememberCharge(past, { kind: "fail", payload: { requestId: "a" } });
  rememberCharge(past, { kind: "settle", payload: { requestId: "a", sha256: "0".repeat(64) } });
  expect(past).toEqual(chargesOf({ ana: "5/6", bob: "1/8" }));
  expect(noCharges.size).toBe(0);
});

it("charges go with a new name: two may exchange names, and what the new name had is kept and added", () => {
  const past = chargesOf({ ana: "1/2", bob: "1/8", eve: "1/4" });
  expect(renamed(past, [])).toEqual(past);
  expect(
    renamed(past, [
      { from: "ana", to: "bob" },
      { from: "bob", to: "ana" },
    ]),
  ).toEqual(chargesOf({ ana: "1/8", bob: "1/2", eve: "1/4" }));
  expect(renamed(past, [{ from: "ana", to: "eve" }])).toEqual(chargesOf({ bob: "1/8", eve: "3/4" }));
  expect(renamed(past, [{ from: "nobody", to: "new" }])).toEqual(
    chargesOf({ ana: "1/2", bob: "1/8", eve: "1/4", new: "0" }),
  );
  // Those that are handed in stay as they are.
  expect(past).toEqual(chargesOf({ ana: "1/2", bob: "1/8", eve: "1/4" }));
});

it("a budget that is applied renames in the history itself", () => {
  const past = chargesOf({ ana: "1/2", bob: "1/8" });
  rememberCharge(past, apply(["ana", "adele"]));
  expect(past).toEqual(chargesOf({ adele: "1/2", bob: "1/8" }));
  rememberCharge(past, apply());
  expect(past).toEqual(chargesOf({ adele: "1/2", bob: "1/8" }));
});
