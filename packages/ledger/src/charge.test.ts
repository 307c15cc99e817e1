import { describe, expect, it } from "vitest";
import { isCharge, issueCharge, requireIssued } from "./charge.ts";
import { pureLoss } from "./testing/temporary-ledger.ts";

describe("a charge", () => {
  const content = { requestId: "a", principal: "ana", loss: pureLoss("1/4"), sequence: 1, hash: "00" };

  it("is one only if it was issued: a copy pays for nothing", () => {
    const issuer = {};
    const charge = issueCharge(issuer, content);
    expect(isCharge(charge)).toBe(true);
    for (const other of [{ ...charge }, content, null, undefined, "a"]) expect(isCharge(other)).toBe(false);
    expect(Object.isFrozen(charge)).toBe(true);
    requireIssued(issuer, charge);
    expect(() => requireIssued({}, charge)).toThrow(/not issued by this ledger/);
    expect(() => requireIssued(issuer, { ...charge })).toThrow(/not issued by this ledger/);
  });
});
