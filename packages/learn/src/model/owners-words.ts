/** The use that a model is meant for and its limits, in the words of whoever described it. They change no number and no price. */
export interface OwnersWords {
  readonly purpose?: string;
  readonly limits?: readonly string[];
}

/** The same as it is written in YAML. */
export interface WrittenWords {
  readonly purpose?: string | undefined;
  readonly limits?: string | string[] | undefined;
}

/** The words of a file, as they stand in what is made of it: keys that are not written are left out. */
export function wordsOf({ purpose, limits }: WrittenWords | OwnersWords): OwnersWords {
  return {
    ...(purpose === undefined ? {} : { purpose }),
    ...(limits === undefined ? {} : { limits: typeof limits === "string" ? [limits] : limits }),
  };
}
