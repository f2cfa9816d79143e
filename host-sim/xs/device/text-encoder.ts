/** The worker has the SDK's own. */
export default TextEncoder;
