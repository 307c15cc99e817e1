import type { Place } from "./answers/error-fields.ts";
import type { WireColumn } from "./answers/wire-answer.ts";
import type { WireCell } from "./answers/wire-type.ts";
import type { Format } from "./frames/client-message.ts";
import type { AskedValue, Asking } from "./session/asking.ts";
import type { Outcome } from "./session/run-statement.ts";
import type { SessionState } from "./session/session-state.ts";
import type { Statement } from "./session/statement.ts";
import type { Word } from "./session/words.ts";

/** Rows that leave, at most so many where `most` is not 0. */
export interface RowsToSend {
  readonly rows: Iterator<readonly WireCell[]>;
  readonly columns: readonly WireColumn[];
  readonly formats: readonly Format[];
  readonly most: number;
}

/** What both protocols of a connection, the simple and the extended one, stand on. */
export interface WireHost {
  readonly session: SessionState;
  readonly asking: Asking;
  send(...messages: readonly Buffer[]): Promise<void>;
  /** Tells that the next question may come. A block that is over ends its portals. */
  ready(): Promise<void>;
  /** Tells of an error of a statement, which fails the block. Throws it on where the connection must end. */
  refuse(error: unknown, place: Place | null): Promise<void>;
  /** Does something that the client may call off, and logs how it went. */
  watched<T>(route: string, act: () => Promise<T>): Promise<T>;
  /** Draws from the rate of reads by the length of a text, before anything looks at its words. Errors: serve.too-many, serve.signed-out. */
  letRead(text: string): Promise<void>;
  /** Reads a statement. One that is refused draws from the rate of reads, so that nobody tries as many as they like. Errors: those of `readStatement`; serve.too-many, serve.signed-out. */
  readOne(text: string, words: readonly Word[]): Promise<Statement>;
  /** Lets the person in anew before they get more of an answer, which draws from the rate of reads. Errors: serve.too-many, serve.signed-out. */
  letIn(): Promise<void>;
  /** Runs a statement. Errors: those of `runStatement`; serve.too-many, serve.signed-out. */
  runOne(statement: Statement, values: readonly AskedValue[], types?: readonly number[]): Promise<Outcome>;
  /** The messages of what is told beside an answer, unless the client wants none. */
  notices(texts: readonly string[]): readonly Buffer[];
  /** Writes an answer as COPY does. */
  sendCopy(outcome: Extract<Outcome, { kind: "copy" }>): Promise<void>;
  /** Writes rows, and returns how many there were. */
  sendRows(rows: RowsToSend): Promise<number>;
}
