/** The SDK's modules/files/resource; its typings on npm require all of XS's typings. */
declare module "Resource" {
  /** A file of the build, as a buffer in flash; read it through a typed array. */
  const Resource: {
    /** Throws if there is no such file. */
    new (path: string): ArrayBuffer;
    exists(path: string): boolean;
  };
  export default Resource;
}
