/** See verify.c. */
const verify = (key, message, signature) => native("xs_signature_verify").call(undefined, key, message, signature);
export default verify;
