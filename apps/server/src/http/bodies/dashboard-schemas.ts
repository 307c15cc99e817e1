import { z } from "@hono/zod-openapi";
import type { DashboardChange, DashboardContent } from "@lethe/serve";

const savedQuestion = z
  .strictObject({
    title: z.string().min(1).max(100),
    sql: z.string().min(1).max(10_000),
    epsilon: z
      .string()
      .max(200)
      .nullable()
      .openapi({ description: "The price, read exactly; null for the policy's default." }),
  })
  .openapi("SavedQuestion");

const content = {
  name: z.string().min(1).max(100),
  questions: z.array(savedQuestion).max(30),
  readers: z
    .array(z.string().min(1).max(200))
    .max(20)
    .openapi({ description: "The people who may read it too; each pays for their own answers." }),
};

export const dashboardContent: z.ZodType<DashboardContent> = z
  .strictObject(content)
  .openapi("DashboardContent");

const version = z.number().int().min(1).openapi({ description: "One more with each change." });

export const dashboardChange: z.ZodType<DashboardChange> = z
  .strictObject({ ...content, version: version.openapi({ description: "The version that you changed." }) })
  .openapi("DashboardChange");

export const dashboardSchema: z.ZodType = z
  .strictObject({ id: z.string(), person: z.string(), version, changedAt: z.string(), ...content })
  .openapi("Dashboard");
