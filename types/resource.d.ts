/** The SDK's modules/files/resource, of which the typings on npm need the whole of XS's. */
declare module "Resource" {
  /** A file of the build: a buffer in flash, to be looked at through a typed array. */
  const Resource: {
    /** Throws when there is no such file. */
    new (path: string): ArrayBuffer;
    exists(path: string): boolean;
  };
  export default Resource;
}
