import { expect, test } from "vitest";
import { runStorm } from "./run-storm.mjs";

/*
 * A small storm on real processes; npm run bench -- serve-storm has a large one. It needs the built program (npm run build).
 */

test("a storm over HTTP, the model context protocol, PostgreSQL's protocol and the command line breaks no promise", async () => {
  const { found, verified, happened, charges } = await runStorm({
    questions: 240,
    clients: 8,
    every: 90,
    seed: 11,
    commands: 0.03,
  });
  expect(found).toEqual({ overspent: [], unpaid: [], lost: [], doubled: [], refused: [] });
  expect(verified).toBe(true);
  expect(happened.kills).toBeGreaterThan(0);
  expect(happened.jumps).toBeGreaterThan(0);
  expect(charges.length).toBeGreaterThan(20);
  // The clock did jump: charges lie days apart.
  const times = charges.map(({ at }) => at);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(86_400_000);
  const told = (what) => happened.calls.filter(what).length;
  expect(told(({ by, outcome }) => by === "mcp" && outcome === "answered")).toBeGreaterThan(0);
  expect(told(({ by, outcome }) => by === "wire" && outcome === "answered")).toBeGreaterThan(10);
  expect(told(({ by, outcome }) => by === "http" && outcome === "answered")).toBeGreaterThan(20);
  expect(told(({ outcome }) => outcome === "refused")).toBeGreaterThan(0);
});
