import { LetheError } from "@lethe/core";

/** Bounds as the owner wrote them. */
export interface DeclaredBounds {
  readonly lo: string;
  readonly hi: string;
  readonly integer: boolean;
}

const decimal = "[+-]?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?";
const boundsWord = new RegExp(`^(.+)=(int:)?(${decimal})\\.\\.(${decimal})$`, "su");

function usage(message: string, fix: string): LetheError {
  return new LetheError("cli.usage", message, { fix });
}

/**
 * One `--bounds` word: wage=0..60 declares a number, age=int:16..90 an integer.
 * Errors: cli.usage.
 */
export function readBoundsWord(word: string): readonly [column: string, bounds: DeclaredBounds] {
  const [, column, integer, lo, hi] = boundsWord.exec(word) ?? [];
  if (column === undefined || lo === undefined || hi === undefined)
    throw usage(
      `${JSON.stringify(word)} does not state bounds`,
      "write wage=0..60, or age=int:16..90 for whole numbers",
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
