import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { statedBudget } from "../account/stated-budget.ts";
import type { ReserveRequest } from "../ledger.ts";
import { advance } from "../records/advance.ts";
import type { Entry } from "../records/entry.ts";
import { untouched } from "../records/history.ts";
import { sealAfter } from "../records/record.ts";
import type { Account } from "../scopes/account.ts";
import type { Books } from "../scopes/books.ts";
import type { Snapshot, StoredRecord } from "../stores/store.ts";
import { pureBudget, pureLoss, request } from "../testing/temporary-ledger.ts";
import { emptyRoot } from "../tree/hash-tree.ts";
import { followedPolicy, requireFollowed } from "./follow.ts";
import { decideReserve } from "./reserve.ts";
import { decideFail, decideSettle } from "./settle.ts";

const first = statedBudget(pureBudget("1", { ana: "1/2" }));
const genesis: Entry = {
  kind: "genesis",
  payload: {
    version: 2,
    budget: first,
    failureCap: 2,
    failureCapEach: 2,
    policyHash: "ab",
    publicKey: "key",
    source: "people",
  },
};

/** A snapshot of an account like this, of a request with these records. */
function snapshotOf(changed: Partial<Account> = {}, of: readonly StoredRecord[] = [], spent = "0"): Snapshot {
  const posting = advance(null, genesis, untouched, { sequence: 0, at: 1 });
  const meters = posting.account.meters.map((meter) => ({ ...meter, spent: pureLoss(spent) }));
  const account = { ...posting.account, meters, ...changed };
  const tree = { root: emptyRoot, node: () => null };
  const { record, balance, nodes } = sealAfter(null, 1, genesis, { ...posting, account }, tree);
  return {
    head: record,
    balance,
    request: of,
    release: null,
    node: (path) => nodes.get(path) ?? null,
    record: () => record,
    requestOf: () => of,
    principalsOf: () => [],
    charges: () => [],
  };
}
const nobody = (): void => undefined;
const decide = (
  snapshot: Snapshot,
  asked: ReserveRequest,
  requirePolicy: (snapshot: Snapshot, of: Books) => void = nobody,
) => decideReserve(snapshot, asked, 7, requirePolicy);
const code = (expected: string): Error => expect.objectContaining({ code: expected }) as unknown as Error;

describe("the decision on a request", () => {
  it("is a charge at the next place of the chain", () => {
    const { append, result } = decide(snapshotOf(), request("a", "1/4", "ana"));
    expect(append!.record).toMatchObject({ sequence: 1, at: 7, kind: "reserve" });
    expect(append!.release).toBeNull();
    expect(JSON.parse(append!.balance)).toMatchObject({
      open: 1,
      seen: 7,
      meters: [{ spent: { epsilon: "1/4" } }],
    });
    const { sequence, hash } = append!.record;
    expect(result).toEqual({
      kind: "charged",
      resumed: false,
      sequence,
      hash,
      loss: pureLoss("1/4"),
      seen: null,
    });
  });

  it("tells that the clock is behind what the chain has seen, and records the clock's time all the same", () => {
    const { append, result } = decide(snapshotOf({ seen: 9 }), request("a", "1/4", "ana"));
    expect(result).toMatchObject({ kind: "charged", seen: 9 });
    expect(append!.record.at).toBe(7);
    expect(JSON.parse(append!.balance).seen).toBe(9);
  });

  it("refuses first a policy that is not followed, then a closed account, a stranger, another measure, a cap, and failures", () => {
    const zero = { num: 0n, den: 1n };
    const asked = {
      ...request("a", "1/4", "eve"),
      loss: { measure: "zcdp", rho: zero, delta: zero } as const,
    };
    const refused = () => {
      throw new Error("another policy");
    };
    const shut = snapshotOf({ closed: true, failures: 2 }, [], "1");
    expect(() => decide(shut, asked, refused)).toThrow("another policy");
    expect(() => decide(shut, asked)).toThrow(/closed this account/);
    const open = snapshotOf({ failures: 2 }, [], "1");
    expect(() => decide(open, asked)).toThrow(code("ledger.principal"));
    expect(() => decide(open, { ...asked, principal: "ana" })).toThrow(
      expect.objectContaining({
        code: "parameter.invalid",
        message: expect.stringContaining("a loss under pure"),
      }),
    );
    expect(() => decide(open, request("a", "1/4", "ana"))).toThrow(code("ledger.budget"));
    expect(() => decide(snapshotOf({ failures: 2 }), request("a", "1/4", "ana"))).toThrow(
      code("ledger.failures"),
    );
  });

  it("refuses a second choice of another measure as well", () => {
    const zero = { num: 0n, den: 1n };
    const asked = request("a", "1/4");
    const otherwise = { loss: { measure: "zcdp", rho: zero, delta: zero } as const, event: asked.event };
    expect(() => decide(snapshotOf(), { ...asked, otherwise })).toThrow(code("parameter.invalid"));
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
      else expect(deciding).toThrow(code("ledger.failures"));
    }
  });

  it("lets the owner ask within the account's cap, whoever is listed", () => {
    expect(decide(snapshotOf(), request("a", "1", "owner")).append).not.toBeNull();
    expect(() => decide(snapshotOf(), request("a", "3/4", "ana"))).toThrow(code("ledger.budget"));
    expect(decide(snapshotOf(), request("a", "1/2", "ana")).append).not.toBeNull();
  });
});

