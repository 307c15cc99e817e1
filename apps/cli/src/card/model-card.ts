import type { ProcedureRelease } from "@lethe/gateway";
import type { Policy } from "@lethe/query";
import type { Trained } from "../train/train.ts";
import { modelPart, procedurePart } from "./card-kinds.ts";
import { chargeSection, checkSection } from "./charge-section.ts";
import { columnTable } from "./column-table.ts";
import { counted } from "./figures.ts";
import { type Block, code, markdown, paragraph, plain, points } from "./markdown.ts";
import { measuredSums } from "./measured-sums.ts";
import type { ModelPart } from "./model-part.ts";
import { planProtection, procedureProtection } from "./protection.ts";

/** The subjects of cards: models with the release that they were fitted to, or the release of a procedure. */
export type Carded = Trained | ProcedureRelease;

/** The parts of a card that all its models share. */
interface Shared {
  readonly parts: readonly ModelPart[];
  readonly protection: readonly string[];
  /** The sums that left the database; empty where the models' own figures say it. */
  readonly measured: readonly Block[];
  readonly certificate: Parameters<typeof chargeSection>[0];
}

/**
 * Writes a card in Markdown of models, or of a procedure's result: what they are, of which rows and columns, who is protected, what it cost, how exact
 * they are, and what was not measured. A function of the release, its descriptions and the policy, and of nothing else. It does not check them:
 * ./card-of.ts does. Errors: release.invalid for a kind of procedure that has no card.
 */
export function writeCard(carded: Carded, policy: Policy): string {
  const { parts, protection, measured, certificate } = sharedOf(carded, policy);
  const [only] = parts;
  const isAlone = parts.length === 1;
  const title = isAlone && only ? only.title : counted(parts.length, "model");
  return markdown([
    paragraph(`# Model card: ${title}`),
    paragraph(
      "This card is made of the release, the descriptions of its models and the policy, and of nothing else: `lethe card` makes it again for whoever holds them.",
    ),
    ...parts.flatMap((part, at) => (isAlone ? partOf(part, "##") : numbered(part, at + 1))),
    section("Who is protected"),
    points(protection),
    section("Price and account"),
    ...chargeSection(certificate, policy),
    ...(measured.length > 0 ? [section("What was measured"), ...measured] : []),
    section("What was not measured"),
    points([
      "How well a model here fits or predicts: no accuracy, loss or error on the rows was computed. Each such figure would be one more release, at a price of its own.",
      "Whether it does as well for every group of people: that too would be a release.",
      ...new Set(parts.flatMap(({ unmeasured }) => unmeasured)),
    ]),
    section("How to check it"),
    ...checkSection(certificate),
  ]);
}

function sharedOf(carded: Carded, policy: Policy): Shared {
  if (!("descriptions" in carded)) {
    const { unit, ...part } = procedurePart(carded);
    const protection = procedureProtection(unit, policy);
    return { parts: [part], protection, measured: [], certificate: carded.certificate };
  }
  const { descriptions, models, confidence, release } = carded;
  const { plans } = release.certificate.workload;
  return {
    parts: models.flatMap((model, at) => {
      const description = descriptions[at];
      return description ? [modelPart(model, description)] : [];
    }),
    protection: plans[0] ? planProtection(plans[0], policy) : [],
    measured: measuredSums(plans, policy, confidence),
    certificate: release.certificate,
  };
}

const section = (title: string): Block => paragraph(`## ${title}`);

function numbered(part: ModelPart, number: number): readonly Block[] {
  return [paragraph(`## ${number}. ${part.title}`), ...partOf(part, "###")];
}

/** Writes the part of a card about one model, under headings of this rank. */
function partOf(part: ModelPart, rank: string): readonly Block[] {
  const { about, source, where, columns, exactness } = part;
  const of = where === null ? "all rows" : `the rows where ${code(where)}`;
  return [
    paragraph(`${rank} What it is`),
    points(about),
    paragraph(`${rank} Use and limits`),
    ...wordsSection(part),
    paragraph(`${rank} Rows and columns`),
    paragraph(
      `Learned from ${of} of ${code(source)}. What is public of a column is the policy's word, and not the data's.`,
    ),
    columnTable(columns),
    paragraph(`${rank} How exact it is`),
    ...exactness,
  ];
}

/** The owner's own words, or that there are none. */
function wordsSection({ purpose, limits }: ModelPart): readonly Block[] {
  if (purpose === undefined && limits === undefined)
    return [paragraph("Its owner states neither a use that it is meant for nor its limits.")];
  return [
    paragraph("In the words of whoever described it, which nobody checked:"),
    points([
      ...(purpose === undefined ? [] : [`Meant for: ${plain(purpose)}`]),
      ...(limits ?? []).map((limit) => `Limit: ${plain(limit)}`),
    ]),
  ];
}
