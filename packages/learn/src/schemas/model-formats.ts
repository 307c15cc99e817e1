import type { z } from "zod";
import { boostingSchema } from "../boosting/plan/boosting-schema.ts";
import { kMeansSchema } from "../clusters/k-means-schema.ts";
import { convexFile } from "../convex/task/convex-file.ts";
import { momentFormats } from "../model/model-schema.ts";
import { networkSchema } from "../networks/plan/network-schema.ts";

/** The format of each kind of model's file, as its reader checks it. A new kind is a line here. */
export const modelFormats: readonly z.ZodType[] = [
  ...momentFormats,
  ...[kMeansSchema, boostingSchema, networkSchema, convexFile],
];
