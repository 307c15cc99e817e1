import { knownBad } from "../known-bad/registry.ts";
import { audit } from "../replay/audit.ts";
import type { Audit } from "./audit.ts";
import { replayRow } from "./replay-row.ts";

/** The controls that replay must catch. Functions and questions of users are audited one by one. */
export const replayAudit: Audit = {
  id: "replay",
  title: "functions on neighbours, with the mechanisms' outputs frozen",
  steps: ({ seed }) =>
    knownBad.flatMap(({ id, program }) =>
      program === undefined
        ? []
        : [
            {
              subject: id,
              make: async () =>
                replayRow(id, "control", await audit(program.run, program.neighbours, { seed })),
            },
          ],
    ),
};
