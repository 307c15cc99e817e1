/*
 * For tests alone: node --import this program, and its clock is off by the milliseconds that the file LETHE_STORM_CLOCK holds, in every thread, from the moment that they are written there. The program itself knows
 * nothing of it.
 */
import { readFileSync } from "node:fs";

const file = process.env.LETHE_STORM_CLOCK;
const RealDate = Date;
const now = RealDate.now.bind(RealDate);
const everyMs = 10;
let offset = 0;
let readAt = Number.NEGATIVE_INFINITY;

function shifted() {
  if (performance.now() - readAt > everyMs) {
    readAt = performance.now();
    try {
      offset = Number(readFileSync(file, "utf8")) || 0;
    } catch {
      // The folder of a storm that is over is gone; its last processes end after it, by the clock that they had.
    }
  }
  return now() + offset;
}

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(shifted());
    else super(...parts);
  }
  static now() {
    return shifted();
  }
};
