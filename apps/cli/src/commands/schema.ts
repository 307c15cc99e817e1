import { say } from "../render/say.ts";

/** The kinds of files that people write and editors check, and of JSON that programs read. */
export type SchemaKind = "policy" | "model" | "synthesis" | "answer" | "error";

/** Each schema comes from the package that reads the file, which is loaded for it alone. */
const schemas: Readonly<Record<SchemaKind, () => Promise<object>>> = {
  policy: async () => (await import("@lethe/query")).policyJsonSchema(),
  model: async () => (await import("@lethe/learn/schemas")).modelJsonSchema(),
  synthesis: async () => (await import("@lethe/learn/schemas")).synthesisJsonSchema(),
  answer: async () => (await import("@lethe/serve/formats")).answerJsonSchema(),
  error: async () => (await import("../exit/error-schema.ts")).errorJsonSchema(),
};

/** Runs lethe schema, and lethe policy schema: prints the JSON Schema, for an editor's completion. */
export async function schema(kind: SchemaKind): Promise<void> {
  say(JSON.stringify(await schemas[kind](), null, 2));
}
