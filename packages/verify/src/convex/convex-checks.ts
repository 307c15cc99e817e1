import { account } from "@lethe/core";
import { elementAt, parseRational, toDouble } from "@lethe/core/numeric";
import type { Policy } from "@lethe/query";
import { type Verdict, verdict } from "../checks/check.ts";
import { undeclaredOf } from "../procedure/declared-domain.ts";
import { same } from "../procedure/procedure-checks.ts";
import { isCondition } from "../procedure/stated-condition.ts";
import { type Constants, constantsOf } from "./constants.ts";
import type { ConvexModel, ConvexPlan, Method, Problem, Run } from "./convex.ts";
import { descentFindings } from "./descent.ts";
import { frankWolfeFindings } from "./frank-wolfe.ts";
import { localizationFindings } from "./localization.ts";
import { objectiveFindings } from "./objective-perturbation.ts";
import { onePassFindings } from "./one-pass.ts";
import { outputFindings } from "./output-perturbation.ts";
import { covers, near } from "./rounding.ts";
import { tuningFindings } from "./tuning.ts";

/** How many entries a row's vector has, and how long it may be: its intercept, a number and the one of a column's categories are at most 1 each. */
function vectorOf({ features, intercept }: Pick<ConvexPlan, "features" | "intercept">): {
  readonly entries: number;
  readonly squaredNorm: number;
} {
  const own = intercept ? 1 : 0;
  const entries = features.map((column) => (column.kind === "number" ? 1 : column.categories.length));
  return { entries: entries.reduce((sum, each) => sum + each, own), squaredNorm: features.length + own };
}

/**
 * Checks that the event is that of what the algorithm runs. Bounds of rows follow from the columns; L, β and how far a unit moves what is released follow from
 * loss, bounds, radius and adjacency; noise, grids and steps are the plan's. All of it is derived here anew, and so are the bound and the price of the report.
 */
export function convexEventFollows(plan: ConvexPlan): Verdict {
  const { method, event } = plan;
  const isTuning = method.algorithm === "tuning@1";
  const methods = methodsOf(method);
  const { problem, units } = elementAt(methods, 0).request;
  const charged = isTuning ? method.charge : method.event;
  return verdict(
    [
      ...(isTuning
        ? [...tuningFindings(method), ...problemFindings(plan, method.request.score.problem)]
        : []),
      ...methods.flatMap((each) => findingsOf(plan, each)),
      ...(same(event, charged) ? [] : ["the record that was charged is not that of the algorithm"]),
    ],
    isTuning
      ? `the event is that of tries of ${methods.length} candidates, each with a noisy score, over ${problem.dimension} weights, of ${units} units as they were declared`
      : `the event is that of ${method.algorithm} for ${problem.loss.name} loss over ${problem.dimension} weights, of ${units} units as they were declared`,
  );
}

/** The candidates of a choice, or the only one. */
function methodsOf(method: Run): readonly Method[] {
  return method.algorithm === "tuning@1" ? method.request.candidates : [method];
}

function findingsOf(plan: ConvexPlan, method: Method): readonly string[] {
  const constants = constantsOf(method.request.problem);
  return [
    ...problemFindings(plan, method.request.problem),
    ...methodFindings(method, constants),
    ...reportFindings(method, constants),
  ];
}

function problemFindings(plan: ConvexPlan, { dimension, features, labels }: Problem): readonly string[] {
  const { entries, squaredNorm } = vectorOf(plan);
  const longest = features.norm === "max" ? 1 : Math.sqrt(squaredNorm);
  return [
    ...(plan.features.length > 0 && dimension === entries
      ? []
      : ["the weights are not one for each entry of the columns"]),
    ...(near(features.bound, longest) && features.bound >= longest && labels === 1
      ? []
      : ["rows or targets are not bounded as their columns bound them"]),
  ];
}

