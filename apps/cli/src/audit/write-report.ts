import { writeFileSync } from "node:fs";
import { renderReport } from "../report/render-report.ts";
import { fileError } from "../workspace.ts";
import type { Audited } from "./run-audits.ts";

/** Writes an audit's page into a new file. Errors: cli.file. */
export async function writeReport(path: string, audited: Audited, what: string): Promise<void> {
  const page = await renderReport({ ...audited, what, at: new Date(Date.now()).toISOString() });
  try {
    writeFileSync(path, page, { flag: "wx" });
  } catch (error) {
    throw fileError("write", path, "the report", error);
  }
}
