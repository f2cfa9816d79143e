/** Node's decoder behaves like the SDK's: invalid UTF-8 becomes U+FFFD, and a byte order mark is dropped. */
export default TextDecoder;
