import { LetheError, parseRational } from "@lethe/core";
import type { Charge, Ledger, ReserveRequest } from "@lethe/ledger";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualTimer } from "../testing/manual-timer.ts";
import { turns } from "../testing/small-service.ts";
import { onSchedule } from "./on-schedule.ts";

/** A ledger that charges all, and tells what was done to it. */
function toldLedger(answer: "charged" | "settled" = "charged"): {
  readonly ledger: Ledger;
  readonly told: string[];
} {
  const told: string[] = [];
  const ledger = {
    publicKey: "",
    reserve: async ({ requestId }: ReserveRequest) => {
      told.push(`reserve ${requestId}`);
      return answer === "settled"
        ? { kind: "settled", release: "1" }
        : { kind: "charged", resumed: false, charge: { requestId } as Charge };
    },
    settle: async ({ requestId }: Charge, release: string) => {
      told.push(`settle ${requestId}`);
      return release;
    },
    fail: async ({ requestId }: Charge) => void told.push(`fail ${requestId}`),
  } as unknown as Ledger;
  return { ledger, told };
}

const request = (statements?: number, requestId = "r"): ReserveRequest => ({
  principal: "ada",
  requestId,
  requestHash: "",
  loss: { measure: "pure", epsilon: parseRational("1") },
  event: { kind: "constant", version: 1 },
  text: "",
  ...(statements === undefined ? {} : { statements }),
});

async function chargeOf(ledger: Ledger, asked: ReserveRequest): Promise<Charge> {
  const reserved = await ledger.reserve(asked);
  if (reserved.kind !== "charged") throw new Error(reserved.kind);
  return reserved.charge;
}

const refusal = new LetheError("query.syntax", "no", { fix: "yes" });

describe("a journey under a release schedule", () => {
  it("ends at its slot, however long it took: the slot follows from plan and charge", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1000),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(12_000),
        fc.boolean(),
        async (charged, statements, took, fails) => {
          const timer = manualTimer();
          const { ledger, told } = toldLedger();
          let ended: { readonly at: number; readonly outcome: unknown } | null = null;
          const running = onSchedule(
            async (scheduled) => {
              await new Promise<void>((resolve) => void timer.at(charged, resolve));
              const charge = await chargeOf(scheduled, request(statements));
              await new Promise<void>((resolve) => void timer.at(charged + took, resolve));
              if (!fails) return scheduled.settle(charge, "the answer");
              await scheduled.fail(charge);
              throw refusal;
            },
            ledger,
            { each: 1000 },
            timer,
          ).then(
            (outcome) => {
              ended = { at: timer.now(), outcome };
            },
            (error) => {
              ended = { at: timer.now(), outcome: error.code };
            },
          );
          const slot = charged + 1000 * statements;
          const moments = [charged, charged + took, slot - 1, slot, slot + 20_000];
          for (const at of [...new Set(moments)].filter((each) => each >= 0).sort((a, b) => a - b)) {
            await turns(4);
            timer.go(at);
            await turns(4);
          }
          await running;
          const isReady = took < 1000 * statements;
          expect(ended).toEqual({
            at: slot,
            outcome: isReady ? (fails ? "query.syntax" : "the answer") : "engine.failed",
          });
          const end = isReady && !fails ? "settle r" : "fail r";
          expect(told).toEqual(["reserve r", end]);
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });

  it("is the journey itself where no schedule is kept", async () => {
    const { ledger } = toldLedger();
    const timer = manualTimer();
    const given = await onSchedule(async (own) => own === ledger, ledger, null, timer);
    expect(given).toBe(true);
  });

  it("ends at once where nothing was charged", async () => {
    const timer = manualTimer();
    const { ledger } = toldLedger("settled");
    const settled = onSchedule(
      async (scheduled) => (await scheduled.reserve(request(1))).kind,
      ledger,
      { each: 1000 },
      timer,
    );
    expect(await settled).toBe("settled");
    const refused = onSchedule(() => Promise.reject(refusal), ledger, { each: 1000 }, timer);
    await expect(refused).rejects.toBe(refusal);
  });

  it("has the slot of its first charge, whatever follows", async () => {
    const timer = manualTimer();
    const { ledger, told } = toldLedger();
    let given: unknown = null;
    void onSchedule(
      async (scheduled) => {
        const first = await chargeOf(scheduled, request(2, "pilot"));
        await new Promise<void>((resolve) => void timer.at(1500, resolve));
        await scheduled.settle(first, "1");
        const second = await chargeOf(scheduled, request(2, "second"));
        await new Promise<void>((resolve) => void timer.at(1999, resolve));
        return scheduled.settle(second, "2");
      },
      ledger,
      { each: 1000 },
      timer,
    ).then((outcome) => {
      given = outcome;
    });
    await turns(4);
    timer.go(1500);
    await turns(4);
    timer.go(1999);
    await turns(4);
    expect(given).toBeNull();
    timer.go(2000);
    await turns(4);
    expect(given).toBe("2");
    expect(told).toEqual(["reserve pilot", "settle pilot", "reserve second", "settle second"]);
  });

  it.each([-86_400_000, 86_400_000])(
    "keeps its slot where the date is set by %i ms, before and after its charge",
    async (by) => {
      const timer = manualTimer();
      const { ledger, told } = toldLedger();
      timer.jump(by);
      let given: unknown = null;
      void onSchedule(
        async (scheduled) => {
          const charge = await chargeOf(scheduled, request(2));
          await new Promise<void>((resolve) => void timer.at(1000, resolve));
          return scheduled.settle(charge, "1");
        },
        ledger,
        { each: 1000 },
        timer,
      ).then(
        (outcome) => {
          given = outcome;
        },
        (error) => {
          given = error.code;
        },
      );
      await turns(4);
      timer.jump(by);
      timer.go(1000);
      await turns(4);
      timer.go(1999);
      await turns(4);
      expect(given).toBeNull();
      timer.go(2000);
      await turns(4);
      expect(given).toBe("1");
      expect(told).toEqual(["reserve r", "settle r"]);
    },
  );
});
