import { expect, it } from "vitest";
import { protectedBy, roundedAnswers, suppressedAnswers } from "./naive.ts";
import type { Opened } from "./service.ts";

const asked = { as: "attacker", epsilon: "1", delta: "0" };
const service = (rows: readonly (readonly (string | number)[])[]): Opened => ({
  ask: async () => ({ kind: "rows", columns: [], rows }),
  close: async () => undefined,
});

it("a naive protection shows each row with its last column changed and nothing more", async () => {
  const rounded = protectedBy(roundedAnswers, service([[13], ["north", 22], ["south", 2, 48]]), () => 0.5);
  expect(await rounded.ask("SELECT 1", asked)).toMatchObject({
    rows: [[15], ["north", 20], ["south", 2, 50]],
  });
});

it("suppression leaves out rows whose count is small", async () => {
  const suppressed = protectedBy(
    suppressedAnswers,
    service([
      ["north", 5],
      ["south", 4],
    ]),
    () => 0.5,
  );
  expect(await suppressed.ask("SELECT 1", asked)).toMatchObject({ rows: [["north", 5]] });
});
