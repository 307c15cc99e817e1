import { list, text } from "./shape.ts";

/** What its owner says of a model: no claim about a release, and nothing that can be derived. */
export interface OwnersWords {
  readonly purpose?: string;
  readonly limits?: readonly string[];
}

/** The members of a description, or of a plan, that hold its owner's words. */
export const ownersWords: {
  readonly purpose: typeof text;
  readonly limits: ReturnType<typeof list<string>>;
} = { purpose: text, limits: list(text) };
