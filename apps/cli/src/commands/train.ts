import { LetheError } from "@lethe/core";
import { scoresSql } from "@lethe/learn";
import { boostingSql, describesBoosting } from "@lethe/learn/boosting";
import { type Lethe, open, type TrainOptions } from "../open.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { renderBoosted, renderBoostingExplanation } from "../render/boosting.ts";
import { renderJson } from "../render/json.ts";
import { renderModel } from "../render/model.ts";
import { renderCharge } from "../render/release.ts";
import { say } from "../render/say.ts";
import { renderTraining } from "../render/training.ts";
import type { Trained } from "../train/train.ts";
import { readTrained } from "../train/trained-file.ts";
import { readText } from "../workspace.ts";
import { unlessPointless, warn } from "./ask-before-paying.ts";
import { refuseTarget, writeNew } from "./new-file.ts";

type TrainFormat = "table" | "json" | "sql";

interface TrainFlags {
  readonly policy: string;
  readonly format: TrainFormat;
  readonly out?: string;
  readonly as: string;
  readonly request?: string;
  readonly headFile?: string;
  readonly confidence: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly mechanism?: "laplace" | "gaussian";
  readonly explain?: true;
  readonly from?: string;
  readonly yes?: true;
}

/** lethe train: pays once for the sums that the models need, and prints what was fitted to them. */
export async function train(paths: readonly string[], flags: TrainFlags): Promise<void> {
  const { policy, format, out, as, request, headFile, yes, explain, from, ...asked } = flags;
  const texts = paths.map((path) => readText(path, "the model"));
  if (explain === true && (out !== undefined || format === "sql"))
    throw new LetheError(
      "cli.usage",
      "--explain tells a price and trains nothing: there is no model to write",
      {
        fix: "leave --explain out, or --out and --format sql",
      },
    );
  const boosting = boostingOf(texts, from);
  if (out !== undefined) refuseTarget(out, "the models");
  const lethe = await open(policy, { headFile, removedAtEnd });
  try {
    if (boosting !== null) {
      const id = request === undefined ? {} : { requestId: request };
      await boost(lethe, boosting, { explain, format, out }, { ...asked, ...id, principal: as });
      return;
    }
    if (explain === true) {
      const explanation = await lethe.explainTraining(texts, asked);
      say(format === "json" ? renderJson(explanation) : renderTraining(explanation));
      return;
    }
    const trained =
      from === undefined
        ? await unlessPointless(yes === true, (acceptUninformative) =>
            lethe.train(texts, {
              ...asked,
              principal: as,
              acceptUninformative,
              notice: warn,
              ...(request === undefined ? {} : { requestId: request }),
            }),
          )
        : await lethe.fit(texts, readTrained(readText(from, "the trained models")));
    print(trained, format);
    const { requestId } = trained.release.certificate;
    if (out !== undefined) writeNew(out, `${renderJson(trained)}\n`, "the models", requestId);
  } finally {
    await lethe.close();
  }
}

function print(trained: Trained, format: TrainFormat): void {
  const { models, release } = trained;
  if (format === "json") say(renderJson(trained));
  else if (format === "sql") say(models.map((model) => scoresSql(model)).join("\n"));
  else say([...models.map(renderModel), renderCharge(release.certificate).join("\n")].join("\n\n"));
}

/** The description of a boosting, which stands alone; null where there is none. Errors: model.unreadable, model.invalid, cli.usage. */
function boostingOf(texts: readonly string[], from: string | undefined): string | null {
  const found = texts.find(describesBoosting);
  if (found === undefined) return null;
  if (texts.length > 1)
    throw new LetheError("model.invalid", "a boosting cannot share one release with other models", {
      fix: "train each boosting by itself",
    });
  if (from === undefined) return found;
  throw new LetheError(
    "cli.usage",
    "a boosting is trained on rows: sums of an earlier training cannot make one",
    {
      fix: "leave --from out",
    },
  );
}

/** Explains a boosting, or pays for it and prints it. */
async function boost(
  lethe: Lethe,
  text: string,
  {
    explain,
    format,
    out,
  }: Pick<TrainFlags, "format"> & { readonly explain: true | undefined; readonly out: string | undefined },
  options: TrainOptions,
): Promise<void> {
  if (explain === true) {
    const explanation = await lethe.explainBoosting(text, options);
    say(format === "json" ? renderJson(explanation) : renderBoostingExplanation(explanation));
    return;
  }
  const release = await lethe.trainBoosting(text, options);
  const { result, certificate } = release;
  const written = renderJson({ version: 1, kind: "boosting", release });
  if (format === "json") say(written);
  else if (format === "sql") say(boostingSql(result));
  else say([renderBoosted(result), renderCharge(certificate).join("\n")].join("\n\n"));
  if (out !== undefined) writeNew(out, `${written}\n`, "the model", certificate.requestId);
}
