import { describe, expect, it } from "vitest";
import { CommitTogether, type Transactions } from "./commit-together.ts";

/** A list whose transactions and parts can be undone, and what happens to it, in words. */
function list({ failsAtCommit = false, endsAt = "" } = {}): {
  readonly transactions: Transactions;
  readonly kept: string[];
  readonly open: string[];
  readonly log: string[];
} {
  const kept: string[] = [];
  const open: string[] = [];
  const log: string[] = [];
  let isOpen = false;
  const transactions: Transactions = {
    within(work) {
      isOpen = true;
      open.splice(0, open.length, ...kept);
      log.push("begin");
      work();
      if (failsAtCommit) throw new Error("the disk is full");
      isOpen = false;
      kept.splice(0, kept.length, ...open);
      log.push("commit");
    },
    part(work) {
      const before = [...open];
      try {
        work();
      } catch (error) {
        open.splice(0, open.length, ...before);
        if (open.includes(endsAt)) isOpen = false;
        throw error;
      }
    },
    isOpen: () => isOpen,
  };
  return { transactions, kept, open, log };
}

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error: Error) => error.message,
  );

describe("work that is committed together", () => {
  it("is done in its order in one transaction, each after what those before it wrote", async () => {
    const { transactions, kept, open, log } = list();
    const together = new CommitTogether(transactions);
    const add = (name: string) => () => {
      open.push(name);
      return open.length;
    };
    expect(await Promise.all(["a", "b", "c"].map((name) => together.run(add(name))))).toEqual([1, 2, 3]);
    expect(log).toEqual(["begin", "commit"]);
    expect(await together.run(add("d"))).toBe(4);
    expect([kept, log.length]).toEqual([["a", "b", "c", "d"], 4]);
  });

  it("is undone by itself where it throws, with its own error", async () => {
    const { transactions, kept, open } = list();
    const together = new CommitTogether(transactions);
    const refused = together.run(() => {
      open.push("half");
      throw new Error("no");
    });
    const after = together.run(() => open.push("whole"));
    expect(await Promise.all([outcome(refused), outcome(after)])).toEqual(["no", 1]);
    expect(kept).toEqual(["whole"]);
  });

  it("fails as a whole where the commit fails: also what was refused, for it may have been refused for what is not there", async () => {
    const { transactions, kept, open } = list({ failsAtCommit: true });
    const together = new CommitTogether(transactions);
    const took = together.run(() => open.push("all"));
    const refused = together.run(() => {
      throw new Error("another took all");
    });
    expect(await Promise.all([outcome(took), outcome(refused)])).toEqual([
      "the disk is full",
      "the disk is full",
    ]);
    expect(kept).toEqual([]);
  });

  it("fails as a whole where a part ended the transaction, and what comes after begins another", async () => {
    const { transactions, kept, open, log } = list({ endsAt: "first" });
    const together = new CommitTogether(transactions);
    const outcomes = ["first", "second", "third"].map((name) =>
      outcome(
        together.run(() => {
          if (name === "second") throw new Error("the disk is gone");
          return open.push(name);
        }),
      ),
    );
    expect(await Promise.all(outcomes)).toEqual(Array.from({ length: 3 }, () => "the disk is gone"));
    expect([kept, log]).toEqual([[], ["begin"]]);
    expect(await together.run(() => open.push("later"))).toBe(1);
    expect(kept).toEqual(["later"]);
  });

  it("leaves other writers their turn, and is done at once where it is flushed", async () => {
    const { transactions, kept, open, log } = list();
    const together = new CommitTogether(transactions);
    const all = Array.from({ length: 150 }, (_, at) => together.run(() => open.push(String(at))));
    expect(kept).toEqual([]);
    together.flush();
    expect(kept).toHaveLength(150);
    expect(log.filter((each) => each === "commit").length).toBeGreaterThan(2);
    await Promise.all(all);
    together.flush();
    expect(log.filter((each) => each === "begin").length).toBe(3);
  });
});
