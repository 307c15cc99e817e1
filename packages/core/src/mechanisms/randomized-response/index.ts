export {
  type RandomizedResponse,
  type RandomizedResponseParameters,
  randomizedResponse,
  randomizedResponseFor,
  randomizedResponseOf,
} from "./randomized-response.ts";
