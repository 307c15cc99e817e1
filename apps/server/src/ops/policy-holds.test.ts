import { LetheError } from "@lethe/core";
import { expect, test } from "vitest";
import { policyHolds } from "./policy-holds.ts";

test("a service is not ready while its policy is not the ledger's, and the ledger is looked at once a second", async () => {
  let [now, looks, isChanged] = [0, 0, false];
  const ledger = {
    requirePolicy: async () => {
      looks += 1;
      if (isChanged) throw new LetheError("policy.changed", "the policy is another one", { fix: "apply it" });
    },
  };
  const holds = policyHolds(ledger, () => now);
  expect(await holds()).toBe(true);
  isChanged = true;
  now = 999;
  expect([await holds(), looks]).toEqual([true, 1]);
  now = 1000;
  expect([await holds(), await holds(), looks]).toEqual([false, false, 2]);
  isChanged = false;
  now = 2000;
  expect([await holds(), looks]).toEqual([true, 3]);
});
