import type { Budget } from "./budget.ts";

/** The steps that reading a source counts as. */
const stepsOfSource = 100;

/** The rows of one SELECT as it is evaluated: all that shares a frame. */
export class Level {
  readonly outer: Level | null;
  readonly depth: number;
  /** What reading the whole query may cost. */
  readonly budget: Budget;
  /** The sources so far: each has one place in the frame. */
  slots = 0;
  /** The outermost level that is named from within. */
  reach: number;
  #recorders: Set<number>[] = [];

  constructor(outer: Level | null, budget: Budget) {
    this.outer = outer;
    this.budget = budget;
    this.depth = outer === null ? 0 : outer.depth + 1;
    this.reach = this.depth;
  }

  /** Whether a SELECT of this level names nothing outside it, so that it has the same rows wherever it stands. */
  get isClosed(): boolean {
    return this.reach >= this.depth;
  }

  newSlot(): number {
    this.budget.step(stepsOfSource);
    this.slots += 1;
    return this.slots - 1;
  }

  /** Notes that a level further out is named from here. */
  touch(reach: number): void {
    for (let level: Level | null = this; level !== null && level.depth > reach; level = level.outer)
      level.reach = Math.min(level.reach, reach);
  }

  /** Notes that slots are named. */
  note(slots: Iterable<number>): void {
    for (const recorder of this.#recorders) for (const slot of slots) recorder.add(slot);
  }

  /** Does something, and tells which slots of this level it named. */
  recording<T>(act: () => T): { readonly made: T; readonly slots: ReadonlySet<number> } {
    const slots = new Set<number>();
    this.#recorders.push(slots);
    try {
      return { made: act(), slots };
    } finally {
      this.#recorders = this.#recorders.filter((each) => each !== slots);
    }
  }
}
