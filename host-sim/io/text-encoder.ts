/** Node's encodes UTF-8 as the SDK's does. */
export default TextEncoder;
