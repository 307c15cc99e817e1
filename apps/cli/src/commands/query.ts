import { writeFileSync } from "node:fs";
import { open } from "../open.ts";
import { askedText } from "../question-text.ts";
import { type ReleaseFormat, renderRelease } from "../render/release.ts";
import { fileError } from "../workspace.ts";

interface QueryFlags {
  readonly policy: string;
  readonly format: ReleaseFormat;
  readonly out?: string;
  readonly as: string;
  readonly request?: string;
  readonly confidence: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly keys?: "public" | "private";
  readonly mechanism?: "laplace" | "gaussian";
}

/** lethe query: pays, prints the release, and writes it where asked. */
export async function query(sql: string, flags: QueryFlags): Promise<void> {
  const { policy, format, out, as, request, ...options } = flags;
  const lethe = await open(policy);
  try {
    const release = await lethe.query(askedText(sql), {
      ...options,
      principal: as,
      ...(request === undefined ? {} : { requestId: request }),
    });
    console.log(renderRelease[format](release));
    if (out !== undefined) writeRelease(out, JSON.stringify(release, null, 2), release.certificate.requestId);
  } finally {
    await lethe.close();
  }
}

function writeRelease(path: string, json: string, requestId: string): void {
  try {
    writeFileSync(path, `${json}\n`);
  } catch (error) {
    const problem = fileError("write", path, "the release", error);
    // The answer is durable in the ledger: asking again under the same id costs nothing.
    throw Object.assign(problem, {
      fix: `${problem.fix}; ask again with --request ${requestId}: it costs nothing`,
    });
  }
}
