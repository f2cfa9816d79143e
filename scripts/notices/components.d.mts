export interface Component {
  readonly name: string;
  readonly of: string;
  readonly licence: string;
  readonly notice?: readonly string[];
  readonly texts: readonly string[];
}
export const COMPONENTS: readonly Component[];
export const ARCHIVES: readonly (readonly [pattern: RegExp, component: string])[];
export const SDK_HEADER: RegExp;
export const SDK_REVIEWED: readonly string[];
export const WITHOUT_HEADER_TEXT: readonly string[];
/** Files of the SDK that name no licence. */
export const SDK_WITHOUT_HEADER: readonly string[];
