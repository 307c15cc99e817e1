import { LetheError } from "@lethe/core";
import { problemOf } from "../../http/problems/problem.ts";
import type { Fields } from "../frames/server-message.ts";
import { Canceled } from "../session/canceled.ts";
import { InFailedBlock } from "../session/transaction.ts";
import { Closing } from "../sign-in/closing.ts";
import { sqlState } from "./sql-state.ts";

/** A question within the text that a client sent. */
export interface Place {
  readonly text: string;
  /** Where the question begins: a UTF-16 index into the text. */
  readonly offset: number;
}

/**
 * Returns the fields of an error: what HTTP tells of it too, with the SQLSTATE of its code, the code itself as the routine, and its place in characters from 1.
 */
export function errorFields(error: unknown, severity: "ERROR" | "FATAL", place: Place | null = null): Fields {
  const said = { S: severity, V: severity };
  if (error instanceof InFailedBlock)
    return {
      ...said,
      C: "25P02",
      M: "current transaction is aborted, commands ignored until end of transaction block",
      H: "write ROLLBACK; what was charged before stays charged, and its answers are given again for nothing",
    };
  if (error instanceof Closing) return { ...said, C: error.state, M: error.message, H: "connect again" };
  const { code, detail, fix, status } = problemOf(error instanceof Canceled ? calledOff(error) : error);
  const at = status < 500 && error instanceof LetheError ? error.offset : undefined;
  return {
    ...said,
    C: sqlState(code),
    M: detail,
    H: fix,
    ...(at === undefined || place === null
      ? {}
      : { P: String([...place.text.slice(0, place.offset + at)].length + 1) }),
    R: code,
  };
}

function calledOff({ by }: Canceled): LetheError {
  const again = "ask the same question again: what was charged is answered at no further charge";
  return by === "client"
    ? new LetheError("serve.canceled", "the client called off its wait for the answer", { fix: again })
    : new LetheError("serve.canceled", "the wait for the answer was canceled by statement_timeout", {
        fix: `${again}; SET statement_timeout = 0 waits for it`,
      });
}
