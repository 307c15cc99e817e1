import { type Mechanisms, methods } from "./mechanism-call.ts";
import { Astray, type CallAnswerer } from "./tape-of-calls.ts";

/**
 * The handle by which one run asks mechanisms. Arguments and outputs are copied, as between threads: a getter is read once, and what a function does
 * to its outputs in place does not change what is recorded. A handle that is kept beyond its run answers nothing.
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

  /** Whether an error led this run astray. It is asked of whatever a function throws, so nothing of the error is read. */
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
