import { type Mechanisms, methods } from "./mechanism-call.ts";
import { Astray, type CallAnswerer } from "./tape-of-calls.ts";

/**
 * What one run is given to ask by. Arguments and outputs are copied, as between threads: a getter is read once, and what a function
 * does to its outputs in place does not change what is recorded. Kept beyond its run it answers nothing.
 */
export class Handle {
  readonly mechanisms: Mechanisms;
  readonly #astray = new Set<unknown>();
  #isOver = false;

  constructor(calls: CallAnswerer) {
    this.mechanisms = Object.fromEntries(
      methods.map((method) => [method, (...args: readonly unknown[]) => this.#ask(calls, method, args)]),
    ) as unknown as Mechanisms;
  }

  /** Asked of whatever a function throws, so nothing of it is read. */
  ledAstray(error: unknown): boolean {
    return this.#astray.has(error);
  }

  close(): void {
    this.#isOver = true;
  }

  #ask(calls: CallAnswerer, method: string, args: readonly unknown[]): unknown {
    try {
      if (this.#isOver) throw new Astray("the handle of a run that is over");
      return structuredClone(calls.answer(method, structuredClone(args)));
    } catch (error) {
      if (error instanceof Astray) this.#astray.add(error);
      throw error;
    }
  }
}
