import type { ErrorCode } from "@lethe/core";

/** A kind of file that an owner or an analyst writes in YAML. */
export interface FileKind {
  /** The word for it in refusals. */
  readonly noun: string;
  /** The code of a text that is missing or no YAML. */
  readonly unreadable: ErrorCode;
  /** The code of a text that does not follow the schema. */
  readonly invalid: ErrorCode;
  /** The keys at the top below which a number is kept as the text that was written: it must never pass through a double. */
  readonly exactSections: ReadonlySet<string>;
}
