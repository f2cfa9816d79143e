/** Made by build.mjs. */
declare module "web-sim:resources" {
  /** The files that a build of the firmware embeds, by name. */
  const RESOURCES: Readonly<Record<string, Uint8Array>>;
  export default RESOURCES;
}
declare module "web-sim:build" {
  /** The commit that this was built from. */
  const BUILD: string;
  export default BUILD;
}
declare module "web-sim:assets" {
  /** The files of the demonstration, by path, with their types; `version` changes with any of them. */
  export const ASSETS: readonly string[];
  export const VERSION: string;
}
