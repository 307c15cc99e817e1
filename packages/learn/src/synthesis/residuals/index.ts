export { type Reconstructed, reconstruction } from "./reconstruct.ts";
