import { LetheError } from "@lethe/core";
import { constant } from "../constant.ts";
import type { OperatorText, OperatorTexts } from "../dialect.ts";
import { once } from "./once.ts";

/** Trino's regular expressions go back, and can take exponential time on one text. */
const refused: OperatorText = () => {
  throw new LetheError("query.unsupported", "Trino's regular expressions have no bound on their time", {
    fix: "write LIKE '…%', SPLIT_PART or SUBSTR",
  });
};

/** Words are runs of letters and digits of ASCII, and of all other characters. */
const word = String.raw`'([0-9A-Za-z\x{80}-\x{10ffff}])([0-9A-Za-z\x{80}-\x{10ffff}]*)'`;

export const patterns: OperatorTexts<
  "matches" | "regexp_extract" | "regexp_replace" | "initcap" | "split_part"
> = {
  matches: refused,
  regexp_extract: refused,
  regexp_replace: refused,
  initcap: ([a]) => `regexp_replace(${a}, ${word}, w -> upper(w[1]) || lower(w[2]))`,
  // Beyond the last part there is NULL in Trino. What split_part cannot count from the end is found in an array of all parts.
  split_part: ([a, separator], { args: [, , number] }) => {
    const at = Number(constant(number));
    return once(a, (v) => {
      const part =
        at > 0 ? `split_part(${v}, ${separator}, ${at})` : `element_at(split(${v}, ${separator}), ${at})`;
      return `CASE WHEN ${v} IS NOT NULL THEN coalesce(${part}, '') END`;
    });
  },
};
