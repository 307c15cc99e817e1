import { describe, expect, it } from "vitest";
import type { Balance } from "../account/balance.ts";
import { balanceText } from "../account/balance.ts";
import { statedBudget } from "../account/stated-budget.ts";
import type { ReserveRequest } from "../ledger.ts";
import { advance, untouched } from "../records/advance.ts";
import type { Entry, GenesisPayload } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import type { Snapshot, StoredRecord } from "../stores/store.ts";
import { pureBudget, pureLoss, request } from "../testing/temporary-ledger.ts";
import { requireFollowed } from "./follow.ts";
import { decideReserve } from "./reserve.ts";
import { decideFail, decideSettle } from "./settle.ts";

const { cap, analysts } = statedBudget(pureBudget("1", { ana: "1/2" }));
const terms: GenesisPayload = {
  version: 1,
  measure: "pure",
  cap,
  analysts,
  failureCap: 2,
  policyHash: "ab",
  publicKey: "key",
  source: "people",
};
const genesis: Entry = { kind: "genesis", payload: terms };

/** A snapshot of an account with this balance, of a request with these records. */
function snapshotOf(changed: Partial<Balance> = {}, of: readonly StoredRecord[] = []): Snapshot {
  const balance = { ...advance(null, genesis, untouched), ...changed };
  const { record } = sealAfter(null, 1, genesis, balance);
  return { head: record, balance: balanceText(balance), request: of, release: null };
}
const nobody = (): void => undefined;
const decide = (snapshot: Snapshot, asked: ReserveRequest, requirePolicy: (of: Balance) => void = nobody) =>
  decideReserve(snapshot, asked, 7, requirePolicy);
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

describe("the decision on a request", () => {
  it("is a charge at the next place of the chain", () => {
    const { append, result } = decide(snapshotOf(), request("a", "1/4", "ana"));
    expect(append!.record).toMatchObject({ sequence: 1, at: 7, kind: "reserve" });
    expect(append!.release).toBeNull();
    expect(JSON.parse(append!.balance)).toMatchObject({ open: 1, spent: { epsilon: "1/4" } });
    const { sequence, hash } = append!.record;
    expect(result).toEqual({ kind: "charged", resumed: false, sequence, hash, loss: pureLoss("1/4") });
  });

  it("refuses first a policy that is not followed, then a closed account, a stranger, another measure, a cap, and failures", () => {
    const everything = {
      stated: { ...statedBudget(pureBudget("1")), closed: true },
      failures: 2,
      spent: pureLoss("1"),
    };
    const zero = { num: 0n, den: 1n };
    const asked = {
      ...request("a", "1/4", "eve"),
      loss: { measure: "zcdp", rho: zero, delta: zero } as const,
    };
    const refused = () => {
      throw new Error("another policy");
    };
    expect(() => decide(snapshotOf(everything), asked, refused)).toThrow("another policy");
    expect(() => decide(snapshotOf(everything), asked)).toThrow(/closed this account/);
    const { stated: _, ...open } = everything;
    expect(() => decide(snapshotOf(open), asked)).toThrow(code("ledger.principal") as Error);
    expect(() => decide(snapshotOf(open), { ...asked, principal: "ana" })).toThrow(
      expect.objectContaining({
        code: "parameter.invalid",
        message: expect.stringContaining("a loss under pure"),
      }),
    );
    expect(() => decide(snapshotOf(open), request("a", "1/4", "ana"))).toThrow(
      code("ledger.budget") as Error,
    );
    expect(() => decide(snapshotOf({ failures: 2 }), request("a", "1/4", "ana"))).toThrow(
      code("ledger.failures") as Error,
    );
  });

  it("refuses a second choice of another measure as well", () => {
    const zero = { num: 0n, den: 1n };
    const asked = request("a", "1/4");
    const otherwise = { loss: { measure: "zcdp", rho: zero, delta: zero } as const, event: asked.event };
    expect(() => decide(snapshotOf(), { ...asked, otherwise })).toThrow(code("parameter.invalid") as Error);
  });

  it("counts failed and unfinished executions together against the cap", () => {
    const asked = request("a", "0");
    for (const [failures, open, fits] of [
      [0, 0, true],
      [1, 0, true],
      [0, 1, true],
      [1, 1, false],
      [2, 0, false],
      [0, 2, false],
    ] as const) {
      const deciding = () => decide(snapshotOf({ failures, open }), asked);
      if (fits) expect(deciding().append).not.toBeNull();
      else expect(deciding).toThrow(code("ledger.failures") as Error);
    }
  });

  it("lets the owner ask within the account's cap, whoever is listed", () => {
    expect(decide(snapshotOf(), request("a", "1", "owner")).append).not.toBeNull();
    expect(() => decide(snapshotOf(), request("a", "3/4", "ana"))).toThrow(code("ledger.budget") as Error);
    expect(decide(snapshotOf(), request("a", "1/2", "ana")).append).not.toBeNull();
  });
});

