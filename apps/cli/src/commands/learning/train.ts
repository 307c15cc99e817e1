import { LetheError } from "@lethe/core";
import { modelKindOf, scoresSql } from "@lethe/learn";
import { renderJson } from "@lethe/serve/formats";
import { writeCardOf } from "../../card/write-card-of.ts";
import { type Lethe, open, type TrainOptions } from "../../open.ts";
import { removedAtEnd } from "../../removed-at-end.ts";
import { renderModel } from "../../render/model.ts";
import { renderCharge } from "../../render/release.ts";
import { renderRowModel, renderRowModelExplanation, rowModelSql } from "../../render/row-model.ts";
import { say } from "../../render/say.ts";
import { renderTraining } from "../../render/training.ts";
import { isRowModel } from "../../train/row-models.ts";
import type { Trained } from "../../train/train.ts";
import { readTrained } from "../../train/trained-file.ts";
import { readText } from "../../workspace.ts";
import { unlessPointless, warn } from "../ask-before-paying.ts";
import { refuseTarget, writeNew } from "../new-file.ts";

type TrainFormat = "table" | "json" | "sql";

interface TrainFlags {
  readonly policy: string;
  readonly format: TrainFormat;
  readonly out?: string;
  readonly card?: string;
  readonly as: string;
  readonly project?: string;
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
  const { policy, format, out, card, as, request, headFile, yes, explain, from, ...asked } = flags;
  const texts = paths.map((path) => readText(path, "the model"));
  if (explain === true && ((out ?? card) !== undefined || format === "sql"))
    throw new LetheError(
      "cli.usage",
      "--explain tells a price and trains nothing: there is no model to write",
      {
        fix: "leave --explain out, or --out, --card and --format sql",
      },
    );
  const onRows = trainedOnRows(texts, from);
  if (out !== undefined) refuseTarget(out, "the models");
  if (card !== undefined) refuseTarget(card, "the card");
  const lethe = await open(policy, { headFile, removedAtEnd });
  try {
    if (onRows !== null) {
      const id = request === undefined ? {} : { requestId: request };
      const shown = { explain, format, out, card, policy };
      await trainRowModel(lethe, onRows, shown, { ...asked, ...id, principal: as, notice: warn });
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
    print({ ...trained, models: trained.models.slice(-texts.length) }, format, trained);
    const { requestId } = trained.release.certificate;
    if (out !== undefined) writeNew(out, `${renderJson(trained)}\n`, "the models", requestId);
    if (card !== undefined) await writeCardOf(trained, card, policy);
  } finally {
    await lethe.close();
  }
}

/** Prints the models that were asked for; as JSON the whole file, which holds those of an earlier training too. */
function print({ models, release }: Trained, format: TrainFormat, whole: Trained): void {
  if (format === "json") say(renderJson(whole));
  else if (format === "sql") say(models.map((model) => scoresSql(model)).join("\n"));
  else say([...models.map(renderModel), renderCharge(release.certificate).join("\n")].join("\n\n"));
}

/** The description of a model that is trained on rows, which stands alone; null where there is none. Errors: model.unreadable, model.invalid, cli.usage. */
function trainedOnRows(texts: readonly string[], from: string | undefined): string | null {
  const found = texts.find((text) => isRowModel(modelKindOf(text)));
  if (found === undefined) return null;
  const kind = modelKindOf(found);
  if (texts.length > 1)
    throw new LetheError("model.invalid", `model: ${kind} cannot share one release with other models`, {
      fix: "train it by itself",
    });
  if (from === undefined) return found;
  throw new LetheError(
    "cli.usage",
    `model: ${kind} is trained on rows: sums of an earlier training cannot make one`,
    { fix: "leave --from out" },
  );
}

type ShownFlags = Pick<TrainFlags, "format" | "policy"> & {
  readonly [K in "explain" | "out" | "card"]: TrainFlags[K] | undefined;
};

/** Explains a training on rows, or pays for it and prints the model. */
async function trainRowModel(
  lethe: Lethe,
  text: string,
  { explain, format, out, card, policy }: ShownFlags,
  options: TrainOptions,
): Promise<void> {
  if (explain === true) {
    const explanation = await lethe.explainOnRows(text, options);
    say(format === "json" ? renderJson(explanation) : renderRowModelExplanation(explanation));
    return;
  }
  const release = await lethe.trainOnRows(text, options);
  const { result, certificate } = release;
  const written = renderJson({ version: 1, kind: certificate.procedure.kind, release });
  if (format === "json") say(written);
  else if (format === "sql") say(rowModelSql(result));
  else say([renderRowModel(result), renderCharge(certificate).join("\n")].join("\n\n"));
  if (out !== undefined) writeNew(out, `${written}\n`, "the model", certificate.requestId);
  if (card !== undefined) await writeCardOf(release, card, policy);
}
