import fc from "fast-check";
import { expect, it } from "vitest";
import { openService, priced, turns } from "../testing/small-service.ts";
import type { AskOutcome } from "./asker.ts";

const texts = [
  "SELECT COUNT(*) FROM people",
  "SELECT SUM(age) FROM people",
  "SELECT COUNT(*) FROM people WHERE age > 50",
] as const;

type Step =
  | {
      readonly kind: "ask";
      readonly text: number;
      readonly principal: "ada" | "bob";
      readonly keyed: boolean;
      readonly leaves: number | null;
    }
  | { readonly kind: "kill" }
  | { readonly kind: "explain"; readonly text: number }
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "turn"; readonly count: number };

const principal = fc.constantFrom("ada" as const, "bob" as const);
const text = fc.nat(texts.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant("ask" as const),
      text,
      principal,
      keyed: fc.boolean(),
      leaves: fc.option(fc.nat(12)),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constant("kill" as const) }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant("explain" as const), text }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant("wait" as const), milliseconds: fc.nat(3000) }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant("turn" as const), count: fc.nat(30) }), weight: 3 },
);

/**
 * Asks, people who leave, workers that die and a clock that goes on, in any order. Whatever happened: each question of a principal was charged once, everything that was answered was charged to
 * who got it and is settled, and what was charged is there for who asks again, at no charge.
 */
it.each([
  ["imported", true, ""],
  ["as they lie", false, ""],
  ["under a schedule", true, "release_schedule: 1s"],
])(
  "nothing is doubled, unpaid or lost, whoever leaves and whatever dies: data %s",
  async (_, imported, more) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const service = await openService({ imported, more, size: 2, running: () => turns(3) });
        try {
          const { door, ledger, workers, timer } = service;
          const got: { readonly id: string; readonly principal: string; readonly of: string }[] = [];
          const keep = (of: string) => (outcome: AskOutcome) => {
            if (outcome.answer.kind !== "release") throw new Error(outcome.answer.kind);
            const { requestId, principal: name } = outcome.answer.release.certificate;
            got.push({ id: requestId, principal: name, of });
          };
          const codes: string[] = [];
          const running: Promise<void>[] = [];
          const asks = new Map<string, () => Promise<AskOutcome>>();
          for (const each of steps) {
            switch (each.kind) {
              case "ask": {
                const { principal: name, text: place, leaves } = each;
                // Data without a version are paid for at each asking, unless the client names its request.
                const keyed = each.keyed || !imported;
                const of = `${name} ${place} ${keyed}`;
                const request = {
                  text: texts[place]!,
                  options: priced("1"),
                  ...(keyed ? { idempotencyKey: `key ${place}` } : {}),
                };
                asks.set(of, () => door.ask({ principal: name }, request));
                const leaving = new AbortController();
                if (leaves !== null) void turns(leaves).then(() => leaving.abort(new Error("left")));
                const asked = door.ask({ principal: name }, request, { signal: leaving.signal });
                running.push(asked.then(keep(of), (error) => void codes.push(error.code ?? error.message)));
                break;
              }
              case "kill":
                workers.kill(workers.started - 1);
                break;
              case "explain":
                running.push(
                  door.explain({ principal: "ada" }, { text: texts[each.text]!, options: priced("1") }).then(
                    () => undefined,
                    (error) => void codes.push(error.code),
                  ),
                );
                break;
              case "wait":
                timer.go(timer.now() + each.milliseconds);
                break;
              case "turn":
                await turns(each.count);
            }
          }
          const patient = async <T>(promise: Promise<T>): Promise<T> => {
            let isDone = false;
            void promise.finally(() => {
              isDone = true;
            });
            while (!isDone) {
              await turns(40);
              timer.go(timer.now() + 900);
            }
            return promise;
          };
          await patient(Promise.all(running));
          await turns(60);
          for (const code of codes) expect(["left", "serve.worker", "engine.failed"]).toContain(code);
          const before = await ledger.report();
          // Who asks again is answered, and whatever was charged before is not charged again.
          for (const [of, ask] of asks) keep(of)(await patient(again(ask)));
          const after = await ledger.report();
          expect(new Set(after.charges.map(({ requestId }) => requestId)).size).toBe(after.charges.length);
          expect(after.charges).toHaveLength(asks.size);
          expect(before.charges.length).toBeLessThanOrEqual(asks.size);
          for (const { state } of after.charges) expect(state).toBe("settled");
          for (const { id, principal: name, of } of got) {
            const charge = after.charges.find(({ requestId }) => requestId === id);
            expect(charge?.principal).toBe(name);
            expect(of.startsWith(name)).toBe(true);
          }
          // All that got an answer to one question under one name got one answer.
          for (const of of asks.keys())
            expect(new Set(got.filter((each) => each.of === of).map(({ id }) => id)).size).toBe(1);
          expect(workers.unexpected).toEqual([]);
        } finally {
          await service.close();
        }
      }),
      { seed: 1, numRuns: 20 },
    );
  },
);

/** Asks until no killed worker, and no slot that went by, stands in the way. */
async function again(ask: () => Promise<AskOutcome>): Promise<AskOutcome> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code !== "serve.worker" && code !== "engine.failed") throw error;
    }
  }
}