describe("the decision on a request that was paid", () => {
  const asked = request("a", "1/4", "ana");
  const paid = decide(snapshotOf(), asked).append!.record;
  const failed = decideFail(snapshotOf({}, [paid]), "a", 8).append!.record;

  it("is its charge again, whatever the policy, the budget and the account have become since", () => {
    const never = () => expect.unreachable("the policy was asked for");
    const shut = {
      stated: { ...statedBudget(pureBudget("1")), closed: true },
      spent: pureLoss("1"),
      failures: 9,
    };
    const { append, result } = decide(snapshotOf(shut, [paid]), asked, never);
    expect(append).toBeNull();
    const { sequence, hash } = paid;
    expect(result).toEqual({ kind: "charged", resumed: true, sequence, hash, loss: pureLoss("1/4") });
  });

  it("after a failure runs again while failures are below their cap", () => {
    const after = (failures: number, open: number) => () =>
      decide(snapshotOf({ failures, open }, [paid, failed]), asked).result;
    expect(after(1, 0)()).toMatchObject({ resumed: true });
    expect(after(1, 1)).toThrow(code("ledger.failures") as Error);
    expect(after(2, 0)).toThrow(code("ledger.failures") as Error);
  });

  it("is a refusal for another question, another principal or another price", () => {
    const snapshot = snapshotOf({}, [paid]);
    for (const [other, says] of [
      [{ ...asked, requestHash: "0".repeat(64) }, /belongs to another question/],
      [{ ...asked, principal: "owner" }, /belongs to another question/],
      [{ ...asked, loss: pureLoss("1/8") }, /was paid for a plan that differs from today's/],
      [{ ...asked, event: { kind: "constant", version: 1 } as const }, /was paid for a plan that differs/],
    ] as const)
      expect(() => decide(snapshot, other)).toThrow(
        expect.objectContaining({ code: "ledger.request", message: expect.stringMatching(says) }),
      );
  });

  it("is its answer once it was settled, at no record, and a failure that comes later is none", () => {
    const bytes = Buffer.from("bytes");
    const settling = decideSettle(snapshotOf({}, [paid]), "a", "bytes", bytes, 8);
    expect(settling.result).toBe("bytes");
    expect(settling.append!.release).toEqual(bytes);
    const settled = { ...snapshotOf({}, [paid, settling.append!.record]), release: bytes };
    expect(decide(settled, asked)).toEqual({ append: null, result: { kind: "settled", release: "bytes" } });
    expect(decideSettle(settled, "a", "other", Buffer.from("other"), 9)).toEqual({
      append: null,
      result: "bytes",
    });
    expect(decideFail(settled, "a", 9)).toEqual({ append: null, result: null });
    expect(() => decide(settled, { ...asked, principal: "owner" })).toThrow(code("ledger.request") as Error);
  });
});

describe("a policy that is followed", () => {
  const begun = statedBudget(pureBudget("1", { ana: "1/2" }));
  const balance = (stated: Balance["stated"]): Balance => ({ ...advance(null, genesis, untouched), stated });
  const changed = (message: RegExp): unknown =>
    expect.objectContaining({ code: "policy.changed", message: expect.stringMatching(message) });

  it("has the ledger's units and measure, and the budget that was applied last, or else the first", () => {
    const other = statedBudget(pureBudget("2"));
    const policy = { budget: begun, policyHash: "ab" };
    expect(() => requireFollowed(balance(null), begun, policy)).not.toThrow();
    expect(() => requireFollowed(balance(other), begun, { ...policy, budget: other })).not.toThrow();
    expect(() => requireFollowed(balance(other), begun, policy)).toThrow(
      changed(
        /was edited, and the ledger holds the one before: ε 2 → 1 \(lowered\); analyst ana → 0\.5 \(named\)$/,
      ) as Error,
    );
    expect(() => requireFollowed(balance(null), begun, { ...policy, policyHash: "cd" })).toThrow(
      changed(/^the policy names other tables or other units/) as Error,
    );
    const zcdp = { ...begun, cap: { measure: "zcdp", rho: "1", delta: "0" } as const };
    expect(() => requireFollowed(balance(null), begun, { ...policy, budget: zcdp })).toThrow(
      changed(/^the policy's budget is zcdp, and the ledger counts in pure/) as Error,
    );
  });
});
