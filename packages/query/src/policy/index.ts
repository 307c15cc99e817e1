export type * from "./catalog.ts";
export { isName, isPrintable } from "./check-name.ts";
export {
  type CatalogDraft,
  type CatalogProposal,
  draftFromCatalog,
} from "./draft/catalog/draft-from-catalog.ts";
export { draftPolicy, type PolicyDraft } from "./draft/draft-policy.ts";
export { type DeclaredBounds, readBoundsWord, readCategoriesWord } from "./draft/draft-words.ts";
export {
  type DoubleRole,
  doubleRoles,
  hasSeveralRoles,
  refuseDoubleRoles,
  type SourcesRead,
} from "./file/double-roles.ts";
export { policyJsonSchema } from "./file/policy-json-schema.ts";
export { readPolicy } from "./file/read-policy.ts";
export { lintPolicy } from "./lint/lint-policy.ts";
export type { PolicyWarning } from "./lint/policy-warning.ts";
export * from "./policy.ts";
export { policyHash } from "./policy-hash.ts";
export { unitHash } from "./unit-hash.ts";
export { keyNamed, sharesUnits, type UnitPath, type UnitStep, unitPath } from "./unit-path.ts";
export { columnsOfUnits, usedColumns } from "./used-columns.ts";
