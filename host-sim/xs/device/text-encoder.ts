/** The worker provides the SDK's own. */
export default TextEncoder;
