import { columnsOf, named, type Query, rowsOf, select } from "../sql/query.ts";
import type { ValueWriter } from "../sql/value-writer.ts";
import type { FirstRows } from "./dialect.ts";

/** Selects the rows of each unit that come first, by ROW_NUMBER. */
export function firstOfUnit({ from, columns, order, most }: FirstRows, write: ValueWriter): Query {
  const place = write.over(write.call("row_number"), { partitionBy: ["owned.u"], orderBy: order });
  const ranked = select([...columnsOf("owned", columns), named(place, "place")], from);
  const isKept = write.compare("ranked.place", "<=", write.integer(most));
  return select(columnsOf("ranked", columns), rowsOf(ranked, "ranked"), { where: [isKept] });
}
