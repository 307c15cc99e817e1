import type { AnyForm } from "../form.ts";
import { approximateForm } from "./approximate-form.ts";
import { gaussianForm } from "./gaussian-form.ts";
import { pldForm } from "./pld-form.ts";
import { pureForm } from "./pure-form.ts";
import { renyiForm } from "./renyi-form.ts";
import { zcdpForm } from "./zcdp-form.ts";

/** Every form of loss, in the order in which they are asked: the exact one, then the likely tightest first. */
export const allForms: readonly AnyForm[] = [
  gaussianForm,
  pldForm,
  renyiForm,
  approximateForm,
  pureForm,
  zcdpForm,
];
