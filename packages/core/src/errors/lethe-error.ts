import type { ErrorCode } from "./codes.ts";

/** The details that every refusal of Lethe carries. `fields` name things of the question or the policy, never a value of the data. */
export interface ErrorDetails {
  /** The remedy: a rewrite, a command or a limit that would be accepted. */
  readonly fix: string;
  /** The thing, the limit, the place: stable names for programs. */
  readonly fields?: Readonly<Record<string, string | number>>;
  /** UTF-16 index into the question's text, where there is one. */
  readonly offset?: number;
}

/**
 * The one family of errors. `code` is stable and documented in docs/reference/errors.md; `message` says what is wrong and
 * `fix` what would be accepted. Neither ever contains a value of the data.
 * @example throw new LetheError("query.unknown-column", 'no column "wages" in people', { fix: 'did you mean "wage"?' })
 */
export class LetheError extends Error {
  override readonly name: string = "LetheError";
  readonly code: ErrorCode;
  readonly fix: string;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly offset: number | undefined;

  /** An error of another copy of Lethe in the same program is one too: `lethe` brings its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "LetheError";
  }

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message);
    this.code = code;
    this.fix = details.fix;
    this.fields = details.fields ?? {};
    this.offset = details.offset;
  }

  toJSON(): {
    code: ErrorCode;
    message: string;
    fix: string;
    fields: Readonly<Record<string, string | number>>;
  } {
    return { code: this.code, message: this.message, fix: this.fix, fields: this.fields };
  }
}

/** A parameter outside its domain. The value shown is the caller's own, never one of the data. */
export function invalidParameter(name: string, value: unknown, domain: string): LetheError {
  return new LetheError("parameter.invalid", `${name} must be ${domain}, got ${String(value).slice(0, 60)}`, {
    fix: `give ${name} a value that is ${domain}`,
    fields: { name, domain },
  });
}
