/**
 * Messages of the settings, as codes with parameters separated by tabs: "not-integer\tbms.address\t1\t15\t". The page has the texts
 * (web/messages.ts). `path` is a group or a member of one: `relay.onAt`, `monitoring.voltages.0.ratio`.
 */

/** Why a change is refused; `demand` of field.ts adds the parameters. */
export type RefusalCode =
  | "not-boolean" // path
  | "not-integer" // path, minimum, maximum, unit
  | "not-number" // path, minimum, maximum, unit
  | "not-choice" // path, choices
  | "not-text" // path, minimum, maximum, text rule
  | "not-list" // path, length
  | "not-object" // path
  | "no-member" // group
  | "equal" // path, path or the server that has the port
  | "too-many-packs" // how many the board bears, the first included
  | "not-stored";

/** Problems of the stored settings. */
export type ProblemCode =
  | "store-set-aside"
  | "store-replaced"
  | "store-lost"
  | "store-closed"
  | "unreadable" // group
  | "unwritable" // path
  | "unwritable-energy"
  | "unwritable-relay"
  | "unwritable-packs"
  | "missing" // path
  | "not-allowed" // path
  | "not-allowed-by-board" // path, in the board's configuration
  | "corrupt" // group
  | "older" // group
  | "newer" // group
  | "same" // path, path or the server that has the port
  | "more";

export type Refusal = RefusalCode | `${RefusalCode}\t${string}`;
export type Problem = ProblemCode | `${ProblemCode}\t${string}`;
