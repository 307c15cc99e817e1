const draft = "https://json-schema.org/draft/2020-12/schema";
const text = { type: "string" };

/** Returns the JSON Schema of an error under `--format json`, which goes to standard error. */
export function errorJsonSchema(): object {
  return {
    $schema: draft,
    title: "An error, under --format json",
    type: "object",
    required: ["error"],
    additionalProperties: false,
    properties: {
      error: {
        type: "object",
        required: ["code", "message", "fix", "fields", "exit"],
        additionalProperties: false,
        properties: {
          code: { type: "string", pattern: "^[a-z]+\\.[a-z-]+$" },
          message: text,
          fix: text,
          line: { type: "integer", minimum: 1 },
          column: { type: "integer", minimum: 1 },
          fields: { type: "object" },
          exit: {
            type: "integer",
            minimum: 1,
            maximum: 8,
            description: "The code that the program ends with.",
          },
        },
      },
    },
  };
}
