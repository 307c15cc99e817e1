/**
 * How a file that people write in YAML is read strictly: every refusal names the line, the key and what would be accepted.
 * @module @lethe/query/files
 */
export type { FileKind } from "./policy/file/file-kind.ts";
export { invalidFile } from "./policy/file/invalid-file.ts";
export { boolean, closed, name, number, positiveInteger, says, text } from "./policy/file/schema-fields.ts";
export { type Path, readYaml, type YamlTree } from "./policy/file/yaml-tree.ts";
