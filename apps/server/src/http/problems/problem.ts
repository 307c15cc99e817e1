import { type ErrorCode, LetheError } from "@lethe/core";
import { errorCodes } from "@lethe/core/errors";
import { placeOf } from "@lethe/query";
import { HTTPException } from "hono/http-exception";
import { bodyProblem } from "./request-problem.ts";
import { statusOf } from "./status-of.ts";

/** A refusal as RFC 9457 has it, with the members of every error of Lethe. It never holds a value of the data, a stack or a path. */
export interface Problem {
  /** Names the kind of the problem: the code as a URN. docs/reference/errors.md documents each. */
  readonly type: string;
  /** What the code means, the same for every refusal with it. */
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly fix: string;
  readonly fields: LetheError["fields"];
  /** Where in the question's text: both from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** The one family whose refusals that only time or an operator can mend are told in their own words. Those of others name files, databases or settings: the owner's log has them. */
const toldAlways = "serve";

const ofOperators = "the service cannot answer now, and its operator has been told";

/**
 * Returns an error as a problem. Errors that an operator must mend are told by their code alone, in one constant message, and an error that is none of Lethe's as
 * internal.invariant; a body that could not be read is the sender's.
 * @param text the question, in which the error's place is told by line and column
 */
export function problemOf(error: unknown, text?: string): Problem {
  const known = asOurs(error);
  const code = known?.code ?? "internal.invariant";
  const status = statusOf(code);
  const told = known !== null && !isForOperators(known);
  return {
    type: `urn:lethe:error:${code}`,
    title: errorCodes[code],
    status,
    detail: told ? known.message : ofOperators,
    code,
    fix: told ? known.fix : "try again later, with the same request id",
    fields: told ? known.fields : {},
    ...placeIn(known, text),
  };
}

/** Whether an error is told to those who ask by its code alone, since only an operator can mend it. */
export function isForOperators(error: unknown): boolean {
  const known = asOurs(error);
  return known === null || (statusOf(known.code) >= 500 && known.code.split(".")[0] !== toldAlways);
}

function asOurs(error: unknown): LetheError | null {
  if (error instanceof LetheError) return error;
  return error instanceof HTTPException && error.status < 500 ? bodyProblem() : null;
}

function placeIn(error: LetheError | null, text: string | undefined): { line?: number; column?: number } {
  if (error?.offset === undefined || text === undefined) return {};
  const { line, column } = placeOf(text, error.offset);
  return { line, column };
}
