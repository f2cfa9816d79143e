import { environment } from "native";

/**
 * Whether a condition of the platform holds: BMS_TROUBLES names them, separated by blanks, as host-sim/troubles.ts does. From the start to the
 * end, since a program has no other hand in them.
 */
export const isTroubled = (kind) => (environment("BMS_TROUBLES") ?? "").split(" ").includes(kind);
