import { LetheError, parseRational, type Rational } from "@lethe/core";
import { compare, divide, zero } from "@lethe/core/numeric";
import type { StatedOption } from "../../parse/parsed-question.ts";
import { didYouMean } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { QuestionOptions } from "../names/resolved-query.ts";
import { resolveName } from "../names/scope.ts";

const one = parseRational("1");
const hundred = parseRational("100");

function exact(option: StatedOption, accepts: (value: Rational) => boolean, domain: string): Rational {
  try {
    const value = parseRational(option.value, option.name);
    if (option.kind !== "word" && accepts(value)) return value;
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
  }
  return refuse(
    "query.option",
    `${option.name} must be a number ${domain}`,
    `write ${option.name} = 0.5 or 1e-6, whatever is ${domain}`,
    option.offset,
  );
}

function positive(option: StatedOption): Rational {
  return exact(option, (x) => compare(x, zero) > 0, "above 0");
}

/** Whether a number is written in hundredths, as '5%' is. */
export function isPercentage(value: string): boolean {
  return value.endsWith("%");
}

function requestId(option: StatedOption): string {
  if (option.kind === "text" && option.value !== "") return option.value;
  return refuse(
    "query.option",
    `${option.name} must be the id of a request, in quotes`,
    `write ${option.name} = 'the id that the earlier question was asked under'`,
    option.offset,
  );
}

function count(option: StatedOption): number {
  const value = /^\d{1,9}$/.test(option.value) && option.kind === "number" ? Number(option.value) : 0;
  if (value < 1)
    refuse(
      "query.option",
      `${option.name} must be a whole number, at least 1`,
      `write ${option.name} = 1`,
      option.offset,
    );
  return value;
}

function choice<Value>(option: StatedOption, values: Readonly<Record<string, Value>>): Value {
  const key = option.value.toLowerCase();
  if (!Object.hasOwn(values, key))
    refuse(
      "query.option",
      `${option.name} cannot be ${JSON.stringify(option.value)}`,
      didYouMean(key, Object.keys(values)),
      option.offset,
    );
  return values[key]!;
}

function unitColumn(
  option: StatedOption,
  units: readonly string[] | null,
  namesUnit: NamesUnit | null,
): string {
  if (units === null)
    refuse(
      "query.option",
      "each row is one unit, so no column names it",
      "leave privacy_unit_column out",
      option.offset,
    );
  const parts = option.kind === "name" ? option.value.split(".") : [option.value];
  const isOwn = units[0] !== undefined && namesUnit?.(parts, option.offset);
  const column = (parts.length === 1 ? resolveName(option.value, units) : null) ?? (isOwn ? units[0] : null);
  if (column === null || column === undefined)
    refuse(
      "query.option",
      "privacy_unit_column can name the policy's unit, not choose another",
      units[0] === undefined ? "leave it out" : `write privacy_unit_column = ${units[0]}, or leave it out`,
      option.offset,
    );
  return column;
}

/** Whether the parts of a name are those of a column of FROM that names the unit. */
export type NamesUnit = (parts: readonly string[], offset: number) => boolean;

type Reader = (
  option: StatedOption,
  units: readonly string[] | null,
  namesUnit: NamesUnit | null,
) => Partial<QuestionOptions>;
const readers: Readonly<Record<string, Reader>> = {
  epsilon: (option) => ({ epsilon: positive(option) }),
  delta: (option) => ({
    delta: exact(option, (x) => compare(x, zero) >= 0 && compare(x, one) < 0, "at least 0 and below 1"),
  }),
  max_groups_contributed: (option) => ({ maxGroupsContributed: count(option) }),
  max_rows_contributed: (option) => ({ maxRowsContributed: count(option) }),
  max_rows_contributed_per_group: (option) => ({ maxRowsPerGroup: count(option) }),
  min_privacy_units_per_group: (option) => ({ minPrivacyUnitsPerGroup: count(option) }),
  privacy_unit_column: (option, units, namesUnit) => ({
    privacyUnitColumn: unitColumn(option, units, namesUnit),
  }),
  group_selection_strategy: (option) => ({
    groupSelection: choice(option, {
      laplace_threshold: "private",
      private: "private",
      public_groups: "public",
      public: "public",
    }),
  }),
  target_error: (option) =>
    isPercentage(option.value)
      ? { targetErrorRelative: divide(positive({ ...option, value: option.value.slice(0, -1) }), hundred) }
      : { targetError: positive(option) },
  target_error_relative: (option) => ({ targetErrorRelative: positive(option) }),
  target_release: (option) => ({ targetRelease: requestId(option) }),
  pilot_epsilon: (option) => ({ pilotEpsilon: positive(option) }),
  max_epsilon: (option) => ({ maxEpsilon: positive(option) }),
  target_rows: (option) => ({ targetRows: count(option) }),
  advantage: (option) => ({
    advantage: exact(option, (x) => compare(x, zero) > 0 && compare(x, one) < 0, "above 0 and below 1"),
  }),
  accept_uninformative: (option) => ({
    acceptUninformative: choice(option, { true: true, false: false }),
  }),
  mechanism: (option) => ({ mechanism: choice(option, { laplace: "laplace", gaussian: "gaussian" }) }),
};

const silent: QuestionOptions = {
  epsilon: null,
  delta: null,
  maxGroupsContributed: null,
  maxRowsContributed: null,
  maxRowsPerGroup: null,
  groupSelection: null,
  everyPublicKey: null,
  mechanism: null,
  privacyUnitColumn: null,
  minPrivacyUnitsPerGroup: null,
  targetError: null,
  targetErrorRelative: null,
  targetRelease: null,
  pilotEpsilon: null,
  maxEpsilon: null,
  targetRows: null,
  advantage: null,
  acceptUninformative: null,
};

/**
 * Reads the options that OPTIONS(…) states; `units` are the columns that name the unit, null where rows are units; `namesUnit` tells those that the
 * question calls otherwise. An option that is NULL is as if it were left out.
 * Errors: query.option, naming the option and its domain.
 */
export function resolveOptions(
  options: readonly StatedOption[],
  units: readonly string[] | null,
  namesUnit: NamesUnit | null = null,
): QuestionOptions {
  const stated = options.map((option) => {
    const reader = Object.hasOwn(readers, option.name) ? readers[option.name] : undefined;
    if (!reader)
      refuse(
        "query.option",
        `there is no option ${option.name}`,
        didYouMean(option.name, Object.keys(readers)),
        option.offset,
      );
    return option.kind === "null" ? {} : reader(option, units, namesUnit);
  });
  const names = stated.flatMap((each) => Object.keys(each));
  if (new Set(names).size < names.length)
    refuse("query.option", "two target errors are stated", "leave target_error or target_error_relative out");
  return Object.assign({}, silent, ...stated) as QuestionOptions;
}
