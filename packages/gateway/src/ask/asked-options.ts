import { invalidParameter, parseRational, type Rational, ratio, rationalOf } from "@lethe/core";
import { divide } from "@lethe/core/numeric";

import { listParameters, type ParameterValue } from "@lethe/query";
import type { AskedOptions } from "../question.ts";
import type { Release } from "../release.ts";

/** The options of a question. Numbers may be texts ("0.1", "1/3"), which are read exactly. */
export interface AskOptions {
  /** The principal who asks: an analyst of the policy, or "owner". */
  readonly principal?: string;
  /** The project that it is asked for: one that the policy states, whose caps cover the question too. */
  readonly project?: string;
  /** The price; the policy's default where it is left out. */
  readonly epsilon?: number | string;
  readonly delta?: number | string;
  /** The way in which group keys are chosen, where the policy allows both. */
  readonly keys?: "public" | "private";
  readonly mechanism?: "laplace" | "gaussian";
  /** The half-width that no answer's interval may exceed, in the question's units, instead of a price. */
  readonly targetError?: number | string;
  /**
   * The target error as a share: of the numbers of an earlier release or of a pilot, else, for counts, of the policy's expected_rows. `targetError:
   * "5%"` says it too.
   */
  readonly targetErrorRelative?: number | string;
  /** The release that the share is of: the id of a request that this ledger answered, or its release. */
  readonly targetRelease?: string | Release;
  /** Asks first at this price, and then at the price that the first answer suggests, at most `maxEpsilon`. */
  readonly pilotEpsilon?: number | string;
  readonly maxEpsilon?: number | string;
  /** The most that a test of membership may gain over guessing from this question, instead of a price: 0.1 for ten in a hundred. */
  readonly advantage?: number | string;
  /** Rows of the smallest group that the target is meant for, where the half-width depends on it. */
  readonly targetRows?: number | string;
  /** Pays for an answer that is known to say next to nothing, which is refused otherwise. */
  readonly acceptUninformative?: boolean;
  /** The values of $1, $2 … in the question, as a list, or of @name, by name: never read as SQL. */
  readonly params?:
    | readonly (number | string | boolean | null)[]
    | Readonly<Record<string, number | string | boolean | null>>;
  /** The day, YYYY-MM-DD, that CURRENT_DATE and now() stand for; today's in UTC where it is left out. */
  readonly today?: string;
  /** Coverage of the intervals; 0.95. */
  readonly confidence?: number | string;
}

/** Returns the options as the gateway takes them. `text` is the question whose parameters have names. */
export function askedOptions(options: AskOptions, text = ""): AskedOptions {
  const { epsilon, delta, keys = null, mechanism = null, confidence = 0.95 } = options;
  const { targetRows, params } = options;
  return {
    epsilon: exact(epsilon, "epsilon"),
    delta: exact(delta, "delta"),
    groupSelection: keys,
    mechanism,
    ...targetOf(options),
    ...(params === undefined ? {} : { parameters: parameterList(text, params) }),
    ...(options.advantage === undefined ? {} : { advantage: gainOf(options.advantage) }),
    targetRows: targetRows === undefined ? null : wholeRows(String(targetRows)),
    acceptUninformative: options.acceptUninformative === true ? true : null,
    confidence: coverage(String(confidence)),
    ...(options.today === undefined ? {} : { today: options.today }),
    ...(options.project === undefined ? {} : { project: options.project }),
  };
}

/** The values of a text's parameters in order, of a list or by their names. */
export function parameterList(
  text: string,
  params: NonNullable<AskOptions["params"]>,
): readonly ParameterValue[] {
  return isList(params) ? params : listParameters(text, params);
}

function isList(params: NonNullable<AskOptions["params"]>): params is readonly ParameterValue[] {
  return Array.isArray(params);
}

/** The target error in its forms: absolute, a share, what the share is of. Errors: parameter.invalid. */
function targetOf({
  targetError,
  targetErrorRelative,
  targetRelease,
  pilotEpsilon,
  maxEpsilon,
}: AskOptions): Partial<AskedOptions> {
  const percentage = typeof targetError === "string" && targetError.endsWith("%") ? targetError : null;
  if (percentage !== null && targetErrorRelative !== undefined)
    throw invalidParameter("target error", targetError, "stated once");
  const share = percentage === null ? null : positive(percentage.slice(0, -1), "target error");
  return {
    targetError: percentage === null ? positive(targetError, "target error") : null,
    targetErrorRelative: share
      ? divide(share, ratio(100n))
      : positive(targetErrorRelative, "relative target error"),
    targetRelease:
      typeof targetRelease === "object" ? targetRelease.certificate.requestId : (targetRelease ?? null),
    ...(typeof targetRelease === "object" ? { heldRelease: targetRelease } : {}),
    pilotEpsilon: positive(pilotEpsilon, "pilot epsilon"),
    maxEpsilon: positive(maxEpsilon, "max epsilon"),
  };
}

/** A decimal as its nearest double; what is no number at all is refused by its text. */
function coverage(text: string): number {
  parseRational(text, "confidence");
  const [num, den = "1"] = text.split("/");
  const nearest = Number(num) / Number(den);
  if (nearest > 0 && nearest < 1) return nearest;
  throw invalidParameter("confidence", text, "between 0 and 1, both excluded");
}

/** A number through its shortest decimal text, so that 0.1 means one tenth. */
function exact(value: number | string | undefined, name: string): Rational | null {
  return value === undefined ? null : rationalOf(value, name);
}

function positive(value: number | string | undefined, name: string): Rational | null {
  const number = exact(value, name);
  if (number !== null && number.num <= 0n) throw invalidParameter(name, value, "above 0");
  return number;
}

function gainOf(value: number | string): Rational {
  const number = rationalOf(value, "advantage");
  if (number.num > 0n && number.num < number.den) return number;
  throw invalidParameter("advantage", value, "above 0 and below 1");
}

function wholeRows(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw invalidParameter("target rows", text, "a whole number, at least 1");
}
