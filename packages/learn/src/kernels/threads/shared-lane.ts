import { LetheError } from "@lethe/core/errors";
import type { UnitSums } from "../wasm/unit-sums.ts";
import type { Lane } from "./lane.ts";
import { Patience } from "./patience.ts";

/**
 * Memory that two threads share: what a lane is asked and what it answers. It is posted to the other thread once; nothing else passes between them.
 */
export interface LaneMemory {
  readonly buffer: SharedArrayBuffer;
  readonly parameters: number;
  readonly mostUnits: number;
}

/** The words at the beginning of the memory. */
const state = 0;
const batchLength = 1;
const headBytes = 32;

/** What the state word says; 0 at first. */
const asked = 1;
const answered = 2;
const failed = 3;
const closed = 4;

/**
 * Makes the memory of a lane.
 * @param mostUnits the most units that a batch may name
 */
export function laneMemory(parameters: number, mostUnits: number): LaneMemory {
  const bytes = headBytes + 16 * parameters + 4 * mostUnits;
  return { buffer: new SharedArrayBuffer(bytes), parameters, mostUnits };
}

/** Gives a function that waits until the state word is another one. */
function waiting(words: Int32Array): (word: number) => void {
  const patience = new Patience();
  return (word) => {
    const changed = (): boolean => Atomics.load(words, state) !== word;
    if (patience.meets(changed)) return;
    while (!changed()) Atomics.wait(words, state, word);
  };
}

function viewsOf({ buffer, parameters, mostUnits }: LaneMemory) {
  return {
    words: new Int32Array(buffer, 0, 2),
    /** The clip, and the number of units that were not clipped. */
    numbers: new Float64Array(buffer, 8, 2),
    weights: new Float64Array(buffer, headBytes, parameters),
    sums: new Float64Array(buffer, headBytes + 8 * parameters, parameters),
    batch: new Uint32Array(buffer, headBytes + 16 * parameters, mostUnits),
  };
}

/** The near end of a lane. Waiting blocks the thread: a page does it in a worker, where browsers allow it. */
export function sharedLane(memory: LaneMemory): Lane & { close(): void } {
  const { words, numbers, weights, sums, batch } = viewsOf(memory);
  const waitWhile = waiting(words);
  const say = (word: number): void => {
    Atomics.store(words, state, word);
    Atomics.notify(words, state);
  };
  return {
    start(given, units, clip) {
      weights.set(given);
      batch.set(units);
      words[batchLength] = units.length;
      numbers[0] = clip;
      say(asked);
    },
    finish() {
      waitWhile(asked);
      const found = Atomics.load(words, state);
      if (found !== answered) {
        throw new LetheError("internal.invariant", "a thread could not sum its share of a batch", {
          fix: "look for that thread's own error; nothing was released",
        });
      }
      return { sums, unclipped: numbers[1] ?? 0 };
    },
    close: () => say(closed),
  };
}

/** The far end: sums until the near end closes. Blocks its thread, which is to be a worker. */
export function serveLane(memory: LaneMemory, kernels: Pick<UnitSums, "sum">): void {
  const { words, numbers, weights, sums, batch } = viewsOf(memory);
  const waitWhile = waiting(words);
  for (;;) {
    const word = Atomics.load(words, state);
    if (word === closed) return;
    if (word !== asked) {
      waitWhile(word);
      continue;
    }
    let outcome = failed;
    try {
      const found = kernels.sum(weights, batch.subarray(0, words[batchLength]), numbers[0] ?? Number.NaN);
      sums.set(found.sums);
      numbers[1] = found.unclipped;
      outcome = answered;
    } finally {
      // A close that came meanwhile stands.
      Atomics.compareExchange(words, state, asked, outcome);
      Atomics.notify(words, state);
    }
  }
}
