import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { type Domain, sizesOf } from "../domain/index.ts";
import { modelCaps, type SynthesisMethod } from "../plan/index.ts";
import { methods } from "./methods.ts";

/** What must fit. */
interface Wanted {
  readonly method: SynthesisMethod;
  readonly domain: Domain;
  readonly target: number | null;
  /** In bytes. */
  readonly cap: number;
}

/** Refuses a domain whose model may be larger than its cap, whatever the answers; each fix that it names was tried. Errors: model.invalid. */
export function demandFit(wanted: Wanted): void {
  const bytes = bytesOf(wanted);
  if (bytes <= wanted.cap) return;
  const { method, cap } = wanted;
  const fewer = withoutWidest(wanted);
  const fixes = [
    ...(fewer ? [`leave out ${fewer.map((name) => JSON.stringify(name)).join(", ")}`] : []),
    ...(bytes <= modelCaps[method].most * 1e6 ? [`raise the cap to ${megabytes(bytes)}`] : []),
    ...(bytesOf({ ...wanted, method: "aim-grem" }) <= modelCaps["aim-grem"].usual * 1e6 &&
    method !== "aim-grem"
      ? [`take the method aim-grem at its usual cap of ${modelCaps["aim-grem"].usual} MB`]
      : []),
  ];
  throw new LetheError(
    "model.invalid",
    `the model would take ${megabytes(bytes)}, more than its cap of ${megabytes(cap)}`,
    {
      fix: fixes.length > 0 ? fixes.join(", or ") : "declare fewer categories, or bins",
      fields: { bytes, cap },
    },
  );
}

function bytesOf({ method, domain, target }: Pick<Wanted, "method" | "domain" | "target">): number {
  return methods[method].leastBytes({ sizes: sizesOf(domain), target });
}

/** The columns of most values, as few as need be left out; null where too little is left. */
function withoutWidest(wanted: Wanted): readonly string[] | null {
  const { domain, target, cap } = wanted;
  const sizes = sizesOf(domain);
  const widest = [...domain.keys()]
    .filter((at) => at !== target)
    .sort((a, b) => elementAt(sizes, b) - elementAt(sizes, a));
  for (let count = 1; count < widest.length; count++) {
    const left = widest.slice(0, count);
    const kept = domain.filter((_, at) => !left.includes(at));
    const own = target === null ? -1 : kept.indexOf(elementAt(domain, target));
    if (bytesOf({ ...wanted, domain: kept, target: own < 0 ? null : own }) <= cap)
      return left.map((at) => elementAt(domain, at).name);
  }
  return null;
}

/** Rounded up to what is enough. */
function megabytes(bytes: number): string {
  const places = 10 ** Math.max(0, 2 - Math.floor(Math.log10(bytes / 1e6)));
  return `${Math.ceil((bytes / 1e6) * places) / places} MB`;
}
