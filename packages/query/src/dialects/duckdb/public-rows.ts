import type { PublicWords } from "../public-words.ts";

export const publicRows: PublicWords = {
  // As questions of private tables read a CAST: NULL where the value is none of the type.
  cast: (x, type) => `TRY_CAST(${x} AS ${type})`,
  functionName: (name) => (name === "btrim" ? "trim" : name),
  lacks: new Set(["to_char", "width_bucket"]),
  qualifies: true,
  time: (type, number) =>
    type === "date"
      ? `(DATE '1970-01-01' + CAST(${number} AS INTEGER))`
      : `make_timestamp(CAST(${number} AS BIGINT))`,
};
