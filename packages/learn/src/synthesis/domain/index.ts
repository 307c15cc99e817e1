export {
  type Attribute,
  attributeSize,
  type BinnedAttribute,
  type CategoryAttribute,
  evenEdges,
} from "./attribute.ts";
export { checkedDomain, type Domain, domainOf, mostAttributes, sizesOf } from "./domain.ts";
export { decodeValue, encodeColumn, encoderOf, noCode } from "./encode.ts";
export { type MergedValues, membersOf, mergeCounts, mergeRare, unmerged } from "./merged-values.ts";
