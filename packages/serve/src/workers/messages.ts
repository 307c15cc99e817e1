import { type ErrorCode, LetheError } from "@lethe/core";

/**
 * What passes between a pool and a worker. Every body is JSON text: an Exact refuses to be written so, and neither a charge nor a source of randomness survives it, so that none of them
 * crosses by mistake.
 */
export type ToWorker =
  | { readonly kind: "job"; readonly body: string }
  /** The reply to a call, or its refusal. */
  | { readonly kind: "reply"; readonly call: number; readonly body: string }
  | { readonly kind: "refusal"; readonly call: number; readonly error: ErrorText }
  | { readonly kind: "close" };

export type FromWorker =
  /** The worker may be given jobs. `stamp` names what it opened: workers with different ones answer from different data. */
  | { readonly kind: "ready"; readonly stamp: string }
  /** A job asks the pool's side for something, such as a charge. */
  | { readonly kind: "call"; readonly call: number; readonly body: string }
  | { readonly kind: "done"; readonly body: string }
  | { readonly kind: "refused"; readonly error: ErrorText };

/** A coded error as JSON. */
export interface ErrorText {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fix: string;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly offset?: number;
}

/** Returns an error as it crosses: what is not coded may say anything, and becomes one constant. */
export function errorToText(error: unknown): ErrorText {
  if (!(error instanceof LetheError)) return errorToText(unexpected());
  const { code, message, fix, fields, offset } = error;
  return { code, message, fix, fields, ...(offset === undefined ? {} : { offset }) };
}

/** Returns the error that {@link errorToText} wrote. */
export function errorFromText({ code, message, fix, fields, offset }: ErrorText): LetheError {
  return new LetheError(code, message, { fix, fields, ...(offset === undefined ? {} : { offset }) });
}

function unexpected(): LetheError {
  return new LetheError("internal.invariant", "a worker met an error that nobody expected", {
    fix: "ask the owner to read the log",
  });
}

/** Returns a value as JSON text; nothing is written as null. */
export function toBody(value: unknown): string {
  return JSON.stringify(value ?? null);
}
