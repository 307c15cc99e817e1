import type { BitSource } from "@lethe/core";
import { callOf, type MechanismCall } from "./mechanism-call.ts";
import { movedBeyond } from "./moved-beyond.ts";

/** Thrown into a function under audit that has gone astray, so that it ends. */
export class Astray extends Error {
  override readonly name: string = "Astray";
}

/** Answers the calls of one run. */
export interface CallAnswerer {
  answer(method: string, args: readonly unknown[]): unknown;
}

interface Recorded {
  readonly call: MechanismCall;
  readonly output: unknown;
}

/** Draws and keeps every call. */
export class Recording implements CallAnswerer {
  readonly calls: Recorded[] = [];
  readonly #bits: BitSource;
  readonly #most: number;

  /** A run that makes more than `most` calls does not end. */
  constructor(bits: BitSource, most: number) {
    this.#bits = bits;
    this.#most = most;
  }

  answer(method: string, args: readonly unknown[]): unknown {
    if (this.calls.length >= this.#most) throw new Astray(`more than ${this.#most} calls`);
    const call = callOf(method, args);
    const output = call.draw(this.#bits);
    this.calls.push({ call, output });
    return output;
  }
}

/** Answers from a recording, whatever the inputs are, and says where the run differs from the recorded one. */
export class Replaying implements CallAnswerer {
  readonly differences: string[] = [];
  #at = 0;
  readonly #calls: readonly Recorded[];

  constructor({ calls }: Recording) {
    this.#calls = calls;
  }

  answer(method: string, args: readonly unknown[]): unknown {
    const recorded = this.#calls[this.#at];
    this.#at += 1;
    if (recorded === undefined)
      return this.#stop(`asks for ${this.#calls.length} answers on one, for more on the other`);
    const place = `call ${this.#at} (${recorded.call.mechanism})`;
    const call = this.#callOf(method, args, place);
    if (call.mechanism !== recorded.call.mechanism)
      return this.#stop(`${place}: ${call.mechanism} on the other`);
    if (call.parameters !== recorded.call.parameters)
      return this.#stop(`${place}: other parameters or price`);
    this.differences.push(...movedBeyond(recorded.call, call.inputs).map((what) => `${place}: ${what}`));
    return recorded.output;
  }

  /** Says what was left unasked at the end of a run that came to its end. */
  finish(): void {
    if (this.#at < this.#calls.length) {
      this.differences.push(`asks for ${this.#calls.length} answers on one, for ${this.#at} on the other`);
    }
  }

  /** What is refused here was answered on the other: a function that catches the error has seen its data. */
  #callOf(method: string, args: readonly unknown[], place: string): MechanismCall {
    try {
      return callOf(method, args);
    } catch (error) {
      this.differences.push(`${place}: refused on the other`);
      throw error;
    }
  }

  #stop(difference: string): never {
    this.differences.push(difference);
    throw new Astray(difference);
  }
}