describe("the decision on a request that was paid", () => {
  const asked = request("a", "1/4", "ana");
  const name = { principal: "ana", requestId: "a" };
  const paid = decide(snapshotOf(), asked).append!.record;
  const failed = decideFail(snapshotOf({}, [paid]), name, 8).append!.record;

  it("is its charge again, whatever the policy, the budget and the account have become since", () => {
    const never = () => expect.unreachable("the policy was asked for");
    const shut = snapshotOf({ closed: true, failures: 9 }, [paid], "1");
    const { append, result } = decide(shut, asked, never);
    expect(append).toBeNull();
    const { sequence, hash } = paid;
    expect(result).toEqual({
      kind: "charged",
      resumed: true,
      sequence,
      hash,
      loss: pureLoss("1/4"),
      seen: null,
    });
  });

  it("after a failure runs again while failures are below their cap", () => {
    const after = (failures: number, open: number) => () =>
      decide(snapshotOf({ failures, open }, [paid, failed]), asked).result;
    expect(after(1, 0)()).toMatchObject({ resumed: true });
    expect(after(1, 1)).toThrow(code("ledger.failures"));
    expect(after(2, 0)).toThrow(code("ledger.failures"));
  });

  it("is a refusal for another question, another project or another price", () => {
    const snapshot = snapshotOf({}, [paid]);
    for (const [other, says] of [
      [{ ...asked, requestHash: "0".repeat(64) }, /belongs to another question/],
      [{ ...asked, project: "p" }, /belongs to another question/],
      [{ ...asked, loss: pureLoss("1/8") }, /was paid for a plan that differs from today's/],
      [{ ...asked, event: { kind: "constant", version: 1 } as const }, /was paid for a plan that differs/],
    ] as const)
      expect(() => decide(snapshot, other)).toThrow(
        expect.objectContaining({ code: "ledger.request", message: expect.stringMatching(says) }),
      );
  });

  it("is its answer once it was settled, at no record, and a failure that comes later is none", () => {
    const bytes = Buffer.from("bytes");
    const settling = decideSettle(snapshotOf({}, [paid]), name, "bytes", bytes, 8);
    expect(settling.result).toBe("bytes");
    expect(settling.append!.release).toEqual(bytes);
    const settled = { ...snapshotOf({}, [paid, settling.append!.record]), release: bytes };
    expect(decide(settled, asked)).toEqual({ append: null, result: { kind: "settled", release: "bytes" } });
    expect(decideSettle(settled, name, "other", Buffer.from("other"), 9)).toEqual({
      append: null,
      result: "bytes",
    });
    expect(decideFail(settled, name, 9)).toEqual({ append: null, result: null });
  });

  it("has neither an answer nor a failure where the charge's record is not there", () => {
    for (const decide of [
      () => decideSettle(snapshotOf(), name, "bytes", Buffer.from("bytes"), 1),
      () => decideFail(snapshotOf(), name, 1),
    ])
      expect(decide).toThrow(/a charge that was issued has no record/);
  });
});

describe("a policy that is followed", () => {
  const changed = (message: RegExp): Error =>
    expect.objectContaining({
      code: "policy.changed",
      message: expect.stringMatching(message),
    }) as unknown as Error;
  const { record, head } = snapshotOf();
  const { account } = advance(null, genesis, untouched, { sequence: 0, at: 1 });

  it("has the ledger's units and measure, and the budget that a record stated last", () => {
    expect(head).toEqual(record(0));
    const asked =
      (budget = first, policyHash = "ab") =>
      () =>
        requireFollowed({ record }, account, followedPolicy(budget, policyHash));
    expect(asked()).not.toThrow();
    expect(asked(statedBudget(pureBudget("2")))).toThrow(
      changed(
        /was edited, and the ledger holds the one before: ε 1 → 2 \(raised\); analyst ana 0\.5 \(removed\)$/,
      ),
    );
    expect(asked(first, "cd")).toThrow(changed(/^the policy names other tables or other units/));
    const zcdp = statedBudget({
      ...pureBudget("1"),
      measure: "zcdp",
      epsilon: null,
      rho: parseRational("1"),
    });
    expect(asked(zcdp)).toThrow(changed(/^the policy's budget is zcdp, and the ledger counts in pure/));
  });
});
