import { says, text } from "@lethe/query/files";
import { z } from "zod";

const longest = 1000;
const mostLimits = 20;

const words = text
  .min(1, { error: says("is empty", "write a sentence, or leave the key out") })
  .max(longest, {
    error: says(`is longer than ${longest} characters`, "say it shorter, or name a page that says it"),
  });

/** The two keys of a file. */
export const ownersWords: {
  readonly purpose: z.ZodOptional<z.ZodString>;
  readonly limits: z.ZodOptional<z.ZodUnion<readonly [z.ZodString, z.ZodArray<z.ZodString>]>>;
} = {
  purpose: words.optional().describe("The use that it is meant for, in one line of your own words."),
  limits: z
    .union([words, z.array(words).min(1).max(mostLimits)], {
      error: says(
        `is no text, and no list of 1 to ${mostLimits} texts of at most ${longest} characters`,
        'write limits: "…", or limits: ["…", "…"]',
      ),
    })
    .optional()
    .describe("The uses that it is not fit for, in your own words: a text, or a list of texts."),
};
