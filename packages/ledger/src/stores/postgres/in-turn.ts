/** The most pieces of work that are done together, so that other writers get their turn. */
const mostTogether = 64;

/** Does pieces of work in their order, one group after the other: those that were asked for while a group was done are the next. */
export class InTurn<Piece> {
  readonly #do: (group: readonly Piece[]) => Promise<void>;
  #waiting: Piece[] = [];
  #running: Promise<void> | null = null;

  /** `work` tells every piece what came of it, and never fails. */
  constructor(work: (group: readonly Piece[]) => Promise<void>) {
    this.#do = work;
  }

  ask(piece: Piece): void {
    this.#waiting.push(piece);
    this.#running ??= this.#run();
  }

  /** Resolves when nothing waits any more. */
  async done(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // What is asked for in the same turn is done together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#do(this.#waiting.splice(0, mostTogether));
    this.#running = null;
  }
}
