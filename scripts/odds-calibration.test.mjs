import { expect, it } from "vitest";
import { calibrations } from "../bench/odds-calibration.mjs";

it("a question that states an advantage uses nearly all of it, and never more", async () => {
  const calibrated = await calibrations(30, 4);
  for (const each of calibrated) {
    const words = JSON.stringify(each);
    expect(each.used, words).toBeLessThanOrEqual(1);
    expect(each.used, words).toBeGreaterThanOrEqual(0.98);
    expect(each.told / Number(each.advantage), words).toBe(each.used);
  }
  expect(new Set(calibrated.map(({ text }) => text)).size).toBeGreaterThanOrEqual(5);
});
