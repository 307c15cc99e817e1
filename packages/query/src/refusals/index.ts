export { byName, missing } from "./by-name.ts";
export { didYouMean } from "./did-you-mean.ts";
export { plural } from "./plural.ts";
