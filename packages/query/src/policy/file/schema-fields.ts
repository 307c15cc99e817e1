import { LetheError, parseRational, type Rational } from "@lethe/core";
import { z } from "zod";
import { didYouMean } from "../../refusals/did-you-mean.ts";
import { isName, isPrintable, namePattern, nameRule, printablePattern } from "../check-name.ts";

/** Declared numbers stay small enough that sums over any table fit the engines' integers. */
export const maxMagnitude: number = 2 ** 50;
export const maxCategories: number = 10_000;
export const maxTextLength: number = 10_000;

/** A schema's message: what is wrong, and on a second line what would be accepted. ./read-policy.ts splits them. */
export function says(wrong: string, fix: string): string {
  return `${wrong}\n${fix}`;
}

/** A map with these keys and no others. */
export function closed<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys")
        return says("must be a map of keys", `write ${known.join(", ")}`);
      const key = String((issue.keys as readonly string[])[0]);
      return says(`unknown key ${JSON.stringify(key)}`, didYouMean(key, known));
    },
  });
}

export const number: z.ZodNumber = z
  .number({ error: says("must be a finite number", "write it as 12, -3.5 or 1e6") })
  .min(-maxMagnitude, { error: says("is below -2^50", "rescale the column, or state tighter bounds") })
  .max(maxMagnitude, { error: says("is above 2^50", "rescale the column, or state tighter bounds") });

export const integer: z.ZodNumber = number.int({
  error: says("must be a whole number", "write it without a fraction"),
});

export const positiveInteger: z.ZodNumber = integer.min(1, {
  error: says("must be at least 1", "write 1, 2, 3 …"),
});

export const boolean: z.ZodBoolean = z.boolean({
  error: says("must be true or false", "write true or false"),
});

export const text: z.ZodString = z
  .string({ error: says("must be a text", 'put it in quotes: "…"') })
  .refine(
    isPrintable,
    says("holds a control or text-direction character", "remove it; such texts can hide what a reader sees"),
  )
  .meta({ pattern: printablePattern });

export const name: z.ZodString = z
  .string({ error: says("must be a name", 'put it in quotes: "…"') })
  .refine(isName, says("is not a name that can be used", `a name is ${nameRule}`))
  .meta({ pattern: namePattern });

/** Keys of `tables`, `columns`, `analysts`; two that differ only by case are refused, as SQL could not tell them apart. */
export function named<Value extends z.ZodType>(value: Value, what: string): z.ZodRecord<z.ZodString, Value> {
  return z
    .record(name, value, { error: says(`must be a map from ${what} names`, `write ${what}: …`) })
    .superRefine((map, context) => {
      const seen = new Map<string, string>();
      for (const key of Object.keys(map)) {
        const folded = key.toLowerCase();
        const other = seen.get(folded);
        if (other !== undefined)
          context.addIssue({
            code: "custom",
            path: [key],
            message: says(`differs from ${JSON.stringify(other)} only by case`, "rename one of the two"),
          });
        seen.set(folded, key);
      }
    });
}

/** The YAML reader hands these over as they were written, so that 0.1 is 1/10 and never a double. */
export function exactNumber(what: string, rule: (value: Rational) => boolean, domain: string): z.ZodString {
  return z
    .string({ error: says(`must be a number, ${domain}`, `write ${what} as 0.5, 1e-6 or "1/3"`) })
    .refine(
      (source) => {
        try {
          return rule(parseRational(source, what));
        } catch (error) {
          if (error instanceof LetheError) return false;
          throw error;
        }
      },
      // Aborts, so that rules between keys never see a number that cannot be read.
      {
        abort: true,
        error: says(`must be ${domain}`, `write ${what} as a number ${domain}, such as 0.5, 1e-6 or "1/3"`),
      },
    )
    .meta({ exact: true });
}
