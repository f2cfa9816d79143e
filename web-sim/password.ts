/** The demonstration's password, which its page shows and enters. */
export const PASSWORD = "demo-demo";
/** Its hash with few iterations (src/web/password.ts): it is no secret. */
export const PASSWORD_HASH =
  "pbkdf2-sha256$100$b05a3205db1c922930a94e158d14dcfb$2d401ebc06d82bacffa02935fc8e76f0aa9b33effd7637e0485b1889cbaefe87";
