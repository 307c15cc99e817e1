export { aligned, type FiniteLaw, type Forms, formsOf, pureEitherWay } from "@lethe/audit/verify";
