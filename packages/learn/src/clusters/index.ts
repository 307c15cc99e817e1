export { kMeansToJson, readFittedKMeans } from "./k-means-json.ts";
export type * from "./k-means-model.ts";
export { kMeansQuestion, kMeansStart } from "./k-means-question.ts";
export { fitKMeans, kMeansStep } from "./k-means-step.ts";
export { kMeansToSql, predictKMeans } from "./predict-k-means.ts";
export { readKMeans } from "./read-k-means.ts";
