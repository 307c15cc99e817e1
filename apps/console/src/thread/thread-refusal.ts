import type { Refused } from "./works.ts";

/** Something that the thread refused to do, and what would be accepted. */
export class ThreadRefusal extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}
