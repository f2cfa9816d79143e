/** Node's encoder produces UTF-8 like the SDK's. */
export default TextEncoder;
