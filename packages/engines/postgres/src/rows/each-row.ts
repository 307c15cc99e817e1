import type { PoolClient } from "pg";
import pg from "pg";

/** A row's values as PostgreSQL spells them. */
export type TextRow = readonly (string | null)[];

/** A column of a result: `dataTypeID` is the number of its type in pg_type. */
export interface ResultField {
  readonly name: string;
  readonly dataTypeID: number;
}

/**
 * Runs a compiled statement and hands on its rows one by one as they come. `readerOf` makes a reader of the result's columns, also of a result
 * without rows. Rejects with what it or the reader throws; `stop` must end the statement: it is called when that happens.
 */
export function eachRow(
  client: PoolClient,
  { sql, needsSeed }: { readonly sql: string; readonly needsSeed: boolean },
  seed: string,
  stop: () => void,
  readerOf: (fields: readonly ResultField[]) => (row: TextRow) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let read: ((row: TextRow) => void) | null = null;
    let wrong: Error | null = null;
    const running = client.query(
      new pg.Query({
        text: sql,
        values: needsSeed ? [seed] : [],
        rowMode: "array",
        // One statement, whatever the text: the simple protocol would run several.
        queryMode: "extended",
        // Every value as PostgreSQL spells it.
        types: { getTypeParser: () => (text: string) => text },
      } as ConstructorParameters<typeof pg.Query>[0]),
    );
    running.on("row", (row, result) => {
      if (wrong) return;
      try {
        if (result === undefined) throw new Error("a row came without its columns");
        read ??= readerOf(result.fields);
        read(row as unknown as TextRow);
      } catch (error) {
        wrong = error as Error;
        stop();
      }
    });
    running.on("error", (error) => reject(wrong ?? error));
    running.on("end", (result) => {
      try {
        if (wrong) throw wrong;
        readerOf(result.fields);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
}
