import type { ChangedPart } from "./policy-parts.ts";

/** What kind of change one part is for the people in the data. */
export type Effect =
  | "weaker"
  | "stronger"
  | "promise"
  | "public"
  | "accuracy"
  | "answers"
  | "spending"
  | "nothing";

export const effectWords: Readonly<Record<Effect, string>> = {
  weaker: "promises less",
  stronger: "promises more",
  promise: "another promise",
  public: "made public",
  accuracy: "accuracy",
  answers: "other answers",
  spending: "who may spend",
  nothing: "no promise changes",
};

export interface Meaning {
  readonly effect: Effect;
  readonly says: string;
}

/** Says what a changed part of a policy means for privacy, by the part alone: the ledger decides whether the change is taken. */
export function meaningOf(part: ChangedPart): Meaning {
  const found = rules.find(([where]) => where.test(part.path));
  if (found) return found[1](part);
  if (part.from === null) return { effect: "answers", says: "It is new, and may be asked from then on." };
  if (part.to === null) return { effect: "answers", says: "It is gone, and can be asked no more." };
  return { effect: "answers", says: "Answers mean something else from then on." };
}

type Rule = readonly [RegExp, (part: ChangedPart) => Meaning];

const always = (effect: Effect, says: string) => (): Meaning => ({ effect, says });

/** The first that fits is meant: what stands about budgets is told before what stands about any name. */
const rules: readonly Rule[] = [
  [/^budget\.(epsilon|rho|delta)$/, ofTheAccount],
  [
    /^budget\.dataSets\./,
    always("spending", "Another cap of a part of the data. The account's own caps stay as they are."),
  ],
  [
    /^budget\.(analysts|projects)(\.|$)/,
    always(
      "spending",
      "Who may ask, or how much of the account they may take. The account's own caps stay as they are.",
    ),
  ],
  [
    /^budget\.windows$/,
    always(
      "spending",
      "How much may be spent within a span of the calendar. It refills nothing of a lifetime's cap.",
    ),
  ],
  [
    /^budget\.lifetime$/,
    ({ to }) =>
      to === null
        ? { effect: "stronger", says: "What the account promises has a bound over its whole life." }
        : {
            effect: "weaker",
            says: "Windows alone bound what is spent: what the account promises has no bound over time.",
          },
  ],
  [
    /^budget\.closed$/,
    ({ to }) =>
      to === "true"
        ? { effect: "stronger", says: "Nothing more is charged, whatever is left." }
        : { effect: "weaker", says: "Questions are charged again, within the caps." },
  ],
  [
    /^budget\.showAccount$/,
    always("nothing", "Whether analysts may see what the account has spent. The caps stay as they are."),
  ],
  [/^budget\.headFile$/, always("nothing", "Where the ledger's head is kept. The caps stay as they are.")],
  [
    /^(budget\.measure|privacyUnit\b.*)$/,
    always("promise", "What is promised, or whom it protects, is another."),
  ],
  [/^defaults\./, always("accuracy", "What a question costs that does not say. The caps stay as they are.")],
  [/^leastEpsilon$/, always("accuracy", "The least that a question costs. The caps stay as they are.")],
  [
    /^answersValid$/,
    always("answers", "How long an answer stands for the same question, which then costs nothing (ms)."),
  ],
  [
    /^releaseSchedule$/,
    always("answers", "When answers leave (ms). What is not ready by then has failed, and is paid."),
  ],
  [
    /^views\./,
    always("answers", "What a name means in a question. Reading the tables is charged as before."),
  ],
  [/^database\b/, always("answers", "Where the rows come from. Other rows are charged to the same account.")],
  [/^tables\..*\.(unit\.kind)$/, ofTheUnit],
  [
    /^tables\..*\.unit\b/,
    always("promise", "Whose the rows of the table are, and so whom it protects, is another."),
  ],
  [
    /^tables\..*\.trusted$/,
    ({ to }) =>
      to === "true"
        ? {
            effect: "weaker",
            says: "Nothing checks what the database computes when the table is read: the promise rests on the owner's word.",
          }
        : { effect: "stronger", says: "The promise rests no more on the owner's word for this table." },
  ],
  [
    /^tables\..*\.bounds$/,
    always(
      "accuracy",
      "Wider bounds add noise, tighter ones distort more values. Bounds are public, and must not come from the rows.",
    ),
  ],
  [
    /^tables\..*\.categories$/,
    always("public", "Whoever may ask can see the categories: they must not come from the rows."),
  ],
  [
    /^tables\..*\.contribution\.(maxGroups|maxRowsPerGroup|limit)$/,
    always("accuracy", "More contributions leave out less, and add noise. The price of a question stays."),
  ],
  [/^tables\..*\.joins\b/, always("accuracy", "How many rows a join reads. Those beyond are not read.")],
  [/^tables\..*\.expectedRows$/, always("public", "A rough number of rows, for advice alone. It is public.")],
  [
    /^tables\..*\.(file|relation|csv\.\w+)$/,
    always("answers", "Where the rows come from. Other rows are charged to the same account."),
  ],
  [
    /^tables\..*\.rounding$/,
    always("answers", "How times of a question are rounded that move with the clock."),
  ],
  [
    /^tables\..*\.(type|default|nullable|maxLength)$/,
    always("answers", "What the values are read as. Noise is as large as the promise needs."),
  ],
];

/** A cap of all answers together. */
function ofTheAccount({ from, to }: ChangedPart): Meaning {
  if (to !== null && from !== null && doubleOf(to) < doubleOf(from))
    return { effect: "stronger", says: "All answers together may tell less about one unit." };
  if (from === null) return { effect: "promise", says: "All answers together have a cap that they had not." };
  return { effect: "weaker", says: "All answers together may tell more about one unit." };
}

function ofTheUnit({ to }: ChangedPart): Meaning {
  if (to === "public")
    return { effect: "weaker", says: "The rows belong to nobody from then on: nothing protects them." };
  return { effect: "promise", says: "Whose the rows of the table are, and so whom it protects, is another." };
}

/** The value of an exact number, for its direction alone. */
function doubleOf(exact: string): number {
  const [numerator = "0", denominator = "1"] = exact.split("/");
  return Number(numerator) / Number(denominator);
}
