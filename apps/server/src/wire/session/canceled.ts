/** The reason of a wait that ended before its answer: the client called it off, or the time passed that it had set. */
export class Canceled extends Error {
  override readonly name = "Canceled";
  readonly by: "client" | "statement_timeout";

  constructor(by: Canceled["by"]) {
    super();
    this.by = by;
  }
}
