/** Node's decodes UTF-8 as the SDK's does: bytes that are none become U+FFFD, a byte order mark is dropped. */
export default TextDecoder;
