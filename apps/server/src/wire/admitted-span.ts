import type { RequestKind } from "@lethe/serve";
import { trace } from "@opentelemetry/api";

/** Lets a request in within a span that ends with that, and so before anything is planned, charged or executed: as `traced` does for HTTP. */
export async function admittedSpan<T>(kind: RequestKind, admit: () => Promise<T>): Promise<T> {
  const attributes = { "network.protocol.name": "postgresql", "lethe.kind": kind };
  const span = trace.getTracer("lethe").startSpan("request", { root: true, attributes });
  try {
    const admitted = await admit();
    span.setAttributes({ "lethe.admitted": true });
    return admitted;
  } finally {
    span.end();
  }
}
