import type { PostTextOperator } from "@lethe/query";

/** The value of an operator over texts and numbers, none of which is NULL; null where it has none. */
type OfTexts = (...values: readonly (string | number)[]) => string | number | boolean | null;

const letters = (text: string | number | undefined): readonly string[] => Array.from(String(text ?? ""));
const blanksBefore = /^ +/u;
const blanksBehind = / +$/u;

/** Letters of words in small, the first of each in capitals. A word is a run of letters, digits and characters beyond ASCII. */
function capitalized(text: string): string {
  let isWithin = false;
  return letters(text)
    .map((letter) => {
      const isOfWord = /[0-9A-Za-z]/.test(letter) || (letter.codePointAt(0) ?? 0) >= 0x80;
      const written = isOfWord ? (isWithin ? letter.toLowerCase() : letter.toUpperCase()) : letter;
      isWithin = isOfWord;
      return written;
    })
    .join("");
}

function partOf(text: string, separator: string, number: number): string {
  const parts: string[] = [];
  let rest = text;
  for (let at = rest.indexOf(separator); at >= 0; at = rest.indexOf(separator)) {
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + separator.length);
  }
  parts.push(rest);
  return (number > 0 ? parts[number - 1] : parts[parts.length + number]) ?? "";
}

function placeOf(text: string, part: string): number {
  const at = text.indexOf(part);
  return at < 0 ? 0 : letters(text.slice(0, at)).length + 1;
}

/** Whether a text is like a pattern: % is any run, _ any one character, and a backslash escapes. */
function isLike(text: string, pattern: string): boolean {
  const parts: { readonly letter: string; readonly any: "run" | "one" | null }[] = [];
  const marks = letters(pattern);
  for (let at = 0; at < marks.length; at += 1) {
    const mark = marks[at] ?? "";
    if (mark === "\\") {
      at += 1;
      parts.push({ letter: marks[at] ?? "", any: null });
    } else parts.push({ letter: mark, any: mark === "%" ? "run" : mark === "_" ? "one" : null });
  }
  const written = letters(text);
  // The last run that was met may take one character more whenever what follows does not fit.
  let [at, next, run, taken] = [0, 0, -1, 0];
  while (at < written.length) {
    const part = parts[next];
    if (part?.any === "run") [run, taken, next] = [next, at, next + 1];
    else if (part && (part.any === "one" || part.letter === written[at])) [at, next] = [at + 1, next + 1];
    else if (run >= 0) [taken, at, next] = [taken + 1, taken + 1, run + 1];
    else return false;
  }
  return parts.slice(next).every(({ any }) => any === "run");
}

/** Every operator over texts, by code of its own. */
export const ofTexts: Readonly<Record<Exclude<PostTextOperator, "to-text"> | "like", OfTexts>> = {
  lower: (text) => String(text).toLowerCase(),
  upper: (text) => String(text).toUpperCase(),
  initcap: (text) => capitalized(String(text)),
  trim: (text) => String(text).replace(blanksBefore, "").replace(blanksBehind, ""),
  ltrim: (text) => String(text).replace(blanksBefore, ""),
  rtrim: (text) => String(text).replace(blanksBehind, ""),
  length: (text) => letters(text).length,
  left: (text, count) => letters(text).slice(0, Number(count)).join(""),
  right: (text, count) => {
    const all = letters(text);
    return all.slice(Math.max(0, all.length - Number(count))).join("");
  },
  substr: (text, from, count) =>
    letters(text)
      .filter((_, at) => at + 1 >= Number(from) && at + 1 < Number(from) + Number(count))
      .join(""),
  replace: (text, part, put) => String(text).replaceAll(String(part), () => String(put)),
  strpos: (text, part) => placeOf(String(text), String(part)),
  split_part: (text, separator, number) => partOf(String(text), String(separator), Number(number)),
  concat: (...parts) => parts.join(""),
  like: (text, pattern) => isLike(String(text), String(pattern)),
};

/** The most characters of a text that is made of released values: a longer one is NULL. */
export const longestText = 10_000;

/** The digits of a number whose text is the same however its last bits were rounded. */
const sureDigits = 12;

/** Returns a number as a text; null where rounding may have decided on it. */
export function numberText(value: number | bigint): string | null {
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return String(value);
  return Number(value.toPrecision(sureDigits)) === value ? String(value) : null;
}