function methodFindings(method: Method, constants: Constants): readonly string[] {
  switch (method.algorithm) {
    case "noisy-descent@1":
      return descentFindings(method, constants);
    case "localization@1":
      return localizationFindings(method, constants);
    case "one-pass@1":
      return onePassFindings(method, constants);
    case "output-perturbation@1":
      return outputFindings(method, constants);
    case "objective-perturbation@1":
      return objectiveFindings(method, constants);
    case "frank-wolfe@1":
      return frankWolfeFindings(method, constants);
  }
}

/** Constants, price and the word "vacuous", which every report has. */
function reportFindings(
  { algorithm, request, report, event }: Method,
  constants: Constants,
): readonly string[] {
  const { radius, smoothness, zeroLoses } = constants;
  // Objective perturbation does not hold its weights in the ball, and its loss has the slope 1 everywhere.
  const lipschitz =
    algorithm === "objective-perturbation@1" ? request.problem.features.bound : constants.lipschitz;
  const { price, bound } = report;
  const isSmooth =
    smoothness === null || report.smoothness === null
      ? smoothness === report.smoothness
      : near(report.smoothness, smoothness);
  const delta = toDouble(parseRational(String(request.delta)), "down");
  const least = account(event, { adjacency: request.adjacency }).epsilon(price.delta).upper;
  return [
    ...(isSmooth && near(report.lipschitz, lipschitz) && report.diameter === 2 * radius
      ? []
      : ["the constants of the report are not those of its loss within its bounds"]),
    ...(near(bound.withoutData, zeroLoses) && bound.vacuous === !(bound.proven < bound.withoutData)
      ? []
      : ["the report does not say rightly whether its bound says anything"]),
    ...(price.delta === delta && covers(price.epsilon, least)
      ? []
      : ["the report tells a smaller price than its event has"]),
  ];
}

/** Checks that a model is one of its plan: of the candidate that was chosen, as many weights as entries, within the ball. */
export function convexModelIsThePlans(plan: ConvexPlan, model: ConvexModel): Verdict {
  const { target, features, intercept, method, event } = plan;
  const { weights, tuning } = model;
  const methods = methodsOf(method);
  const chosen = methods[tuning?.candidate ?? 0];
  const told = method.algorithm === "tuning@1" ? method.report : null;
  if (chosen === undefined || !same(tuning?.report ?? null, told))
    return verdict(["the model is not of a candidate of its plan, with the report of its choice"], "");
  const { algorithm, request, report } = chosen;
  const { loss, radius } = request.problem;
  const size =
    algorithm === "frank-wolfe@1"
      ? weights.reduce((sum, weight) => sum + Math.abs(weight), 0)
      : Math.hypot(...weights);
  return verdict(
    [
      ...(same(
        [model.target, model.features, model.intercept, model.loss, model.algorithm],
        [target, features, intercept, loss, algorithm],
      ) && same([model.report, model.adjacency, model.event], [report, request.adjacency, event])
        ? []
        : ["the model is of other columns, another loss, report, adjacency or event than its plan"]),
      ...(weights.length === vectorOf(plan).entries
        ? []
        : ["the model has not one weight for each entry of its columns"]),
      ...(algorithm === "objective-perturbation@1" || covers(radius, size)
        ? []
        : ["the model's weights lie outside the ball of its plan"]),
    ],
    "the model has a weight for each entry of the columns of its plan, and its report",
  );
}

/** Checks that target and features are read within what the policy declares of them, and that adjacency is its own. */
export async function convexIsDeclared(
  { target, features, method, source, where }: ConvexPlan,
  policy: Policy,
): Promise<Verdict> {
  const { adjacency } = policy.privacyUnit;
  return verdict(
    [
      ...(methodsOf(method).every(({ request }) => request.adjacency === adjacency)
        ? []
        : ["the convex model's adjacency is not the policy's"]),
      ...(where === null || (await isCondition(where, source, policy))
        ? []
        : ["the condition on the convex model's rows is more than a condition"]),
      ...(await undeclaredOf([target, ...features], source, policy)),
    ],
    "target and features are scaled within the bounds and categories that the policy declares",
  );
}
