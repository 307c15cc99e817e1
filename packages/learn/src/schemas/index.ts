export { modelJsonSchema, synthesisJsonSchema } from "./json-schemas.ts";
