import { tooMany } from "../../limits/index.ts";
import type { Derive } from "./scram-verifier.ts";

/**
 * Derives at most `atOnce` keys at a time, lets `waiting` more wait for their turn, and refuses the rest at once, so that sign-ins cannot take the machine.
 * Errors: serve.too-many.
 */
export function fewAtOnce(derive: Derive, atOnce: number, waiting: number): Derive {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (password, salt, iterations) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw tooMany(1000);
      // Whoever ends hands its place over, so that nobody slips in between.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await derive(password, salt, iterations);
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
