/** The worker provides the SDK's own. */
export default TextDecoder;
