import type { Fields } from "./field";
import GROUPS from "./tables";
import type { SettingsGroups } from "./types";
import { defaultsOf } from "./values";

/** The defaults of all groups. An unchanged group is this object, which is in flash. */
const DEFAULTS: SettingsGroups = Object.freeze(
  Object.fromEntries(
    Object.entries(GROUPS).map(([name, { fields }]) => [name, defaultsOf(fields as Fields<unknown>)]),
  ) as unknown as SettingsGroups,
  true,
);
export default DEFAULTS;
