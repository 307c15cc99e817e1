export {
  type UnaryResponse,
  type UnaryResponseParameters,
  unaryResponse,
  unaryResponseFor,
  unaryResponseOf,
} from "./unary-response.ts";
