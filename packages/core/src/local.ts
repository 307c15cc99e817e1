/**
 * Local randomizers: units randomize their own answers, and a collector estimates shares from the reports.
 * @module @lethe/core/local
 */
export {
  type AggregateRequest,
  type Frequencies,
  type LocalMechanism,
  type RandomizedResponse,
  type RandomizedResponseParameters,
  randomizedResponse,
  randomizedResponseFor,
  randomizedResponseOf,
  type SubsetResponse,
  type SubsetResponseParameters,
  subsetResponse,
  subsetResponseFor,
  type UnaryResponse,
  type UnaryResponseParameters,
  unaryResponse,
  unaryResponseFor,
} from "./mechanisms/index.ts";
