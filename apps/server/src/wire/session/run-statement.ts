import { LetheError } from "@lethe/core";
import type { CopyOptions } from "../answers/copy-out.ts";
import type { WireAnswer } from "../answers/wire-answer.ts";
import type { AskedValue, Asking } from "./asking.ts";
import { Cursor } from "./cursors.ts";
import type { SessionState } from "./session-state.ts";
import type { Statement } from "./statement.ts";
import { InFailedBlock } from "./transaction.ts";

/** What came of a statement. */
export type Outcome =
  /** The tag of the whole is `word` and the number of rows. */
  | {
      readonly kind: "rows";
      readonly answer: WireAnswer;
      readonly word: string;
      readonly notices: readonly string[];
    }
  | {
      readonly kind: "copy";
      readonly answer: WireAnswer;
      readonly options: CopyOptions;
      readonly notices: readonly string[];
    }
  | { readonly kind: "done"; readonly tag: string; readonly notices: readonly string[] };

/** Runs a statement. Errors: those of asking; InFailedBlock for whatever does not end a block that failed. */
export async function runStatement(
  statement: Statement,
  values: readonly AskedValue[],
  session: SessionState,
  asking: Asking,
  types: readonly number[] = [],
): Promise<Outcome> {
  requireOpenBlock(statement, session);
  switch (statement.kind) {
    case "session":
      return { kind: "done", tag: statement.run(session), notices: [] };
    case "shown": {
      const rows = statement.rows(session);
      const { columns, word } = statement;
      return { kind: "rows", answer: { columns, rows: () => rows }, word, notices: [] };
    }
    case "question":
      return { kind: "rows", word: "SELECT", ...(await asking.ask(statement.text, values, types)) };
    case "copy": {
      const { options } = statement;
      return { kind: "copy", options, ...(await asking.ask(statement.text, values, types)) };
    }
    case "declare": {
      const { cursor, isHeld } = statement;
      if (!isHeld && session.transaction.state === "I") throw needsBlock();
      session.cursors.requireFree(cursor);
      const { answer, notices } = await asking.ask(statement.text, values, types);
      session.cursors.add(cursor, new Cursor(answer, isHeld));
      return { kind: "done", tag: "DECLARE CURSOR", notices };
    }
    case "fetch": {
      const { most, moves } = statement;
      const cursor = session.cursors.named(statement.cursor);
      if (moves) return { kind: "done", tag: `MOVE ${[...cursor.take(most)].length}`, notices: [] };
      const rows: WireAnswer["rows"] = () => cursor.take(most);
      return { kind: "rows", answer: { columns: cursor.columns, rows }, word: "FETCH", notices: [] };
    }
  }
}

/** Errors: InFailedBlock. */
export function requireOpenBlock(statement: Statement | null, { transaction }: SessionState): void {
  const ends = statement?.kind === "session" && statement.endsBlock;
  if (transaction.state === "E" && !ends) throw new InFailedBlock();
}

function needsBlock(): LetheError {
  return new LetheError("query.option", "a cursor lives in a block", {
    fix: "write BEGIN first, or DECLARE … CURSOR WITH HOLD FOR …",
  });
}
