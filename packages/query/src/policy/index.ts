export { isName, isPrintable } from "./check-name.ts";
export { didYouMean } from "./did-you-mean.ts";
export {
  type DoubleRole,
  doubleRoles,
  hasSeveralRoles,
  refuseDoubleRoles,
  type SourcesRead,
} from "./double-roles.ts";
export { draftPolicy, type PolicyDraft } from "./draft-policy.ts";
export { type DeclaredBounds, readBoundsWord, readCategoriesWord } from "./draft-words.ts";
export { lintPolicy } from "./lint-policy.ts";
export * from "./policy.ts";
export { policyHash } from "./policy-hash.ts";
export { policyJsonSchema } from "./policy-json-schema.ts";
export type { PolicyWarning } from "./policy-warning.ts";
export { readPolicy } from "./read-policy.ts";
export { type CatalogDraft, type CatalogProposal, draftFromCatalog } from "./schema/draft-from-catalog.ts";
export { sha256 } from "./sha256.ts";
export { unitHash } from "./unit-hash.ts";
export { keyNamed, sharesUnits, type UnitPath, type UnitStep, unitPath } from "./unit-path.ts";
