import { LetheError } from "@lethe/core";
import { readTime, type TimeType } from "../../expressions/calendar/times.ts";

/** Bounds as the owner wrote them. */
export interface DeclaredBounds {
  readonly lo: string;
  readonly hi: string;
  readonly integer: boolean;
  /** A column of times, whose bounds are written as ISO 8601. */
  readonly time?: TimeType;
}

const decimal = "[+-]?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?";
const boundsWord = new RegExp(`^(.+)=(int:)?(${decimal})\\.\\.(${decimal})$`, "su");

function usage(message: string, fix: string): LetheError {
  return new LetheError("cli.usage", message, { fix });
}

const timesWord = /^(.+?)=(\d{4}-\d\d-\d\d.*?)\.\.(\d{4}-\d\d-\d\d.*)$/su;

/** hired=2010-01-01..2029-12-31 declares a date; with a time of day, a timestamp. */
function readTimesWord(word: string): readonly [column: string, bounds: DeclaredBounds] | null {
  const [, column, lo, hi] = timesWord.exec(word) ?? [];
  if (column === undefined || lo === undefined || hi === undefined) return null;
  const time: TimeType = lo.length > 10 || hi.length > 10 ? "timestamp" : "date";
  const [first, last] = [readTime(time, lo), readTime(time, hi)];
  if (first === null || last === null)
    throw usage(
      `the bounds of ${column} are no ${time}s`,
      `write ${column}=2010-01-01..2029-12-31, or ${column}="2010-01-01 00:00:00..2029-12-31 23:59:59"`,
    );
  if (!(first < last))
    throw usage(
      `the bounds of ${column} are not in order`,
      `write the earlier one first: ${column}=2010-01-01..2029-12-31`,
    );
  return [column, { lo, hi, integer: false, time }];
}

/**
 * One `--bounds` word: wage=0..60 declares a number, age=int:16..90 an integer, hired=2010-01-01..2029-12-31 a date.
 * Errors: cli.usage.
 */
export function readBoundsWord(word: string): readonly [column: string, bounds: DeclaredBounds] {
  const times = readTimesWord(word);
  if (times) return times;
  const [, column, integer, lo, hi] = boundsWord.exec(word) ?? [];
  if (column === undefined || lo === undefined || hi === undefined)
    throw usage(
      `${JSON.stringify(word)} does not state bounds`,
      "write wage=0..60, age=int:16..90 for whole numbers, or hired=2010-01-01..2029-12-31 for dates",
    );
  if (!(Number(lo) < Number(hi)))
    throw usage(`the bounds of ${column} are not in order`, "write the lower bound first: wage=0..60");
  return [column, { lo, hi, integer: integer !== undefined }];
}

/**
 * One `--categories` word: sector=manufacturing,construction,other.
 * Errors: cli.usage for an empty list, an empty or a repeated category.
 */
export function readCategoriesWord(word: string): readonly [column: string, categories: readonly string[]] {
  const cut = word.lastIndexOf("=");
  const categories = word
    .slice(cut + 1)
    .split(",")
    .map((category) => category.trim());
  if (cut < 1 || categories.includes(""))
    throw usage(
      `${JSON.stringify(word)} does not state categories`,
      "write sector=manufacturing,construction,other",
    );
  if (new Set(categories).size !== categories.length)
    throw usage(`the categories of ${word.slice(0, cut)} repeat one`, "name each category once");
  return [word.slice(0, cut), categories];
}
