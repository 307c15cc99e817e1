import { z } from "zod";
import { readTime, type TimeType, timeLimits, writeTime } from "../../expressions/calendar/times.ts";
import { periodOf, periodSchema } from "./period.ts";
import type { ColumnFile } from "./policy-file.ts";
import {
  boolean,
  closed,
  integer,
  maxCategories,
  maxTextLength,
  number,
  positiveInteger,
  says,
  text,
} from "./schema-fields.ts";

const boundsFix = "write bounds: [lowest, highest], two finite numbers with lowest < highest";

function bounds(item: z.ZodNumber): z.ZodTuple<[z.ZodNumber, z.ZodNumber], null> {
  return z
    .tuple([item, item], { error: says("must be a pair of numbers", boundsFix) })
    .refine(([lo, hi]) => lo < hi, says("the lower bound must be below the upper", boundsFix));
}

function categories<Item extends z.ZodType<string | number>>(item: Item): z.ZodArray<Item> {
  return z
    .array(item, { error: says("must be a list", "write categories: [a, b, c]") })
    .min(1, says("must not be empty", "write categories: [a, b, c], or leave it out"))
    .max(
      maxCategories,
      says(
        `holds more than ${maxCategories} categories`,
        "leave categories out: keys are then selected privately",
      ),
    )
    .refine(
      (list) => new Set(list).size === list.length,
      says("names a category twice", "write each category once"),
    );
}

const category = text.min(1, {
  error: says("must not be the empty text", "leave it out: an empty value is NULL"),
});

type Refine = z.core.$RefinementCtx<unknown>;
function faulty(context: Refine, key: string, message: string): void {
  context.addIssue({ code: "custom", path: [key], message });
}

const within = (value: number, [lo, hi]: readonly [number, number]): boolean => value >= lo && value <= hi;
const defaultWithin = says(
  "must lie within the bounds",
  "choose a default between the bounds, or leave it out: NULL",
);
const defaultAmong = says("must be one of the categories", "choose one of them, or leave it out: NULL");

const typeWords = "What the values are read as: number, integer, text, boolean, date or timestamp.";
const boundsWords =
  "The lowest and the highest value, which are public. What lies outside is set to the nearer one.";
const categoriesWords =
  "The values that there can be, which are public. Any other becomes the default, or NULL.";
const defaultWords = "What stands for NULL and for what cannot be read; NULL unless stated.";

const numberColumn = closed({
  type: z.literal("number").describe(typeWords),
  bounds: bounds(number).optional().describe(boundsWords),
  default: number.optional().describe(defaultWords),
}).superRefine((column, context) => {
  if (column.bounds && column.default !== undefined && !within(column.default, column.bounds))
    faulty(context, "default", defaultWithin);
});

const integerColumn = closed({
  type: z.literal("integer").describe(typeWords),
  bounds: bounds(integer).optional().describe(boundsWords),
  categories: categories(integer).optional().describe(categoriesWords),
  default: integer.optional().describe(defaultWords),
}).superRefine((column, context) => {
  if (column.bounds && column.categories)
    faulty(
      context,
      "categories",
      says("cannot stand beside bounds", "state one of the two: categories have their own bounds"),
    );
  if (column.default === undefined) return;
  if (column.bounds && !within(column.default, column.bounds)) faulty(context, "default", defaultWithin);
  if (column.categories && !column.categories.includes(column.default))
    faulty(context, "default", defaultAmong);
});

const characters = (value: string): number => [...value].length;

const textColumn = closed({
  type: z.literal("text").describe(typeWords),
  categories: categories(category).optional().describe(categoriesWords),
  default: text.optional().describe(defaultWords),
  max_length: positiveInteger
    .max(maxTextLength, { error: says(`is above ${maxTextLength}`, `write at most ${maxTextLength}`) })
    .optional()
    .describe(`Longer values are cut to so many characters: ${maxTextLength} unless stated.`),
}).superRefine((column, context) => {
  if (column.categories && column.default !== undefined && !column.categories.includes(column.default))
    faulty(context, "default", defaultAmong);
  const limit = column.max_length ?? maxTextLength;
  if ([...(column.categories ?? []), column.default ?? ""].some((value) => characters(value) > limit))
    faulty(context, "max_length", says("is shorter than a category or the default", "raise max_length"));
});

const booleanColumn = closed({
  type: z.literal("boolean").describe(typeWords),
  default: boolean.optional().describe(defaultWords),
});

const day = 86_400_000;
const longestRounding = 1000 * day;

/** A time as a policy writes it: years alone would be numbers, so it is always a whole day. */
function timeText(type: TimeType): z.ZodString {
  const example = type === "date" ? "2020-02-29" : '"2020-02-29 12:30:00"';
  return text.refine(
    (written) => readTime(type, written) !== null,
    says(
      `is not a ${type} that every engine knows`,
      `write it as ${example}, in UTC, between ${timeLimits[type].map((limit) => writeTime(type, limit).slice(0, 10)).join(" and ")}`,
    ),
  );
}

function timeColumn<Type extends TimeType>(type: Type) {
  const fix =
    type === "date"
      ? "write bounds: [2020-01-01, 2029-12-31]"
      : 'write bounds: ["2020-01-01 00:00:00", "2029-12-31 23:59:59"]';
  return closed({
    type: z.literal(type).describe(typeWords),
    bounds: z
      .tuple([timeText(type), timeText(type)], { error: says(`must be a pair of ${type}s`, fix) })
      .refine(
        ([lo, hi]) => readTime(type, lo)! < readTime(type, hi)!,
        says("the lower bound must be before the upper", fix),
      )
      .optional()
      .describe(
        "The first and the last time, in UTC, that values can be. What lies outside becomes the default, or NULL.",
      ),
    default: timeText(type).optional().describe(defaultWords),
    round_filters: periodSchema("round_filters")
      .optional()
      .describe(
        "The minutes, hours or days down to which the times of a question are rounded that are compared with the column by <, <=, >, >= or BETWEEN: a filter that moves with the clock asks the same question within them.",
      ),
  }).superRefine((column, context) => {
    // NaN where the period itself is refused.
    const length = column.round_filters === undefined ? 0 : periodOf(column.round_filters);
    if (length >= 0 && (length > longestRounding || (type === "date" && length % day !== 0)))
      faulty(
        context,
        "round_filters",
        says(
          type === "date" ? "is no length for a date" : "is too long",
          type === "date"
            ? "write whole days, at most 1000: round_filters: 7d"
            : "write at most 1000 days: round_filters: 1h",
        ),
      );
    if (!column.bounds || column.default === undefined) return;
    const [lo, hi] = column.bounds.map((bound) => readTime(type, bound)!) as [number, number];
    if (!within(readTime(type, column.default)!, [lo, hi])) faulty(context, "default", defaultWithin);
  });
}

export const columnSchema: z.ZodType<ColumnFile> = z.discriminatedUnion(
  "type",
  [numberColumn, integerColumn, textColumn, booleanColumn, timeColumn("date"), timeColumn("timestamp")],
  {
    error: (issue) =>
      issue.code === "invalid_union"
        ? says("is not a type of column", "write type: number, integer, text, boolean, date or timestamp")
        : says("must be a map of keys", "write a column as { type: number, bounds: [0, 60] }"),
  },
);
