import type { CopyOptions } from "../answers/copy-out.ts";
import type { WireAnswer, WireColumn } from "../answers/wire-answer.ts";
import type { SessionState } from "./session-state.ts";

/** A question within the text that a client sent. */
export interface AskedText {
  readonly text: string;
  /** Where it begins: a UTF-16 index into that text. */
  readonly offset: number;
}

/** One statement of a client, as far as it is understood without asking. */
export type Statement =
  /** Asked of the service. */
  | ({ readonly kind: "question" } & AskedText)
  | ({ readonly kind: "copy"; readonly options: CopyOptions } & AskedText)
  | ({ readonly kind: "declare"; readonly cursor: string; readonly isHeld: boolean } & AskedText)
  /** `most` is null for all rows; a move gives none of them. */
  | {
      readonly kind: "fetch";
      readonly cursor: string;
      readonly most: number | null;
      readonly moves: boolean;
    }
  /** Answered by the connection itself, of which it tells. */
  | {
      readonly kind: "shown";
      readonly columns: readonly WireColumn[];
      readonly rows: (session: SessionState) => ReturnType<WireAnswer["rows"]>;
      readonly word: "SELECT" | "SHOW";
    }
  /** Changes the connection alone; returns the word for what was done. `endsBlock` passes in a block that failed. */
  | {
      readonly kind: "session";
      readonly endsBlock: boolean;
      readonly run: (session: SessionState) => string;
    };
