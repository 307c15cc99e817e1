import type { DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";

/** The type of a stream of rows until it fails. */
const queryResult = 3;

/** Yields the chunks of a streamed result. Throws where it breaks off. */
export async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk, void, undefined> {
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) {
      // A stream that fails in its middle, or is interrupted there, ends like one that was read whole: what it is then says so.
      if (result.returnType !== queryResult) throw new Error("the result broke off: interrupted, or failed");
      return;
    }
    yield chunk;
  }
}
