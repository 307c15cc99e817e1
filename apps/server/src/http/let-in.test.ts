import { noAuditTrail, RateLimits, requestKinds, sessionRules, sessionsInMemory } from "@lethe/serve";
import { expect, test } from "vitest";
import { letIn } from "./let-in.ts";

test("a date that is set back or forward neither makes anybody wait nor lets anybody in", async () => {
  const rate = { burst: 2, perSecond: 1 };
  const rates = Object.fromEntries(requestKinds.map((kind) => [kind, { person: rate, address: rate }]));
  let [date, passed] = [1_700_000_000_000, 0];
  const admission = letIn({
    sessions: {
      sessions: sessionsInMemory(),
      people: {} as never,
      rules: sessionRules,
      random: (count) => new Uint8Array(count),
      now: () => date,
    },
    limits: new RateLimits(rates as never, 100),
    elapsed: () => passed,
    trail: noAuditTrail,
    place: { origin: "https://lethe.example", tls: true },
  });
  const admit = async (): Promise<string> => {
    try {
      await admission.admit("read", null, "192.0.2.1");
      return "in";
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect([await admit(), await admit(), await admit()]).toEqual(["in", "in", "serve.too-many"]);
  date += 86_400_000;
  expect(await admit()).toBe("serve.too-many");
  passed += 2000;
  date -= 30 * 86_400_000;
  expect([await admit(), await admit(), await admit()]).toEqual(["in", "in", "serve.too-many"]);
});
