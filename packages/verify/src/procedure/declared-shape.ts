import {
  list,
  literal,
  Misshapen,
  number,
  object,
  pair,
  type Read,
  scalar,
  tagged,
  text,
} from "../format/shape.ts";
import type { StatedColumn } from "./declared-domain.ts";

/** A value of a column of categories. */
export const category: Read<string | number | boolean> = (value, path) => {
  const found = scalar(value, path);
  if (found === null) throw new Misshapen(path, "a text, a number, true or false");
  return found;
};

/** Reads a column with what is public of its values. */
export const declaredColumn: Read<StatedColumn> = tagged("kind", {
  number: object({ kind: literal("number"), name: text, bounds: pair(number) }),
  category: object({ kind: literal("category"), name: text, categories: list(category) }),
});
