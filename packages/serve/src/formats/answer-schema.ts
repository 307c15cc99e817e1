const draft = "https://json-schema.org/draft/2020-12/schema";
const text = { type: "string" };
/** An exact fraction: "1/3", "0", "5". */
const exact = { type: "string", pattern: "^-?\\d+(/\\d+)?$" };
const number = { type: ["number", "null"] };

const loss = {
  type: "object",
  description: "A loss in the measure of the account. Its numbers are exact fractions, written as texts.",
  required: ["measure"],
  properties: {
    measure: { enum: ["pure", "approximate", "zcdp"] },
    epsilon: exact,
    delta: exact,
    rho: exact,
  },
};

const odds = {
  type: "object",
  description:
    "What a test of one unit's presence gains at most from this release, rounded up. Releases from before it was stated have none.",
  required: ["advantage", "mu", "truePositives"],
  properties: {
    advantage: { type: "number", description: "The largest true positives less false positives." },
    mu: { ...number, description: "μ of Gaussian differential privacy; null where none is proven." },
    truePositives: { type: "number", description: "True positives of a test with 1 % false ones." },
  },
};

const cell = {
  description:
    "A key's value, an estimate with the ends of its interval, or the mark of what stands for several groups.",
  oneOf: [
    { type: ["string", "number", "boolean", "null"] },
    {
      type: "object",
      required: ["value", "lower", "upper"],
      properties: { value: number, lower: number, upper: number },
      additionalProperties: false,
    },
    {
      type: "object",
      required: ["value", "lower", "upper"],
      properties: { value: text, lower: text, upper: text },
      additionalProperties: false,
    },
    {
      type: "object",
      required: ["other"],
      properties: { other: { const: true } },
      additionalProperties: false,
    },
    { type: "object", required: ["all"], properties: { all: { const: true } }, additionalProperties: false },
  ],
};

/** Returns the JSON Schema of an answer for programs: what `lethe query --format json` prints, and the service answers. */
export function answerJsonSchema(): object {
  return {
    $schema: draft,
    title: "The answer of lethe query --format json",
    type: "object",
    required: ["answer", "columns", "rows"],
    oneOf: [
      { description: "A signed release.", required: ["certificate", "signature"] },
      {
        description: "An answer that is made of signed releases, which it holds; it is not signed itself.",
        required: ["kind", "plan", "errors", "of", "releases"],
      },
    ],
    properties: {
      answer: {
        type: "object",
        description: "The answer for programs: rows with named fields.",
        required: ["version", "columns", "rows", "price", "charged", "asOf", "confidence", "notes"],
        additionalProperties: false,
        oneOf: [{ required: ["requestId"] }, { required: ["made"] }],
        properties: {
          version: { const: 1 },
          columns: {
            type: "array",
            items: {
              type: "object",
              required: ["name", "kind"],
              properties: { name: text, kind: { enum: ["key", "aggregate", "computed", "label"] } },
            },
          },
          rows: { type: "array", items: { type: "object", additionalProperties: cell } },
          price: loss,
          charged: {
            ...loss,
            description: "What is charged now: the price, or nothing where the answer was given before.",
          },
          asOf: {
            type: "string",
            pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$",
            description: "When the answer was given.",
          },
          left: loss,
          confidence: { type: "number" },
          requestId: text,
          notes: { type: "array", items: text },
          made: {
            type: "object",
            description:
              "The releases that the answer is made of, and how far each column may be off, here and in a new answer.",
            required: ["of", "errors"],
            additionalProperties: false,
            properties: {
              of: {
                type: "array",
                items: {
                  type: "object",
                  required: ["requestId", "certificate", "at"],
                  properties: { requestId: text, certificate: text, at: text },
                },
              },
              errors: {
                type: "array",
                items: {
                  type: "object",
                  required: ["column", "here", "anew"],
                  properties: { column: text, here: { type: "number" }, anew: { type: "number" } },
                },
              },
            },
          },
        },
      },
      columns: { type: "array", description: "This and all that follows is the signed release." },
      rows: { type: "array", items: { type: "array" } },
      certificate: {
        type: "object",
        required: ["requestId", "plan", "charge", "account", "ledger"],
        properties: { odds },
      },
      signature: { type: "string", pattern: "^[0-9a-f]+$" },
    },
  };
}
