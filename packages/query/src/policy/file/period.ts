import { z } from "zod";
import { says } from "./schema-fields.ts";

/** Milliseconds of each unit in which a period is written. */
const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const pattern = /^([1-9]\d{0,4})([mhd])$/;

/** A period as the policy states it under a key: a whole number of minutes, hours or days. */
export function periodSchema(key: "answers_valid" | "round_filters"): z.ZodString {
  const error = says(
    "is not a period",
    `write whole minutes, hours or days, from 1 to 99999 of them: ${key}: 30m, 12h or 1d`,
  );
  return z.string({ error }).regex(pattern, { error });
}

/** Reads a period that {@link periodSchema} has let pass, in milliseconds; NaN for another text. */
export function periodOf(written: string): number {
  const [, count, unit] = pattern.exec(written) ?? [];
  return Number(count) * units[unit as keyof typeof units];
}

/** Milliseconds of each unit in which a span is written. */
const shortUnits = { ms: 1, s: 1000 } as const;

const spanPattern = /^([1-9]\d{0,5})(ms|s)$/;
const longest = 600_000;
const spanRule = says(
  "is not a span of time",
  "write whole milliseconds or seconds, from 1ms to 600s: release_schedule: 500ms or 2s",
);

/** A span as the policy states it: a whole number of milliseconds or seconds, ten minutes at most. */
export const spanSchema: z.ZodString = z
  .string({ error: spanRule })
  .regex(spanPattern, { error: spanRule })
  .refine((written) => !spanPattern.test(written) || spanOf(written) <= longest, spanRule);

/** Reads a span that {@link spanSchema} has let pass, in milliseconds. */
export function spanOf(written: string): number {
  const [, count, unit] = spanPattern.exec(written)!;
  return Number(count) * shortUnits[unit as keyof typeof shortUnits];
}
