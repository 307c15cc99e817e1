import type { Event } from "@lethe/core";
import { odds } from "@lethe/core/accounting";
import { shown } from "./shown-number.ts";

const halvings = 60;
const closeEnough = 1e-4;

/**
 * Returns the least noise, to a ten-thousandth, at which no test gains more than `advantage` on what the event releases; its odds are those that a release
 * would state. The event must tell less with more noise.
 */
export function noiseForAdvantage(eventAt: (noise: string) => Event, advantage: number): string {
  const text = (noise: number): string => shown(noise, "up", 8);
  const keeps = (noise: number): boolean => odds(eventAt(text(noise))).advantage <= advantage;
  let [short, enough] = [0, 1];
  while (!keeps(enough)) [short, enough] = [enough, enough * 4];
  for (let turn = 0; turn < halvings && enough - short > closeEnough * enough; turn += 1) {
    const middle = short === 0 ? enough / 4 : (short + enough) / 2;
    if (keeps(middle)) enough = middle;
    else short = middle;
  }
  return text(enough);
}
