import type { BitSource } from "@lethe/core";
import { callOf } from "./mechanism-call.ts";
import { movedBeyond } from "./moved-beyond.ts";
import type { MechanismCall } from "./recorded-call.ts";
import { SparseConversations } from "./sparse-conversations.ts";

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
  /** The calls that were answered. */
  readonly calls: Recorded[] = [];
  /** All calls in order; null for one that was refused. */
  readonly steps: (Recorded | null)[] = [];
  readonly #conversations = new SparseConversations();
  readonly #bits: BitSource;
  readonly #most: number;

  /** A run that makes more than `most` calls does not end. */
  constructor(bits: BitSource, most: number) {
    this.#bits = bits;
    this.#most = most;
  }

  answer(method: string, args: readonly unknown[]): unknown {
    if (this.steps.length >= this.#most) throw new Astray(`more than ${this.#most} calls`);
    const at = this.steps.push(null) - 1;
    const call = callOf(method, args, this.#conversations);
    const output = call.draw(this.#bits);
    call.answered?.(output);
    this.steps[at] = { call, output };
    this.calls.push({ call, output });
    return output;
  }
}

/** Answers from a recording, whatever the inputs are, and says where the run differs from the recorded one. */
export class Replaying implements CallAnswerer {
  readonly differences: string[] = [];
  /** The number of calls that had other inputs than were recorded. */
  moved = 0;
  #at = 0;
  readonly #conversations = new SparseConversations();
  readonly #steps: readonly (Recorded | null)[];

  constructor({ steps }: Recording) {
    this.#steps = steps;
  }

  answer(method: string, args: readonly unknown[]): unknown {
    const recorded = this.#steps[this.#at];
    this.#at += 1;
    if (recorded === undefined)
      return this.#stop(`asks for ${this.#steps.length} answers on one neighbour, for more on the other`);
    if (recorded === null) {
      callOf(method, args, this.#conversations); // throws as it did
      return this.#stop(`call ${this.#at}: refused on one neighbour and not on the other`);
    }
    const place = `call ${this.#at} (${recorded.call.mechanism})`;
    const call = this.#callOf(method, args, place);
    if (call.mechanism !== recorded.call.mechanism)
      return this.#stop(`${place}: ${call.mechanism} on the other`);
    if (call.parameters !== recorded.call.parameters)
      return this.#stop(`${place}: other parameters or price`);
    if (call.inputs.join() !== recorded.call.inputs.join()) this.moved += 1;
    this.differences.push(...movedBeyond(recorded.call, call.inputs).map((what) => `${place}: ${what}`));
    call.answered?.(recorded.output);
    return recorded.output;
  }

  /** Says what was left unasked at the end of a run that came to its end. */
  finish(): void {
    if (this.#at < this.#steps.length) {
      this.differences.push(`asks for ${this.#steps.length} answers on one, for ${this.#at} on the other`);
    }
  }

  /** Returns the call. One that is refused here was answered on the other: a function that catches the error has seen its data. */
  #callOf(method: string, args: readonly unknown[], place: string): MechanismCall {
    try {
      return callOf(method, args, this.#conversations);
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
