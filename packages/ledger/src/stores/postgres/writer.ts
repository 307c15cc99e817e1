import { Cut, sqlState } from "./connection.ts";
import type { PostgresStoreOptions } from "./options.ts";
import { decideAll, type Outcomes, type Piece, refuseAll, tellAll } from "./piece.ts";
import type { PostgresPlace } from "./place.ts";
import { noReplica, postgresError } from "./postgres-error.ts";
import { retried } from "./retried.ts";
import type { Session } from "./session.ts";
import type { View } from "./view.ts";
import { writeAdded } from "./write-added.ts";

/** Decides and writes, one transaction after the other, under the lock of the ledger's head. */
export class Writer {
  readonly #place: PostgresPlace;
  readonly #session: Session;
  readonly #options: Required<PostgresStoreOptions>;

  constructor(place: PostgresPlace, session: Session, options: Required<PostgresStoreOptions>) {
    this.#place = place;
    this.#session = session;
    this.#options = options;
  }

  /** Does the pieces in their order, and tells each. Never fails. */
  async write(group: readonly Piece[]): Promise<void> {
    for (let rest = group; rest.length > 0; ) {
      const atHead = rest[0]?.atHead === true;
      const end = rest.findIndex((each) => each.atHead !== atHead);
      const part = end < 0 ? rest : rest.slice(0, end);
      rest = rest.slice(part.length);
      await (atHead ? this.#lookTogether(part) : this.#writeTogether(part));
    }
  }

  close(): Promise<void> {
    return this.#session.drop();
  }

  /** Decides a group in one transaction. Nobody is told of anything, a refusal included, before that is durable. */
  async #writeTogether(group: readonly Piece[]): Promise<void> {
    try {
      tellAll(await retried(this.#session, this.#options.patienceMs, () => this.#commit(group)));
    } catch (error) {
      // One of them broke a rule of the tables, and nothing of any was done: each gets a transaction of its own.
      const isOne = group.length === 1;
      if (!isOne && /^23/.test(sqlState(error) ?? ""))
        for (const each of group) await this.#writeTogether([each]);
      else refuseAll(group, postgresError(this.#place, error));
    }
  }

  async #commit(group: readonly Piece[]): Promise<Outcomes> {
    const view = await this.#session.beginWriting(this.#options.lockTimeoutMs);
    const { head } = view;
    const outcomes = await decideAll(view, group);
    if (view.added.length === 0) {
      await this.#session.end("ROLLBACK");
      return outcomes;
    }
    await writeAdded(await this.#session.connection(), this.#place.schema, view, head);
    if (await this.#isCommitted(view)) return outcomes;
    throw new Cut("the transaction was not committed, and begins again");
  }

  /** Commits. Where no answer comes, the tables say whether it was done: nobody guesses. */
  async #isCommitted(view: View): Promise<boolean> {
    const connection = await this.#session.connection();
    connection.warning();
    let tag: string;
    try {
      tag = await this.#session.end("COMMIT");
    } catch {
      await this.#session.drop();
      return retried(this.#session, this.#options.patienceMs, () => this.#isThere(view));
    }
    if (tag !== "COMMIT") return false;
    // PostgreSQL warns where it stopped to wait for the replica: then the record is durable on one machine alone.
    if (this.#options.requireSynchronousReplica && connection.warning() !== null) {
      // The next session asks first whether the replica has heard.
      await this.#session.drop();
      throw noReplica(this.#place);
    }
    this.#session.wrote(view);
    return true;
  }

  /**
   * Looks whether the records of a transaction are there whose end was not heard. The lock of the head is had only when that transaction is
   * over, however slow its server or the way to it is.
   */
  async #isThere(view: View): Promise<boolean> {
    const last = view.pending.at(-1)?.record;
    if (!last) return true;
    await this.#session.beginWriting(this.#options.lockTimeoutMs, { movedToo: true });
    const [told] = await (await this.#session.connection()).run(
      `SELECT hash FROM ${this.#place.schema}.records WHERE sequence = $1`,
      [last.sequence],
    );
    await this.#session.end("ROLLBACK");
    return told?.rows[0]?.hash === last.hash;
  }

  /** Lets a group look at the durable head, under the lock. */
  async #lookTogether(group: readonly Piece[]): Promise<void> {
    try {
      const outcomes = await retried(this.#session, this.#options.patienceMs, async () =>
        decideAll(await this.#session.beginWriting(this.#options.lockTimeoutMs, { movedToo: true }), group),
      );
      await this.#session.undo();
      tellAll(outcomes);
    } catch (error) {
      refuseAll(group, postgresError(this.#place, error));
    }
  }
}
