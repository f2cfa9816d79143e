/** Why a resource refuses a request, for interfaces whose dialect has codes. */
export type ResourceProblem = "relay-not-manual" | "safe-mode";
