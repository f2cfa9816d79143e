/** Why a resource refuses a request, for interfaces whose errors are codes. */
export type ResourceProblem = "relay-not-manual" | "safe-mode";
