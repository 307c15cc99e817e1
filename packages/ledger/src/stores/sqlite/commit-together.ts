/** A piece of work that waits to be done in a transaction, and whoever waits for it. */
interface Waiting {
  /** Does the work; what came of it is told later. Throws what the work throws. */
  readonly work: () => void;
  readonly tell: () => void;
  readonly refuse: (error: unknown) => void;
}

/** What a database does for {@link CommitTogether}. All of it is synchronous. */
export interface Transactions {
  /** Does all of it in one transaction, which is durable when this returns. Errors: those of the database; then nothing was done. */
  readonly within: (work: () => void) => void;
  /** Does a part, which is undone by itself where it throws. Errors: those of the part; those of the database where it ended the transaction. */
  readonly part: (work: () => void) => void;
  /** Whether the transaction is still open: an error of the disk may have ended it. */
  readonly isOpen: () => boolean;
}

/** The most pieces of work in one transaction, so that other writers get their turn. */
const mostTogether = 64;

/**
 * Does pieces of work in their order, and those that were asked for meanwhile in one transaction: flushing to the disk takes most of a commit's time. Nobody is told of anything, a refusal
 * included, before the transaction is durable, since what one piece saw another of the same transaction may have written. Where the transaction fails, all of them fail, and none was done.
 */
export class CommitTogether {
  readonly #transactions: Transactions;
  #waiting: Waiting[] = [];
  #turn: NodeJS.Immediate | null = null;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Resolves with what the work returns, once that is durable. Errors: what the work throws, which then did nothing; those of the database. */
  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: { readonly value: T };
      this.#waiting.push({
        work: () => {
          result = { value: work() };
        },
        tell: () => resolve(result.value),
        refuse: reject,
      });
      this.#turn ??= setImmediate(() => this.flush());
    });
  }

  /** Does now what waits. */
  flush(): void {
    if (this.#turn) clearImmediate(this.#turn);
    this.#turn = null;
    while (this.#waiting.length > 0) this.#commit(this.#waiting.splice(0, mostTogether));
  }

  #commit(group: readonly Waiting[]): void {
    const refused = new Map<Waiting, unknown>();
    try {
      this.#transactions.within(() => {
        for (const each of group) this.#do(each, refused);
      });
    } catch (error) {
      for (const each of group) each.refuse(error);
      return;
    }
    for (const each of group) {
      if (refused.has(each)) each.refuse(refused.get(each));
      else each.tell();
    }
  }

  #do(each: Waiting, refused: Map<Waiting, unknown>): void {
    try {
      this.#transactions.part(each.work);
    } catch (error) {
      if (!this.#transactions.isOpen()) throw error;
      refused.set(each, error);
    }
  }
}
