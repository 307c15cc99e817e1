import type { Dialect } from "../../dialects/dialect.ts";

/** A double in which −0 and 0 are one number: which of the two is kept, engines may choose. */
export function oneZero(x: string, { write, double }: Dialect): string {
  return write.enclosed(write.plus(x, double(0)));
}
