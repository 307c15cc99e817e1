import { LetheError } from "@lethe/core";

/** How a connection stands: idle, within a block, or within a block that failed. */
export type TransactionState = "I" | "T" | "E";

/** The refusal of whatever a failed block does not end. */
export class InFailedBlock extends Error {
  override readonly name = "InFailedBlock";
}

/** The most characters of a savepoint's name: a block keeps every one. */
const longestName = 1_000;

/**
 * A block of BEGIN … COMMIT, as far as readers need one. Nothing is held or taken back by it: what was asked stays asked, and paid, after a ROLLBACK.
 */
export class Transaction {
  #state: TransactionState = "I";
  #savepoints: string[] = [];

  get state(): TransactionState {
    return this.#state;
  }

  begin(): void {
    if (this.#state === "I") this.#state = "T";
  }

  /** Ends the block, and returns the word for how it ended: a block that failed is rolled back. */
  commit(): "COMMIT" | "ROLLBACK" {
    const ended = this.#state === "E" ? "ROLLBACK" : "COMMIT";
    this.rollback();
    return ended;
  }

  rollback(): void {
    this.#state = "I";
    this.#savepoints = [];
  }

  /** A statement was refused: a block fails with it. */
  fail(): void {
    if (this.#state === "T") this.#state = "E";
  }

  save(name: string): void {
    this.#requireBlock();
    if (this.#savepoints.length >= 1_000) throw tooManySavepoints();
    if (name.length > longestName)
      throw new LetheError("query.too-large", `a savepoint's name has at most ${longestName} characters`, {
        fix: "choose a shorter name",
      });
    this.#savepoints.push(name);
  }

  release(name: string): void {
    this.#savepoints.length = this.#placeOf(name);
  }

  /** Goes back to a savepoint, after which the block goes on. */
  rollbackTo(name: string): void {
    this.#savepoints.length = this.#placeOf(name) + 1;
    this.#state = "T";
  }

  #placeOf(name: string): number {
    this.#requireBlock();
    const at = this.#savepoints.lastIndexOf(name);
    if (at < 0)
      throw new LetheError("query.option", "there is no such savepoint", {
        fix: "name a savepoint of this block",
      });
    return at;
  }

  #requireBlock(): void {
    if (this.#state === "I")
      throw new LetheError("query.option", "a savepoint needs a block", { fix: "write BEGIN first" });
  }
}

function tooManySavepoints(): LetheError {
  return new LetheError("query.too-large", "a block has at most 1000 savepoints", {
    fix: "release those that are not needed",
  });
}
