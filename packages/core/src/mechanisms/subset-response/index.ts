export {
  type SubsetResponse,
  type SubsetResponseParameters,
  subsetResponse,
  subsetResponseFor,
  subsetResponseOf,
} from "./subset-response.ts";
