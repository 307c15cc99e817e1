import { LetheError } from "@lethe/core";

/** A fault that the check of a request by its schema found. */
export interface RequestIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Returns the refusal of a request that is not as the API describes it. It names the part and what is wrong with it, and no value that was sent. */
export function requestProblem(issue: RequestIssue | undefined): LetheError {
  const name = issue?.path.join(".") || "the request";
  const wrong = issue === undefined ? "" : `: ${issue.message}`;
  return new LetheError("parameter.invalid", `${name} is not as the API describes it${wrong}`, {
    fix: "send what /openapi.json describes for this route",
    fields: { name },
  });
}

/** Returns the refusal of a body that is not JSON. */
export function bodyProblem(): LetheError {
  return new LetheError("parameter.invalid", "the body is not well-formed JSON", {
    fix: "send JSON as /openapi.json describes it, with the header content-type: application/json",
    fields: { name: "the body" },
  });
}
