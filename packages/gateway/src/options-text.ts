import { parseRational, type Rational, toText } from "@lethe/core";
import type { AskedOptions } from "./question.ts";

const exactNames = [
  "epsilon",
  "delta",
  "targetError",
  "targetErrorRelative",
  "pilotEpsilon",
  "maxEpsilon",
  "advantage",
] as const;

type Exact<Value> = { readonly [Name in (typeof exactNames)[number]]?: Value | null };

/** The options of a question as JSON, for another thread: exact numbers are texts. */
export type AskedOptionsText = Omit<AskedOptions, keyof Exact<unknown>> & Exact<string>;

/** Returns options as JSON. */
export function optionsToText(options: AskedOptions): AskedOptionsText {
  return withExact<Rational, string, AskedOptions>(options, toText);
}

/** Returns the options that {@link optionsToText} wrote. */
export function optionsFromText(options: AskedOptionsText): AskedOptions {
  return withExact<string, Rational, AskedOptionsText>(options, (text) => parseRational(text));
}

function withExact<From, To, Options extends Exact<From>>(
  options: Options,
  to: (value: From) => To,
): Omit<Options, keyof Exact<unknown>> & Exact<To> {
  const { epsilon, delta, targetError, targetErrorRelative, pilotEpsilon, maxEpsilon, advantage, ...others } =
    options;
  const exact = { epsilon, delta, targetError, targetErrorRelative, pilotEpsilon, maxEpsilon, advantage };
  const written: { -readonly [Name in keyof Exact<To>]: To | null } = {};
  for (const name of exactNames) {
    const value = exact[name];
    if (value !== undefined) written[name] = value === null ? null : to(value);
  }
  return { ...others, ...written };
}
