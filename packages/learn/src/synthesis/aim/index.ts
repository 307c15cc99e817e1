export { aim } from "./aim.ts";
